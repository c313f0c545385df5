import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { NAME_MS, NOT_LOOKED_UP } from './name-servers.js'

/** Once all slots of a domain are held by lookups older than this many milliseconds, waiting names are refused: they could not be resolved in time. */
const LATE_MS = 1_000
const LATE = 'the name servers of the domain do not answer'

/** The caller of a lookup, and the signal that it is no longer needed. */
export interface Requester {
  /** Whose share of the lookups it counts against. */
  readonly caller: string
  /** Calls the listener when the caller has left, at once if it already has; the returned function removes it. */
  readonly onLeave: (listener: () => void) => () => void
}

/** The requester of a call, from its cancel signal. */
export function requesterOf(cancel: Cancel): Requester {
  return { caller: cancel.caller, onLeave: (listener) => cancel.onCancel(listener) }
}

/** Limits of lookups in flight. */
export interface Bounds {
  readonly inAll: number
  readonly byCaller: number
  /** For names of one registered domain. */
  readonly byDomain: number
  /** Waiting names of one caller. */
  readonly waiting: number
}

/** A lookup in flight. */
export interface RunningLookup {
  readonly answer: Promise<readonly string[]>
  readonly cancel: () => void
}

/** The name was not looked up: the queue was full or slow, or the caller left. */
export class NotLookedUp extends Error {
  readonly code = NOT_LOOKED_UP
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

/** A queue of name lookups: concurrent lookups of one name are shared, the number in flight is limited, callers take turns, and lookups without a waiting caller are cancelled. */
export class NameQueue {
  readonly #bounds: Bounds
  readonly #clock: Clock
  readonly #start: (name: string) => RunningLookup
  readonly #lookups = new Map<string, Lookup>()
  readonly #byCaller = new Map<string, number>()
  readonly #byDomain = new Map<string, number>()
  /** Waiters by caller; the caller served longest ago first. */
  readonly #waiting = new Map<string, Set<Waiter>>()

  constructor(bounds: Bounds, clock: Clock, start: (name: string) => RunningLookup) {
    this.#bounds = bounds
    this.#clock = clock
    this.#start = start
  }

  /** The addresses, within 2 s. Rejects with the error of the lookup, ETIMEOUT after 2 s, or NotLookedUp. */
  lookUp(name: string, { caller, onLeave }: Requester): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { name, domain: registeredDomain(name), caller, resolve, reject, forget: [], lookup: null }
      const lookup = this.#lookups.get(name)
      if (lookup !== undefined) join(waiter, lookup)
      else if (this.#fits(waiter)) this.#begin(waiter)
      else {
        const refused = this.#enqueue(waiter)
        if (refused !== null) return reject(new NotLookedUp(refused))
      }
      waiter.forget.push(onLeave(() => this.#leave(waiter, 'the lookup was stopped')))
    })
  }

  /** Lookups in flight. */
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

  /** Adds a waiter; returns the reason when it is refused. */
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
    waiter.reject(new NotLookedUp(why))
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

  /** Starts waiting lookups while there are free slots, one of each caller in turn. */
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

/** Second-level labels of country codes below which domains are registered. */
const CATEGORIES = new Set(
  'ac ad asn co com conf ed edu firm gen go gob gouv gov govt id ind info lg ltd me mil ne net nhs nom or org plc police pro sch tm'.split(
    ' ',
  ),
)

/** The registered domain of a name, judged by its form: the last two labels, three below suffixes such as `co.uk`. */
export function registeredDomain(name: string): string {
  const labels = name.toLowerCase().replace(/\.$/, '').split('.')
  const country = (labels.at(-1) ?? '').length === 2
  return labels.slice(country && CATEGORIES.has(labels.at(-2) ?? '') ? -3 : -2).join('.')
}
