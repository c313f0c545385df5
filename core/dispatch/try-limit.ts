import type { LoadedPort, LoadedProvider } from '../loader/types.js'
import { tryLimit } from '../sdk/index.js'

/** Default limit of one try of a plain HTTP provider, in milliseconds. */
const HTTP_TRY_MS = 10_000
/** Time that a provider without a limit leaves for the following ones, in milliseconds. */
const RESERVED_MS = 10_000
/** A timeout below this that the call, not the provider, set is inconclusive, in milliseconds. */
const CONCLUSIVE_MS = 10_000
/** A provider without an answer within this in an optional part hangs, unless it is usually slower, in milliseconds. */
export const FAIR_MS = 3_000

export interface TryLimit {
  /** Milliseconds; Infinity for all that is left of the call. */
  readonly ms: number
  /** Whether one timeout proves an outage; otherwise only many in a row do. */
  readonly conclusive: boolean
  /** Idle limit: the try ends after this long without a byte transferred, in milliseconds. */
  readonly idleMs: number
}

interface TryOrder {
  readonly port: LoadedPort
  readonly provider: LoadedProvider
  readonly input: unknown
  /** Milliseconds left of the call. */
  readonly left: number
  /** It serves an optional part of the call. */
  readonly optional?: boolean | undefined
  /** The request of a plain HTTP provider contains files, which may be of any size. */
  readonly streams?: boolean
}

/**
 * The time limit of one try. A provider's own `timeoutMs` applies; without one, a plain HTTP provider gets 10 s and any
 * other the remaining time of the call. While another provider follows (`waits`), one without `timeoutMs` leaves 10 s
 * of the remaining time, at most half of it, except on a port with external effects, where no other provider is called
 * after an unknown outcome. In an optional part of the call, one with a `timeoutMs` leaves as much too. A plain HTTP
 * provider without `timeoutMs` that sends files has an idle limit of 10 s instead. Timeouts of local
 * providers, and of tries limited below 10 s by the call's input, are inconclusive.
 * Throws what the provider's `timeoutMs` throws.
 */
export function limitOf({ port, provider, input, left, streams = false, optional = false }: TryOrder, waits: () => boolean): TryLimit {
  const { contribution, kind } = provider
  const own = tryLimit(contribution, input)
  let ms = own ?? (contribution.http === undefined || streams ? Infinity : HTTP_TRY_MS)
  const leaves = own === undefined || optional
  if (leaves && ms > left / 2 && port.port.once !== true && waits()) ms = Math.min(ms, Math.max(left / 2, left - RESERVED_MS))
  const idleMs = own === undefined && streams ? HTTP_TRY_MS : Infinity
  const isWhole = typeof contribution.timeoutMs === 'number' && ms === own
  return { ms, idleMs, conclusive: kind !== 'local' && (isWhole || ms >= (optional ? FAIR_MS : CONCLUSIVE_MS)) }
}
