import type { Config } from '../../../core/config/types.js'
import type { Registry } from '../../../core/loader/types.js'
import type { Check } from '../../../core/diagnosis/types.js'
import type { Parts } from './types.js'

interface PortChecksRequest {
  readonly config: Config
  readonly registry: Registry
  readonly parts: Pick<Parts, 'connects'>
}

/** Checks that the network allows the connections that live vendors need, one check per port. */
export async function portChecks({ config, registry, parts }: PortChecksRequest): Promise<Check[]> {
  const live = [...registry.ports.values()].flatMap(({ providers }) => providers).filter(({ state }) => state === 'live')
  const vendors = new Set(live.map(({ vendor }) => vendor))
  const wanted = [...vendors].flatMap(({ reaches }) => (reaches === undefined ? [] : [reaches]))
  return await Promise.all(
    wanted.map(async (target): Promise<Check> => {
      const { host, port, otherwise } = target
      const reason = await parts.connects(target, config)
      const detail = reason === null ? `open to ${host}` : `closed to ${host} (${reason}): ${otherwise}`
      return { name: `port ${port}`, ok: reason === null, detail }
    }),
  )
}
