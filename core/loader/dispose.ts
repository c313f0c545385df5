import { cleanUpAll } from '../runtime/clean-up.js'
import type { PluginContribution } from '../sdk/index.js'

/** Calls `dispose` of all plugins concurrently; resolves to an error for each that failed or exceeded five seconds. Never rejects. */
export function disposeOf(plugins: readonly PluginContribution[]): Promise<Error[]> {
  return cleanUpAll(plugins.map((plugin) => [`dispose() of plugin ${plugin.name}`, () => plugin.dispose?.()]))
}
