import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { NAME_MS, NOT_ASKED } from './name-servers.js'
import { registeredDomain } from './registered-domain.js'

/** Once all places of a domain are held by questions so old, in milliseconds, names that wait for one are refused: they would not be answered in time. */
const LATE_MS = 1_000
const LATE = 'the name servers of the domain are silent'

/** Who wants a name, and how to know that it is wanted no more. */
export interface Asker {
  /** Whose share of the questions it counts to. */
  readonly caller: string
  /** Calls back when nobody waits any more, at once when that is so; the returned function forgets the listener. */
  readonly onLeave: (listener: () => void) => () => void
}

/** The asker of a call, known by its stop signal. */
export function askerOf(cancel: Cancel): Asker {
  return { caller: cancel.caller, onLeave: (listener) => cancel.onCancel(listener) }
}

/** How many questions are in flight. */
export interface Bounds {
  readonly inAll: number
  readonly byCaller: number
  /** For names of one registered domain. */
  readonly byDomain: number
  /** Names of one caller that wait for their turn. */
  readonly waiting: number
}

/** A question on its way. */
export interface Asked {
  readonly answer: Promise<readonly string[]>
  readonly cancel: () => void
}

/** The name was not asked: too many were before it, or it was wanted no more. */
export class NotAsked extends Error {
  readonly code = NOT_ASKED
}

interface Lookup {
  readonly name: string
  readonly domain: string
  readonly caller: string
  late: boolean
  readonly waiters: Set<Waiter>
  readonly end: (settle: (waiter: Waiter) => void) => void
}

interface Waiter {
  readonly name: string
  readonly domain: string
  readonly caller: string
  readonly resolve: (addresses: readonly string[]) => void
  readonly reject: (error: unknown) => void
  readonly forget: (() => void)[]
  lookup: Lookup | null
}

/** Questions for names: the same name is asked once, so many at once, those that wait take turns by caller, and what nobody wants any more is dropped. */
export class NameQueue {
  readonly #bounds: Bounds
  readonly #clock: Clock
  readonly #start: (name: string) => Asked
  readonly #lookups = new Map<string, Lookup>()
  readonly #byCaller = new Map<string, number>()
  readonly #byDomain = new Map<string, number>()
  /** Who waits, by caller; the caller whose turn was longest ago first. */
  readonly #waiting = new Map<string, Set<Waiter>>()

  constructor(bounds: Bounds, clock: Clock, start: (name: string) => Asked) {
    this.#bounds = bounds
    this.#clock = clock
    this.#start = start
  }

  /** The addresses, within 2 s. Rejects with what the question ended with, ETIMEOUT after 2 s of it, or NotAsked. */
  ask(name: string, { caller, onLeave }: Asker): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { name, domain: registeredDomain(name), caller, resolve, reject, forget: [], lookup: null }
      const lookup = this.#lookups.get(name)
      if (lookup !== undefined) join(waiter, lookup)
      else if (this.#fits(waiter)) this.#begin(waiter)
      else {
        const refused = this.#enqueue(waiter)
        if (refused !== null) return reject(new NotAsked(refused))
      }
      waiter.forget.push(onLeave(() => this.#leave(waiter, 'the look-up was stopped')))
    })
  }

  /** Questions in flight. */
  get size(): number {
    return this.#lookups.size
  }

  #fits({ caller, domain }: Waiter): boolean {
    const { inAll, byCaller, byDomain } = this.#bounds
    if (this.#lookups.size >= inAll || (this.#byCaller.get(caller) ?? 0) >= byCaller) return false
    return (this.#byDomain.get(domain) ?? 0) < byDomain
  }

  #begin(first: Waiter): void {
    const { name, domain, caller } = first
    const { answer, cancel } = this.#start(name)
    const stop = this.#clock.after(NAME_MS, () =>
      lookup.end((waiter) => waiter.reject(Object.assign(new Error('no answer in time'), { code: 'ETIMEOUT' }))),
    )
    const wait = this.#clock.after(LATE_MS, () => {
      lookup.late = true
      this.#refuseLate(domain)
    })
    const lookup: Lookup = {
      name,
      domain,
      caller,
      late: false,
      waiters: new Set(),
      end: (settle) => {
        if (this.#lookups.get(name) !== lookup) return
        this.#lookups.delete(name)
        add(this.#byCaller, caller, -1)
        add(this.#byDomain, domain, -1)
        stop()
        wait()
        cancel()
        for (const waiter of lookup.waiters) {
          release(waiter)
          settle(waiter)
        }
        this.#advance()
      },
    }
    this.#lookups.set(name, lookup)
    add(this.#byCaller, caller, 1)
    add(this.#byDomain, domain, 1)
    join(first, lookup)
    for (const waiters of this.#waiting.values()) for (const waiter of waiters) if (waiter.name === name) this.#dequeue(waiter, lookup)
    answer.then(
      (addresses) => lookup.end((waiter) => waiter.resolve(addresses)),
      (error: unknown) => lookup.end((waiter) => waiter.reject(error)),
    )
  }

  /** Lets it wait for its turn, or says why not. */
  #enqueue(waiter: Waiter): string | null {
    const waiters = this.#waiting.get(waiter.caller) ?? new Set()
    if (waiters.size >= this.#bounds.waiting) return 'too many names are being looked up'
    if (this.#isLate(waiter.domain)) return LATE
    this.#waiting.set(waiter.caller, waiters.add(waiter))
    waiter.forget.push(this.#clock.after(NAME_MS, () => this.#leave(waiter, 'no turn in time')))
    return null
  }

  #isLate(domain: string): boolean {
    if ((this.#byDomain.get(domain) ?? 0) < this.#bounds.byDomain) return false
    return [...this.#lookups.values()].every((lookup) => lookup.domain !== domain || lookup.late)
  }

  #refuseLate(domain: string): void {
    if (!this.#isLate(domain)) return
    for (const waiters of this.#waiting.values()) for (const waiter of waiters) if (waiter.domain === domain) this.#leave(waiter, LATE)
  }

  #dequeue(waiter: Waiter, lookup: Lookup): void {
    const waiters = this.#waiting.get(waiter.caller)
    waiters?.delete(waiter)
    if (waiters?.size === 0) this.#waiting.delete(waiter.caller)
    join(waiter, lookup)
  }

  #leave(waiter: Waiter, why: string): void {
    release(waiter)
    waiter.reject(new NotAsked(why))
    const { lookup } = waiter
    if (lookup === null) {
      const waiters = this.#waiting.get(waiter.caller)
      waiters?.delete(waiter)
      if (waiters?.size === 0) this.#waiting.delete(waiter.caller)
      return
    }
    lookup.waiters.delete(waiter)
    if (lookup.waiters.size === 0) lookup.end(() => undefined)
  }

  /** Begins whatever has room now, one of each caller in turn. */
  #advance(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const waiters = this.#waiting.get(next.caller)
      waiters?.delete(next)
      this.#waiting.delete(next.caller)
      if (waiters !== undefined && waiters.size > 0) this.#waiting.set(next.caller, waiters)
      this.#begin(next)
    }
  }

  #next(): Waiter | null {
    if (this.#lookups.size >= this.#bounds.inAll) return null
    for (const waiters of this.#waiting.values()) for (const waiter of waiters) if (this.#fits(waiter)) return waiter
    return null
  }
}

function join(waiter: Waiter, lookup: Lookup): void {
  waiter.lookup = lookup
  lookup.waiters.add(waiter)
}

function release(waiter: Waiter): void {
  for (const forget of waiter.forget) forget()
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
