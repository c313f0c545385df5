import type { Config } from '../../../core/config/types.js'
import type { Registry } from '../../../core/loader/types.js'
import type { Shell } from './shell.js'

/** The plugins of the configuration, for a command that is not about them; reports on standard error which are not in use. */
export async function loadRegistry({ parts, io }: Shell, config: Config): Promise<Registry> {
  const registry = await parts.registry(config)
  const note = notInUse(registry)
  if (note !== null) io.err(`note: ${note}\n`)
  return registry
}

/** A sentence that names plugins that are not in use, or null. */
export function notInUse({ plugins }: Pick<Registry, 'plugins'>): string | null {
  const names = plugins.flatMap(({ name, reason }) => (reason === null ? [] : [name]))
  return names.length === 0 ? null : `not in use: ${names.join(', ')}; see capstan plugin list for the reasons`
}
