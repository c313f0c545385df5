import type { Resolver as DnsResolver } from 'node:dns/promises'
import type { Clock } from '../runtime/clock.js'
import { isUnknown, NAME_MS, type NameServers, SYSTEM_NAMES, type SystemNames } from './name-servers.js'
import { codeOf, noNameServer } from '../problems/own-shortage.js'
import { Fault, type Obstacle } from '../sdk/index.js'
import { NameQueue, NotLookedUp, type Requester, type RunningLookup } from './name-queue.js'

/** Wait for the other kind of address once one is known, in milliseconds: some name servers never answer for AAAA. */
const OTHER_MS = 250
/** Failures of one server after which the next is tried. */
const TRY_NEXT = new Set(['ESERVFAIL', 'EREFUSED', 'ENOTIMP', 'EFORMERR', 'EBADRESP'])

interface LookupOutcome {
  readonly addresses: readonly string[]
  readonly error: Error | null
}

/** One lookup of all addresses of a name, over its own sockets. */
class NameLookup {
  readonly #servers: NameServers
  readonly #clock: Clock
  #resolver: DnsResolver | null = null
  #stopped = false

  constructor(servers: NameServers, clock: Clock) {
    this.#servers = servers
    this.#clock = clock
  }

  /**
   * The addresses, at least one: of the first form of the search list that has any. Rejects with the error of the unmodified name
   * (see `isUnknown`), or with the first error after which other forms cannot succeed.
   */
  async addresses(name: string): Promise<readonly string[]> {
    let failure: Error | null = null
    for (const form of this.#servers.forms(name)) {
      const { addresses, error } = await this.#form(form)
      if (addresses.length > 0) return addresses
      if (error !== null && !isUnknown(error) && !TRY_NEXT.has(codeOf(error))) throw error
      if (form === name || failure === null) failure = error
    }
    throw failure ?? new Error('the resolver returned no address')
  }

  /** Cancels the lookup, which then rejects with ECANCELLED. */
  cancel(): void {
    this.#stopped = true
    this.#resolver?.cancel()
  }

  async #form(form: string): Promise<LookupOutcome> {
    for (let skipped = 0; ; skipped++) {
      if (this.#stopped) throw Object.assign(new Error('the lookup was cancelled'), { code: 'ECANCELLED' })
      const outcome = await this.#both(form, this.#servers.open(NAME_MS, skipped))
      if (!TRY_NEXT.has(codeOf(outcome.error)) || skipped + 1 >= this.#servers.count) return outcome
    }
  }

  async #both(form: string, resolver: DnsResolver): Promise<LookupOutcome> {
    this.#resolver = resolver
    const stops: (() => void)[] = []
    const lookups = [resolver.resolve4(form), resolver.resolve6(form)].map(async (lookup) => {
      const outcome = await outcomeOf(lookup)
      if (outcome.addresses.length > 0) stops.push(this.#clock.after(OTHER_MS, () => resolver.cancel()))
      return outcome
    })
    const outcomes = await Promise.all(lookups)
    for (const stop of stops) stop()
    const errors = outcomes.flatMap(({ error }) => (error === null ? [] : [error]))
    return {
      addresses: [...new Set(outcomes.flatMap(({ addresses }) => addresses))],
      error: errors.find((error) => !isUnknown(error)) ?? errors[0] ?? null,
    }
  }
}

async function outcomeOf(lookup: Promise<string[]>): Promise<LookupOutcome> {
  try {
    return { addresses: await lookup, error: null }
  } catch (error) {
    return { addresses: [], error: error instanceof Error ? error : new Error(String(error)) }
  }
}

/** Each occupies one of the two threads that such lookups may use, for ten seconds when a name server is silent. */
const AT_ONCE = 1

/** Lookups by the system's resolver, few at once: for names that no name server has; cannot be cancelled. */
export class SystemLookups {
  readonly #lookup: (name: string) => Promise<readonly string[]>
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(lookup: (name: string) => Promise<readonly string[]>) {
    this.#lookup = lookup
  }

