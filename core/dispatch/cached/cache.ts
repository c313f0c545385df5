import { LRUCache } from 'lru-cache'
import { randomUUID } from 'node:crypto'
import { settledOrStopped, Stopped } from '../../problems/errors.js'
import { Problem } from '../../problems/problem.js'
import { Cancel, pause } from '../../runtime/cancel.js'
import type { Clock } from '../../runtime/clock.js'
import { Fault } from '../../sdk/index.js'
import { isMissing, MOST_BYTES } from './entry.js'
import { LEASE_MS, type RedisEntries } from './redis.js'

/** How long to wait for another replica's load before loading here too, in milliseconds. */
const THEIRS_MS = 15_000
/** First and longest interval between checks whether another replica has loaded the value, in milliseconds. */
const FIRST_CHECK_MS = 25
const LAST_CHECK_MS = 400
/** Time limit of a background load, and the delay after a failed one, in milliseconds. */
const RENEWAL_MS = 30_000
const AGAIN_MS = 5_000

/** A request for one value. */
export interface CacheOrder {
  /** A digest. */
  readonly id: string
  readonly freshMs: number
  readonly staleMs: number
  readonly missingMs: number
  /** Whether a text from Redis is a valid entry. */
  readonly fits: (text: string) => boolean
  /** Makes the text of an entry. */
  readonly load: (cancel: Cancel) => Promise<string>
  /** Of the call that requests the value. */
  readonly cancel: Cancel
}

interface CacheDeps {
  readonly clock: Clock
  readonly memory: MemoryEntries
  /** Null where this gateway shares nothing. */
  readonly shared: RedisEntries | null
  /** Tracks background work until it has settled. */
  readonly background: (cancel: Cancel, work: Promise<unknown>) => void
}

/** Cached texts that calls share: from memory, from Redis, or loaded once for all waiting calls. */
export class EntryCache {
  readonly #deps: CacheDeps
  readonly #flights = new Map<string, Flight>()
  /** Ids of stale values that are being reloaded or wait after a failure, with the end of that time. */
  readonly #renewals = new Map<string, number>()

  constructor(deps: CacheDeps) {
    this.#deps = deps
  }

