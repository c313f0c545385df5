/** The seven ways a provider's attempt can end without a result. What follows from each is the core's decision. */
export const FAULT_KINDS = ['invalid', 'missing', 'blocked', 'busy', 'quota', 'credentials', 'broken'] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/**
 * What kept a foreign host from answering: `refused` the connection was refused, or there is no route; `silent` no answer in time; `too-large` more
 * than the limit; `server-failure` the name servers answered that they cannot tell (SERVFAIL); `private` its address is not public; `untrusted` its certificate is not trusted; `queue` it was not asked, since
 * too many requests of this gateway wait for the same place.
 */
export const OBSTACLES = ['refused', 'silent', 'too-large', 'server-failure', 'private', 'untrusted', 'queue'] as const
export type Obstacle = (typeof OBSTACLES)[number]

export interface FaultOptions {
  /** For the log and the operator; never shown to a caller. */
  internal?: string
  /** For `busy`: how long the vendor asked us to wait. */
  retryAfterSeconds?: number
  /** For `invalid`: the field at fault, as a path such as ["url"]. */
  loc?: readonly (string | number)[]
  /** What the caller can do, as a sentence, in place of what the problem page says of all such failures. */
  remedy?: string
  /** For a port that acts on the world: the request may have been carried out. */
  ambiguous?: boolean
  /** The work was ended at its limit of time or memory: a call that fails so counts against its account like one that was given up. */
  costly?: boolean
  /** Status of the vendor's reply that was read as this Fault; set by the core. */
  status?: number
  /**
   * What was asked for could not be reached for now, such as a host whose name was not resolved in time: `blocked` is told to the caller as
   * `target-unavailable`, and nothing is held against the provider. Of `missing`: the gateway's machine lacks what the request needs, which its operator
   * can install: `capability-unavailable`.
   */
  unavailable?: boolean
  /**
   * Of `missing`: the provider could not look (no server for it, a closed port, no model), so its answer says nothing of whether there is a result.
   * It never outranks a provider that failed, is not kept in the cache nor under an Idempotency-Key, and is no reason to suspend anybody.
   */
  inconclusive?: boolean
  /** Nobody else would find more, as of a page that does not exist: no further provider is asked. */
  final?: boolean
  /** Set by the core, where it is one of these. */
  obstacle?: Obstacle
  cause?: unknown
}

const MARK = Symbol.for('capstan.fault')

/**
 * The only error a plugin throws. The message is a public sentence: no secret, no host of ours, no vendor body.
 * `invalid` the request cannot be served as it is; `missing` nothing found; `blocked` the target refused;
 * `busy` timeout, 429 or 503; `quota` the vendor account is used up; `credentials` the key was refused; `broken` anything else.
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

  /** True for a Fault of any copy of the sdk, so that a plugin with its own copy is still understood. */
  static is(value: unknown): value is Fault {
    return value instanceof Error && MARK in value
  }
}

/**
 * A provider that could not look says less than one that failed. A vendor's `invalid` comes last: another might take the request; our own ends the
 * call before.
 */
const ORDER = ['blocked', 'missing', 'busy', 'quota', 'credentials', 'broken', 'inconclusive', 'invalid']

/**
 * Of the failures of several providers the one most useful to the caller; of busy ones the shortest wait, and one that was asked before one that was
 * not (`queue`). `broken` when there is none.
 */
export function mostUseful(faults: readonly Fault[]): Fault {
  const [first, ...rest] = faults
  if (first === undefined) return new Fault('broken', 'No provider could be asked.')
  return rest.reduce((best, fault) => {
    const difference = rank(fault) - rank(best)
    if (difference !== 0) return difference < 0 ? fault : best
    return (fault.retryAfterSeconds ?? Infinity) < (best.retryAfterSeconds ?? Infinity) ? fault : best
  }, first)
}

/** Whether there is no result for certain: a provider looked. Only such a `missing` may be kept and repeated. */
export function isDefinite({ kind, inconclusive, unavailable }: Fault): boolean {
  return kind === 'missing' && !inconclusive && !unavailable
}

function rank(fault: Fault): number {
  const place = ORDER.indexOf(fault.kind === 'missing' && !isDefinite(fault) ? 'inconclusive' : fault.kind)
  return fault.obstacle === 'queue' ? place + 0.5 : place
}
