/** The seven ways in which a provider's attempt can end without a result. The core decides what follows from each. */
export const FAULT_KINDS = ['invalid', 'missing', 'blocked', 'busy', 'quota', 'credentials', 'broken'] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/**
 * Why a foreign host did not answer: `refused` the connection was refused, or there is no route; `silent` no answer in
 * time; `too-large` more than the limit; `server-failure` the name servers answered SERVFAIL; `private` its address is
 * not public; `untrusted` its certificate is not trusted; `queue` no request was sent, because too many requests of
 * this gateway wait for the same host.
 */
export const OBSTACLES = ['refused', 'silent', 'too-large', 'server-failure', 'private', 'untrusted', 'queue'] as const
export type Obstacle = (typeof OBSTACLES)[number]

export interface FaultOptions {
  /** For the log and the operator; never shown to a caller. */
  internal?: string
  /** For `busy`: the wait that the vendor requested. */
  retryAfterSeconds?: number
  /** For `invalid`: the field at fault, as a path such as ["url"]. */
  loc?: readonly (string | number)[]
  /** What the caller can do, as a sentence; replaces the general remedy of the problem. */
  remedy?: string
  /** For a port that acts on the world: the request may have been carried out. */
  ambiguous?: boolean
  /** The work reached its limit of time or memory: a call that fails by it counts as aborted. */
  costly?: boolean
  /** Status of the vendor's reply that became this Fault; set by the core. */
  status?: number
  /**
   * The target could not be reached for now, such as a host whose name was not resolved in time: callers get
   * `target-unavailable` for `blocked`, and it does not count against the provider. With `missing`: the gateway's
   * machine lacks what the request needs, which its operator can install; callers get `capability-unavailable`.
   */
  unavailable?: boolean
  /**
   * With `missing`: the provider could not search (no server for it, a closed port, no model), so that a result may
   * exist. It never outranks a failure of another provider, is not cached nor stored under an Idempotency-Key, and
   * suspends no provider. With `busy`: set by the core for a provider that ran out of its time.
   */
  inconclusive?: boolean
  /** No other provider can find more, for example because the page does not exist: no further provider is tried. */
  final?: boolean
  /** Set by the core if it is one of these. */
  obstacle?: Obstacle
  cause?: unknown
}

const MARK = Symbol.for('capstan.fault')

/**
 * The only error that a plugin throws. The message is a public sentence: no secret, no internal host, no body of a
 * vendor. `invalid` the request cannot be served as it is; `missing` nothing found; `blocked` the target refused;
 * `busy` timeout, 429 or 503; `quota` the vendor account is used up; `credentials` the key was rejected; `broken`
 * anything else.
 */
export class Fault extends Error {
  readonly kind: FaultKind
  readonly internal: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly loc: readonly (string | number)[] | undefined
  readonly remedy: string | undefined
  readonly ambiguous: boolean
  readonly costly: boolean
  readonly status: number | undefined
  readonly unavailable: boolean
  readonly inconclusive: boolean
  readonly final: boolean
  readonly obstacle: Obstacle | undefined
  readonly [MARK] = true

  constructor(kind: FaultKind, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Fault'
    this.kind = kind
    this.internal = options.internal
    this.retryAfterSeconds = options.retryAfterSeconds
    this.loc = options.loc
    this.remedy = options.remedy
    this.ambiguous = options.ambiguous ?? false
    this.costly = options.costly ?? false
    this.status = options.status
    this.unavailable = options.unavailable ?? false
    this.inconclusive = options.inconclusive ?? false
    this.final = options.final ?? false
    this.obstacle = options.obstacle
  }

  /** True for a Fault of any copy of the sdk, so that plugins may bundle their own. */
  static is(value: unknown): value is Fault {
    return value instanceof Error && MARK in value
  }
}

/**
 * A provider that could not search says less than one that failed. A vendor's `invalid` comes last: another vendor
 * might accept the request, and an `invalid` of our own ends the call earlier.
 */
const ORDER = ['blocked', 'missing', 'busy', 'quota', 'credentials', 'broken', 'inconclusive', 'invalid']

/**
 * The Fault among those of several providers that is most useful to the caller. Of several `busy` ones the shortest
 * wait; those of vendors that were called come before those that were not (`queue`). `broken` when there is none.
 */
export function mostUseful(faults: readonly Fault[]): Fault {
  const [first, ...rest] = faults
  if (first === undefined) return new Fault('broken', 'No provider is available.')
  return rest.reduce((best, fault) => {
    const difference = rank(fault) - rank(best)
    if (difference !== 0) return difference < 0 ? fault : best
    return (fault.retryAfterSeconds ?? Infinity) < (best.retryAfterSeconds ?? Infinity) ? fault : best
  }, first)
}

/** Whether there is certainly no result, because a provider searched. Only such a `missing` may be cached. */
export function isDefinite({ kind, inconclusive, unavailable }: Fault): boolean {
  return kind === 'missing' && !inconclusive && !unavailable
}

function rank(fault: Fault): number {
  const place = ORDER.indexOf(fault.kind === 'missing' && !isDefinite(fault) ? 'inconclusive' : fault.kind)
  return fault.obstacle === 'queue' ? place + 0.5 : place
}
