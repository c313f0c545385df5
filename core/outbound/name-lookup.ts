import type { Resolver as DnsResolver } from 'node:dns/promises'
import type { Clock } from '../runtime/clock.js'
import { NAME_MS, type NameServers, isUnknown } from './name-servers.js'
import { codeOf } from '../problems/own-lack.js'

/** Wait for the other kind of address once one is known, in milliseconds: some name servers never answer for AAAA. */
const OTHER_MS = 250
/** Failures of one server after which the next is tried. */
const TRY_NEXT = new Set(['ESERVFAIL', 'EREFUSED', 'ENOTIMP', 'EFORMERR', 'EBADRESP'])

interface Outcome {
  readonly addresses: readonly string[]
  readonly error: Error | null
}

/** One lookup of all addresses of a name, over its own sockets. */
export class NameLookup {
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

  async #form(form: string): Promise<Outcome> {
    for (let skipped = 0; ; skipped++) {
      if (this.#stopped) throw Object.assign(new Error('the lookup was cancelled'), { code: 'ECANCELLED' })
      const outcome = await this.#both(form, this.#servers.open(NAME_MS, skipped))
      if (!TRY_NEXT.has(codeOf(outcome.error)) || skipped + 1 >= this.#servers.count) return outcome
    }
  }

  async #both(form: string, resolver: DnsResolver): Promise<Outcome> {
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

async function outcomeOf(lookup: Promise<string[]>): Promise<Outcome> {
  try {
    return { addresses: await lookup, error: null }
  } catch (error) {
    return { addresses: [], error: error instanceof Error ? error : new Error(String(error)) }
  }
}
