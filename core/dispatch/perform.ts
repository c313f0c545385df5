import type { LoadedCapability } from '../loader/types.js'
import type { CallState } from './call.js'
import { composed } from './composed.js'
import type { Environment } from './environment.js'
import { Unavailable } from '../problems/errors.js'
import { waterfall } from './waterfall.js'

interface Performance {
  readonly data: unknown
  /** Vendor id, or the capability's word for several vendors; null when no vendor's data was used. */
  readonly providerUsed: string | null
}

/** Runs a capability on a checked and frozen input: its handler, or else the waterfall over its own providers. */
export async function perform(environment: Environment, loaded: LoadedCapability, input: unknown, call: CallState): Promise<Performance> {
  const { capability, handler } = loaded
  const { cancel } = call
  let data: unknown
  if (handler === null) {
    const port = environment.registry().ports.get(capability.id)
    if (port === undefined) throw new Unavailable(capability.id, `No plugin provides ${capability.id}.`)
    data = (await waterfall(environment, { call, port, input, cancel, depth: 0 })).data
  } else {
    data = await composed(environment, { loaded, handler, input }, { call, cancel, depth: -1 })
  }
  const [first, ...others] = call.contributors(capability.id)
  return { data, providerUsed: first === undefined ? null : others.length === 0 ? first : (capability.many ?? 'merged') }
}
