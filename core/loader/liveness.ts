import { leftOutOf } from './left-out.js'
import type { LoadedCapability, LoadedPort, LoadedProvider } from './types.js'

interface Known {
  readonly capabilities: ReadonlyMap<string, LoadedCapability>
  readonly ports: ReadonlyMap<string, LoadedPort>
  /** The variable that sets something. */
  readonly variable: (name: string) => string
}

/** Whether a provider may be asked: its state, or that the operator took it out. */
export function stateOf({ state, suspended }: Pick<LoadedProvider, 'state' | 'suspended'>): LoadedProvider['state'] | 'suspended' {
  return state === 'live' && suspended !== undefined ? 'suspended' : state
}

interface Liveness {
  readonly live: boolean
  readonly reason: string | null
}

/**
 * Whether a capability can answer now. Without a handler it needs a live provider of its own; with one, a live provider of one
 * of the ports it uses, its own among them where vendors serve that; a handler that uses no port always can. The reason says for each port what would make it live.
 */
export function livenessOf(id: string, known: Known): Liveness {
  return look(id, known, new Set())
}

function look(id: string, known: Known, seen: Set<string>): Liveness {
  const { capability, handler } = known.capabilities.get(id) ?? {}
  if (capability === undefined || handler === null || handler === undefined) return portLiveness(id, known)
  seen.add(id)
  const used = (capability.uses ?? []).map((port) => port.id)
  const own = used.includes(id) || (known.ports.get(id)?.all ?? []).length > 0
  const others = used.filter((port) => !seen.has(port))
  if (used.length === 0 && !own) return { live: true, reason: null }
  const found = [...(own || others.length === 0 ? [portLiveness(id, known)] : []), ...others.map((port) => look(port, known, seen))]
  if (found.some(({ live }) => live)) return { live: true, reason: null }
  return { live: false, reason: found.map(({ reason }) => reason).join('. ') }
}

function portLiveness(id: string, { ports, variable }: Known): Liveness {
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
