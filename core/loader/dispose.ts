import type { PluginContribution } from '../sdk/index.js'
import { answered } from '../store/answered.js'

/** Most milliseconds the dispose() of a plugin is waited for. */
const DISPOSE_MS = 5_000

/**
 * Calls `dispose` of every plugin at once and answers, one error for each, those that failed or had not ended after five seconds.
 * Never rejects.
 */
export async function disposeOf(plugins: readonly PluginContribution[]): Promise<Error[]> {
  const errors = await Promise.all(plugins.map(errorOf))
  return errors.filter((error) => error !== null)
}

async function errorOf(plugin: PluginContribution): Promise<Error | null> {
  const ended = async (): Promise<void> => await plugin.dispose?.()
  try {
    await answered(DISPOSE_MS, ended(), 'it')
    return null
  } catch (cause) {
    return new Error(`dispose() of plugin ${plugin.name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
