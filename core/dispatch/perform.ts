import type { LoadedCapability } from '../loader/types.js'
import { Fault, required, runHandler } from '../sdk/index.js'
import type { CallState } from './call.js'
import type { Environment } from './environment.js'
import { Unavailable } from './errors.js'
import { lent } from './lent.js'
import { waterfall } from './waterfall.js'

export interface Performance {
  readonly data: unknown
  /** Vendor id, or the word for several; null when no vendor's data was used. */
  readonly providerUsed: string | null
}

/** Throws Unavailable when a port this input cannot do without has no live provider: asked before any credit is held. */
export function assertServed(environment: Environment, loaded: LoadedCapability, input: unknown): void {
  const registry = environment.registry()
  const wanted = loaded.handler === null ? [loaded.capability] : required(loaded.capability, input)
  for (const { id } of wanted) {
    const port = registry.ports.get(id)
    if (port?.providers.some((provider) => provider.state === 'live') === true) continue
    const reasons = port?.all.flatMap(({ vendor, reason }) => (reason === null ? [] : [`${vendor.id}: ${reason}`])) ?? []
    throw new Unavailable(
      id,
      `No provider of ${id} is live. ${reasons.length === 0 ? 'Nothing in this version serves it.' : `${reasons.join('; ')}.`}`,
    )
  }
}

/** Runs a capability on an input that was checked and frozen: its handler, or else the waterfall over its own providers. */
export async function perform(environment: Environment, loaded: LoadedCapability, input: unknown, call: CallState): Promise<Performance> {
  const { capability, handler } = loaded
  const { cancel } = call
  let data: unknown
  if (handler === null) {
    const port = environment.registry().ports.get(capability.id)
    if (port === undefined) throw new Unavailable(capability.id, `No plugin provides ${capability.id}.`)
    data = (await waterfall(environment, { call, port, input, cancel, depth: 0 })).data
  } else {
    data = await lent(environment, { call, cancel, depth: -1, provider: null, handler, settings: loaded.settings }, (context) =>
      runHandler(handler, input, context),
    )
    if (data === null || data === undefined) throw new Fault('missing', 'Nothing was found.')
    if (!loaded.output.check(data))
      throw new TypeError(`handler of ${capability.id} answered outside its schema: ${loaded.output.explain()}`)
  }
  const [first, ...others] = call.contributors
  return { data, providerUsed: first === undefined ? null : others.length === 0 ? first : (capability.many ?? 'merged') }
}
