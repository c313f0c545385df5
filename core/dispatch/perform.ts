import type { LoadedCapability } from '../loader/types.js'
import { Unavailable } from '../problems/errors.js'
import { Fault, type HandlerContribution, runHandler } from '../sdk/index.js'
import type { CallState } from './call.js'
import type { ContextScope } from './port-request.js'
import { runWithContext } from './context.js'
import type { Environment } from './environment.js'
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

/** A capability with a handler; the input is checked and frozen. */
interface Composed {
  readonly loaded: LoadedCapability
  readonly handler: HandlerContribution
  readonly input: unknown
}

/** Runs a handler and checks its result against the capability's output. Throws a `missing` Fault for null. */
export async function composed(environment: Environment, { loaded, handler, input }: Composed, scope: ContextScope): Promise<unknown> {
  const { settings, plugin } = loaded
  const { call, cancel, depth, direct, under, optional } = scope
  const own = { call, cancel, depth, direct, under, optional, provider: null, handler, settings, plugin }
  const data = await runWithContext(environment, own, (context) => runHandler(handler, input, context))
  if (data === null || data === undefined) throw new Fault('missing', 'Nothing was found.')
  if (loaded.output.check(data)) return data
  throw new TypeError(`handler of ${loaded.capability.id} answered outside its schema: ${loaded.output.explain()}`)
}

/**
 * Freezes and returns a value with all arrays and plain data in it, so that no handler or provider changes the input of
 * the next. Writing to it throws a TypeError in strict code. Bytes cannot be frozen. Any depth, without recursion.
 */
export function deepFreeze(value: unknown): unknown {
  const open: unknown[] = [value]
  while (open.length > 0) {
    const part = open.pop()
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part) || Object.isFrozen(part)) continue
    Object.freeze(part)
    const inner: unknown[] = Object.values(part)
    for (const each of inner) if (typeof each === 'object') open.push(each)
  }
  return value
}
