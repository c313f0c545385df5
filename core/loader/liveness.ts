import { normalised, required, serves, type WorkPart } from '../sdk/index.js'
import { isRecord } from '../sdk/json.js'
import { leftOutOf } from './order.js'
import type { LoadedCapability, LoadedPort, LoadedProvider, Liveness, AnswerState } from './types.js'

interface LoadedParts {
  readonly capabilities: ReadonlyMap<string, LoadedCapability>
  readonly ports: ReadonlyMap<string, LoadedPort>
  /** The variable of a setting. */
  readonly variable: (name: string) => string
}

/** The state of a provider, or `suspended` if the operator suspended it. */
export function stateOf({ state, suspended }: Pick<LoadedProvider, 'state' | 'suspended'>): LoadedProvider['state'] | 'suspended' {
  return state === 'live' && suspended !== undefined ? 'suspended' : state
}

/**
 * Whether a capability is live. Without a handler it needs a live provider of its own port; with one, of a port it uses,
 * including its own where vendors serve that; a handler that uses no port is always live. The reason lists for each port
 * what would make it live. If none of its parts can be served it is not live; if some cannot, see `limits`.
 */
export function livenessOf(id: string, known: LoadedParts): Liveness {
  const found = resolve(id, known, new Set())
  const loaded = known.capabilities.get(id)
  if (!found.live || loaded === undefined) return { ...found, limits: null, modes: null }
  const { parts = [] } = loaded.capability
  return parts.length > 0 ? withParts(loaded, known) : withModes(loaded, known)
}

function withParts(loaded: LoadedCapability, known: LoadedParts): Liveness {
  const parts = (loaded.capability.parts ?? []).map((part) => ({ title: part.title, lack: lackOf(loaded, part, known) }))
  return { ...limited(parts, (titles) => titles.join(' and ')), modes: null }
}

function withModes(loaded: LoadedCapability, known: LoadedParts): Liveness {
  const field = loaded.capability.mode ?? 'mode'
  const property: unknown = loaded.input.schema.properties[field]
  const words = isRecord(property) && Array.isArray(property.enum) ? property.enum.filter((mode) => typeof mode === 'string') : []
  const example = loaded.capability.examples[0]?.params ?? {}
  const modes = words.map((mode) => ({ title: mode, lack: lackOf(loaded, { params: { ...example, [field]: mode } }, known) }))
  const live = modes.filter(({ lack }) => lack === null).map(({ title }) => title)
  const found = limited(modes, (titles) => `${field} ${titles.join(' and ')}`)
  return { ...found, modes: live.length === 0 || live.length === modes.length ? null : { field, live } }
}

function limited(
  parts: readonly { readonly title: string; readonly lack: string | null }[],
  words: (titles: readonly string[]) => string,
): AnswerState & Pick<Liveness, 'limits'> {
  const served = parts.filter(({ lack }) => lack === null)
  const lack = parts.find((part) => part.lack !== null)?.lack ?? null
  if (lack === null) return { live: true, reason: null, limits: null }
  if (served.length === 0) return { live: false, reason: lack, limits: null }
  return { live: true, reason: null, limits: `${words(served.map(({ title }) => title))} only: ${lack}` }
}

/** Why no provider can serve an input now; null when one can, or when only a call can decide. */
function lackOf(
  loaded: LoadedCapability,
  { params, vendorInput }: Pick<WorkPart, 'params' | 'vendorInput'>,
  known: LoadedParts,
): string | null {
  const { capability, handler, input } = loaded
  const given: unknown = structuredClone(params)
  // The example is not valid in this mode, so that it cannot decide.
  if (!input.check(given)) return null
  const normal = normalised(capability, given)
  for (const { id } of required(capability, normal)) {
    const { live, reason } = resolve(id, known, new Set())
    if (!live) return reason ?? `${id} cannot answer`
  }
  const port = known.ports.get(capability.id)
  const own = handler === null || ((capability.uses ?? []).length === 0 && (port?.all ?? []).length > 0)
  const question = vendorInput ?? (capability.vendors === undefined ? normal : undefined)
  if (!own || port === undefined || question === undefined) return null
  const able = port.providers.filter((provider) => mayServe(provider, question))
  if (able.some((provider) => stateOf(provider) === 'live')) return null
  const near =
    able.find(({ kind, state }) => kind === 'local' && state === 'broken') ?? able.find(({ kind }) => kind === 'local') ?? able[0]
  if (near === undefined) return 'no vendor in the order serves the rest'
  return `${near.vendor.id}: ${near.suspended ?? near.reason ?? 'not live'}`
}

function mayServe({ contribution, access }: LoadedProvider, question: unknown): boolean {
  try {
    return serves(contribution, question, access)
  } catch {
    // A call decides; the waterfall logs the error.
    return true
  }
}

function resolve(id: string, known: LoadedParts, seen: Set<string>): AnswerState {
  const { capability, handler } = known.capabilities.get(id) ?? {}
  if (capability === undefined || handler === null || handler === undefined) return portLiveness(id, known)
  seen.add(id)
  const used = (capability.uses ?? []).map((port) => port.id)
  const own = used.includes(id) || (known.ports.get(id)?.all ?? []).length > 0
  const others = used.filter((port) => !seen.has(port))
  if (used.length === 0 && !own) return { live: true, reason: null }
  const found = [...(own || others.length === 0 ? [portLiveness(id, known)] : []), ...others.map((port) => resolve(port, known, seen))]
  if (found.some(({ live }) => live)) return { live: true, reason: null }
  return { live: false, reason: found.map(({ reason }) => reason).join('. ') }
}

/** Whether a port has a live provider, or what would make one live. */
export function portLiveness(id: string, { ports, variable }: Pick<LoadedParts, 'ports' | 'variable'>): AnswerState {
  const port = ports.get(id)
  if (port === undefined) return { live: false, reason: `no plugin declares ${id}` }
  if (port.providers.some((provider) => stateOf(provider) === 'live')) return { live: true, reason: null }
  if (port.all.length === 0) return { live: false, reason: `no plugin serves ${id}` }
  const reasonsOf = (wanted: LoadedProvider['state']): string[] =>
    port.providers.flatMap(({ state, reason }) => (state === wanted && reason !== null ? [reason] : []))
  const optIn = port.all.flatMap(({ optedOut, reason }) => (optedOut && reason !== null ? [reason] : []))
  const leftOut = leftOutOf(port)
  const out = port.providers.filter((provider) => stateOf(provider) === 'suspended')
  const ways = [
    ...out.map(({ vendor }) => `resume ${vendor.id}, which the operator suspended (capstan providers resume ${id} ${vendor.id})`),
    ...reasonsOf('dormant'),
    ...optIn,
    ...(leftOut.length === 0 ? [] : [`name one of ${leftOut.join(', ')} in ${variable(`waterfall.${id}`)} (or waterfall.${id})`]),
  ]
  if (ways.length > 0) return { live: false, reason: `${id}: ${ways.join('; or ')}` }
  const broken = [...new Set(reasonsOf('broken'))]
  return { live: false, reason: `${id}: every provider is broken${broken.length === 0 ? '' : ` (${broken.join('; ')})`}` }
}
