/** A plugin that cannot be used. The message names the plugin, its file and what to change. */
export class PluginError extends Error {
  override readonly name = 'PluginError'
  readonly plugin: string
  /** File relative to the plugin's folder, or null when no single file is at fault. */
  readonly file: string | null

  constructor(plugin: string, file: string | null, reason: string, cause?: unknown) {
    super(`plugin ${plugin}${file === null ? '' : `, ${file}`}: ${reason}`, cause === undefined ? undefined : { cause })
    this.plugin = plugin
    this.file = file
  }
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
