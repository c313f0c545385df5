import type { PluginContribution, TObject } from '../sdk/index.js'
import { PluginError } from './plugin-error.js'
import type { Placed } from './plugin-exports.js'

/** Throws PluginError for a handler or provider that names settings other than those its own plugin declares. */
export function assertOwnSettings(manifest: PluginContribution, { file, value }: Placed<{ readonly settings?: TObject }>): void {
  if (value.settings === undefined || value.settings === manifest.settings) return
  const change = 'pass the same object there and to plugin({ settings }) in index'
  throw new PluginError(manifest.name, file, `names settings that its plugin does not declare; ${change}`)
}