  /** Rejects as the load does, and with Stopped when the requesting call is stopped. */
  async get(order: CacheOrder): Promise<string> {
    const { id, cancel } = order
    for (;;) {
      if (cancel.reason !== null) throw new Stopped(cancel.reason)
      const kept = this.#deps.memory.get(id)
      if (kept !== null) {
        if (kept.freshUntil <= this.#deps.clock.monotonic()) this.#renew(order)
        return kept.text
      }
      const joined = this.#flights.get(id)
      try {
        return await (joined ?? this.#begin(order)).join(cancel)
      } catch (error) {
        if (joined === undefined || cancel.cancelled || !isOfOne(error)) throw error
      }
    }
  }

  /** Deletes a text from memory that does not fit the requested shape, such as from before a reload of the plugin. */
  forget(id: string): void {
    this.#deps.memory.delete(id)
  }

  #begin(order: CacheOrder): Flight {
    const { clock } = this.#deps
    const flight: Flight = new Flight(clock, order.cancel, {
      work: (cancel) => this.#obtain(order, cancel),
      ended: () => {
        if (this.#flights.get(order.id) === flight) this.#flights.delete(order.id)
      },
    })
    this.#flights.set(order.id, flight)
    return flight
  }

  /** Reloads a stale value in the background: one load at a time, with a delay after a failure. */
  #renew(order: CacheOrder): void {
    const { clock, background } = this.#deps
    const { id } = order
    if ((this.#renewals.get(id) ?? 0) > clock.monotonic()) return
    this.#renewals.set(id, clock.monotonic() + RENEWAL_MS)
    const { caller, patienceMs } = order.cancel
    const flight: Flight = new Flight(
      clock,
      { deadline: clock.monotonic() + RENEWAL_MS, caller, patienceMs },
      { work: (cancel) => this.#obtain(order, cancel, true), ended: () => undefined },
    )
    const settled = flight.join(flight.cancel).then(
      () => this.#renewals.delete(id),
      () => {
        this.#renewals.set(id, clock.monotonic() + AGAIN_MS)
        clock.after(AGAIN_MS, () => this.#renewals.delete(id))
      },
    )
    background(flight.cancel, settled)
  }

  /**
   * From Redis, or loaded here: with the lease, while Redis is unavailable, or when another replica takes too long.
   * A background load (`background`) accepts only a fresh value, and stops when another replica holds the lease.
   */
  async #obtain(order: CacheOrder, cancel: Cancel, background = false): Promise<string> {
    const { clock, shared } = this.#deps
    if (shared === null) return await this.#load(order, cancel, null)
    const token = randomUUID()
    const giveUp = clock.monotonic() + THEIRS_MS
    let ignore = false
    for (let wait = FIRST_CHECK_MS; ; wait = Math.min(2 * wait, LAST_CHECK_MS)) {
      const requested = clock.monotonic()
      const found = await shared.find(order.id, { token, leastMs: background ? order.staleMs : 0, ignore })
      if (cancel.reason !== null) {
        if (found.state === 'ours') shared.end(order.id, token, { text: '', ms: 0 })
        throw new Stopped(cancel.reason)
      }
      if (found.state === 'kept') {
        if (order.fits(found.text)) return this.#keep(order, found.text, requested, found.leftMs)
        ignore = true
      } else if (found.state === 'ours') return await this.#load(order, cancel, token)
      else if (found.state === 'away' || (clock.monotonic() >= giveUp && !background)) return await this.#load(order, cancel, null)
      else if (background) throw new Stopped('over')
      else await pause(wait, cancel, clock, (reason) => new Stopped(reason))
    }
  }

  async #load(order: CacheOrder, cancel: Cancel, token: string | null): Promise<string> {
    const { clock, shared } = this.#deps
    const { id } = order
    const stop = token === null ? () => undefined : clock.every(LEASE_MS / 3, () => shared?.renew(id, token))
    let result: { readonly text: string; readonly ms: number } = { text: '', ms: 0 }
    try {
      const text = await order.load(cancel)
      const ms = Buffer.byteLength(text) > MOST_BYTES ? 0 : lifeOf(order, text)
      result = { text: ms === 0 ? '' : text, ms }
      return ms === 0 ? text : this.#keep(order, text, clock.monotonic(), ms)
    } finally {
      stop()
      if (token !== null || result.ms > 0) shared?.end(id, token ?? '', result)
    }
  }

  /** Keeps a text in memory for `leftMs`, at most for this plugin's own lifetime of the value. */
  #keep(order: CacheOrder, text: string, now: number, leftMs: number): string {
    const left = Math.min(leftMs, lifeOf(order, text))
    const until = now + left
    const kept: Kept = { text, until, freshUntil: isMissing(text) ? until : until - order.staleMs }
    if (left > 0) this.#deps.memory.set(order.id, kept)
    return text
  }
}

function lifeOf({ freshMs, staleMs, missingMs }: CacheOrder, text: string): number {
  return isMissing(text) ? missingMs : freshMs + staleMs
}

/** Failures that concern only the call that loads: its time ended, or its account or the gateway lacks something. */
function isOfOne(error: unknown): boolean {
  return error instanceof Stopped || error instanceof Problem || (Fault.is(error) && error.cause instanceof Problem)
}

/** A running load and the number of calls that wait for it. It stops at its deadline and when no call waits for it. */
class Flight {
  readonly cancel: Cancel
  readonly #work: Promise<string>
  #waiting = 0

  /** `ended` is called when the load has ended or accepts no further calls. */
  constructor(
    clock: Clock,
    { deadline, caller, patienceMs }: Pick<Cancel, 'deadline' | 'caller' | 'patienceMs'>,
    { work, ended }: { readonly work: (cancel: Cancel) => Promise<string>; readonly ended: () => void },
  ) {
    this.cancel = new Cancel(clock, deadline, caller, patienceMs)
    const stop = clock.after(this.cancel.timeLeft(), () => this.cancel.cancel('deadline'))
    this.cancel.onCancel(ended)
    this.#work = settledOrStopped(work(this.cancel), this.cancel).finally(() => {
      stop()
      ended()
    })
    // `join` passes the failure to the waiting calls.
    this.#work.catch(() => undefined)
  }

  /** The loaded text. Rejects as the load does, or with Stopped when the waiting call is stopped first. */
  async join(cancel: Cancel): Promise<string> {
    this.#waiting++
    try {
      return await settledOrStopped(this.#work, cancel)
    } finally {
      this.#waiting--
      // No effect on a load that has settled.
      if (this.#waiting === 0) this.cancel.cancel('over')
    }
  }
}

/** Bytes of a cached text beside its characters: its name, its times and its table entries. */
const OVERHEAD = 300

/** A text and its validity on the monotonic clock, in milliseconds. */
interface Kept {
  readonly text: string
  /** From then on it is stale. */
  readonly freshUntil: number
  readonly until: number
}

/** Cached texts in this process's memory; the least recently used are evicted. */
export class MemoryEntries {
  readonly #clock: Clock
  readonly #kept: LRUCache<string, Kept>

  /** `most` bytes together, two for each character. */
  constructor(clock: Clock, most: number) {
    this.#clock = clock
    this.#kept = new LRUCache({ maxSize: most, sizeCalculation: ({ text }) => 2 * text.length + OVERHEAD })
  }

  /** The entry if it has not expired. */
  get(id: string): Kept | null {
    const kept = this.#kept.get(id)
    if (kept === undefined) return null
    if (kept.until > this.#clock.monotonic()) return kept
    this.#kept.delete(id)
    return null
  }

  delete(id: string): void {
    this.#kept.delete(id)
  }

  set(id: string, kept: Kept): void {
    this.#kept.set(id, kept)
  }
}
