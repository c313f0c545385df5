import type { Config } from '../../../core/config/index.js'
import type { Registry } from '../../../core/loader/types.js'
import type { Shell } from './shell.js'

/** The plugins of the configuration, for a command that is not about them; says on standard error which are not in use. */
export async function loadRegistry({ parts, io }: Shell, config: Config): Promise<Registry> {
  const registry = await parts.registry(config)
  const note = notInUse(registry)
  if (note !== null) io.err(`note: ${note}\n`)
  return registry
}

/** Plugins that were set aside, in words, or null. */
export function notInUse({ plugins }: Pick<Registry, 'plugins'>): string | null {
  const names = plugins.flatMap(({ name, reason }) => (reason === null ? [] : [name]))
  return names.length === 0 ? null : `not in use: ${names.join(', ')}; capstan plugin list says why`
}
