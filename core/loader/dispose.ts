import { cleanUpAll } from '../runtime/clean-up.js'
import type { PluginContribution } from '../sdk/index.js'

/** Calls `dispose` of every plugin at once and answers, one error for each, those that failed or had not ended after five seconds. Never rejects. */
export function disposeOf(plugins: readonly PluginContribution[]): Promise<Error[]> {
  return cleanUpAll(plugins.map((plugin) => [`dispose() of plugin ${plugin.name}`, () => plugin.dispose?.()]))
}
