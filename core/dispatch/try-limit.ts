import type { LoadedPort, LoadedProvider } from '../loader/types.js'
import { tryLimit } from '../sdk/index.js'

/** Limit of one try of a plain HTTP provider that names none, in milliseconds. */
const HTTP_TRY_MS = 10_000
/** What a provider without a limit leaves for the ones behind it, in milliseconds. */
const RESERVED_MS = 10_000
/** A try that was given less than this by the call, not by its provider, says little when it runs out of time, in milliseconds. */
const TELLING_MS = 10_000
/** A provider that had so long in a part of a call and did not answer hangs, unless it is known to be slower, in milliseconds. */
export const FAIR_MS = 3_000

export interface TryLimit {
  /** Milliseconds; Infinity for all that is left of the call. */
  readonly ms: number
  /** Whether one try that used it up tells of an outage; otherwise only many in a row do. */
  readonly telling: boolean
  /** Without a byte on its way it ends before that, after so many milliseconds. */
  readonly idleMs: number
}

interface TryOrder {
  readonly port: LoadedPort
  readonly provider: LoadedProvider
  readonly input: unknown
  /** Milliseconds left of the call. */
  readonly left: number
  /** It is asked for a part that the call can do without. */
  readonly optional?: boolean | undefined
  /** The request of a plain HTTP provider holds files, which may be of any size. */
  readonly streams?: boolean
}

/**
 * How long one try may last. A provider's own `timeoutMs` counts; a plain HTTP provider without one gets 10 s and any other all that is left
 * of the call. While another provider waits behind it (`waits`), one without `timeoutMs` leaves 10 s of what is left, at most half of it,
 * except on a port that acts on the world, where nobody else is asked after an unknown outcome.
 * In a part that the call can do without, one with a `timeoutMs` leaves as much too.
 * A plain HTTP provider without one that sends files has 10 s without a byte on its way instead.
 * Local providers, and tries that got less than 10 s because of the call's input, are not telling: their target or the caller decided the time.
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
  return { ms, idleMs, telling: kind !== 'local' && (isWhole || ms >= (optional ? FAIR_MS : TELLING_MS)) }
}