  /** The addresses of a name, in turn; rejects without a lookup when it is no longer wanted by then. */
  async lookUp(name: string, wanted: () => boolean): Promise<readonly string[]> {
    if (this.#running < AT_ONCE) this.#running++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      if (!wanted()) throw Object.assign(new Error('the lookup was cancelled'), { code: 'ECANCELLED' })
      return [...new Set(await this.#lookup(name))]
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }
}

const NEGATIVE_MS = 5_000
const NEGATIVE_NAMES = 1_000
/** Each lookup in flight holds a socket. */
const UNTRUSTED = { inAll: 256, byCaller: 32, byDomain: 2, waiting: 128 } as const
const OWN = { inAll: 64, byCaller: 64, byDomain: 64, waiting: 256 } as const
/** The obstacle by error code of c-ares. */
const OBSTACLE_OF: ReadonlyMap<unknown, Obstacle> = new Map([
  ['ETIMEOUT', 'silent'],
  ['ESERVFAIL', 'server-failure'],
])
const OPERATOR: Requester = { caller: '', onLeave: () => () => undefined }

/** The caller of a lookup, and whether the name is the operator's own or a plugin's rather than a caller's. */
interface NameRequester extends Partial<Requester> {
  readonly own: boolean
}

/** Resolves names through the configured name server or the system's; at most 2 s. Failures are cached for 5 s. */
export class Resolver {
  readonly #clock: Clock
  readonly #servers: NameServers
  readonly #system: SystemLookups
  readonly #untrusted: NameQueue
  readonly #own: NameQueue
  readonly #failed = new Map<string, { readonly until: number; readonly fault: Fault }>()

  constructor(servers: NameServers, clock: Clock, { lookup }: SystemNames = SYSTEM_NAMES) {
    this.#clock = clock
    this.#servers = servers
    this.#system = new SystemLookups(lookup)
    this.#untrusted = new NameQueue(UNTRUSTED, clock, (name) => this.#lookup(name))
    this.#own = new NameQueue(OWN, clock, (name) => (servers.ofSystem ? this.#ownLookup(name) : this.#lookup(name)))
  }

  /**
   * All addresses of a name, at least one; a name that ends in a dot is absolute. Rejects with a Fault: `missing` for unknown names; `blocked` and
   * `unavailable` when there was no answer in time; one caused by a system error when this machine lacks resources.
   */
  async resolve(name: string, { own, ...requester }: NameRequester = { own: true }): Promise<readonly string[]> {
    if (/(^|\.)localhost\.?$/.test(name)) return ['127.0.0.1', '::1']
    const key = own ? `own ${name}` : name
    const failed = this.#failed.get(key)
    if (failed !== undefined && failed.until > this.#clock.monotonic()) throw failed.fault
    this.#failed.delete(key)
    const known = this.#servers.inHosts(name)
    if (known.length > 0) return known
    try {
      const { caller, onLeave } = { ...OPERATOR, ...requester }
      return await this.#servers.health.watch((onAway) => {
        const leaving = (listener: () => void): (() => void) => {
          onAway(listener)
          return onLeave(listener)
        }
        return (own ? this.#own : this.#untrusted).lookUp(name, { caller, onLeave: leaving })
      })
    } catch (error) {
      const fault = nameFault(error, { name: own ? null : name })
      if (!(error instanceof NotLookedUp) && !noNameServer(fault)) this.#remember(key, fault)
      throw fault
    }
  }

  /** Lookups of callers in flight. */
  get size(): number {
    return this.#untrusted.size
  }

  #lookup(name: string): RunningLookup {
    const lookup = new NameLookup(this.#servers, this.#clock)
    return { answer: lookup.addresses(name), cancel: () => lookup.cancel() }
  }

  #ownLookup(name: string): RunningLookup {
    const { answer, cancel } = this.#lookup(name)
    let wanted = true
    return {
      answer: this.#orSystem(name, answer, () => wanted),
      cancel: () => {
        wanted = false
        cancel()
      },
    }
  }

  /** Only the system may be able to resolve the operator's own names (mDNS, LDAP). */
  async #orSystem(name: string, answer: Promise<readonly string[]>, wanted: () => boolean): Promise<readonly string[]> {
    try {
      return await answer
    } catch (error) {
      if (!isUnknown(error) && codeOf(error) !== 'ECONNREFUSED') throw error
      try {
        return await this.#system.lookUp(name, wanted)
      } catch (other) {
        throw isUnknown(other) ? error : other
      }
    }
  }

  #remember(key: string, fault: Fault): void {
    if (this.#failed.size >= NEGATIVE_NAMES) this.#failed.clear()
    this.#failed.set(key, { until: this.#clock.monotonic() + NEGATIVE_MS, fault })
  }
}

/**
 * The Fault of a failed lookup: `missing` when the name is unknown, else `blocked` and `unavailable` with the sentence `unanswered`.
 * `name` is null for hosts of the operator, which only the log may name. The error is its cause.
 */
export function nameFault(
  error: unknown,
  { name, unanswered = 'the host name could not be resolved' }: { readonly name: string | null; readonly unanswered?: string },
): Fault {
  const code = codeOf(error)
  const obstacle = OBSTACLE_OF.get(code)
  const options = {
    internal: `dns: ${(error instanceof NotLookedUp ? '' : code) || (error instanceof Error ? error.message : 'failed')}`,
    cause: error,
    ...(obstacle === undefined ? {} : { obstacle }),
  }
  return isUnknown(error)
    ? name === null
      ? new Fault('missing', 'the host name is unknown', options)
      : new Fault('missing', `the host name ${name} is unknown`, { ...options, remedy: 'Check the spelling of the host name.' })
    : new Fault('blocked', unanswered, { ...options, unavailable: true })
}
