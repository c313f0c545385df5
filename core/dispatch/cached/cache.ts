import { randomUUID } from 'node:crypto'
import type { Cancel } from '../../runtime/cancel.js'
import type { Clock } from '../../runtime/clock.js'
import { Stopped } from '../../problems/errors.js'
import { pause } from '../../runtime/pause.js'
import { Problem } from '../../problems/problem.js'
import { Fault } from '../../sdk/index.js'
import { isMissing, MOST_BYTES } from './entry.js'
import { Flight } from './flight.js'
import type { Kept, MemoryEntries } from './memory.js'
import { LEASE_MS, type RedisEntries } from './redis.js'

/** How long what another replica loads is waited for before it is loaded here too, in milliseconds. */
const THEIRS_MS = 15_000
/** Between two looks whether another replica is ready, at first and at last, in milliseconds. */
const FIRST_LOOK_MS = 25
const LAST_LOOK_MS = 400
/** A load behind calls may take so long, and one that failed is not repeated sooner, in milliseconds. */
const BEHIND_MS = 30_000
const AGAIN_MS = 5_000

/** One value as it is asked for. */
export interface CacheOrder {
  /** A digest. */
  readonly id: string
  readonly freshMs: number
  readonly staleMs: number
  readonly missingMs: number
  /** Whether a text that was found in Redis is one of these. */
  readonly fits: (text: string) => boolean
  /** Makes the text of an entry. */
  readonly load: (cancel: Cancel) => Promise<string>
  /** Of the one who asks. */
  readonly cancel: Cancel
}

interface CacheDeps {
  readonly clock: Clock
  readonly memory: MemoryEntries
  /** Null where this gateway shares nothing. */
  readonly shared: RedisEntries | null
  /** Keeps work that outlives its call until it has settled. */
  readonly behind: (cancel: Cancel, work: Promise<unknown>) => void
}

/** Texts of entries that calls share: from memory, from Redis, or loaded once for all who wait. */
export class EntryCache {
  readonly #deps: CacheDeps
  readonly #flights = new Map<string, Flight>()
  /** Ids of stale values that are being loaded behind calls, and until when those that could not be are left alone. */
  readonly #behind = new Map<string, number>()

  constructor(deps: CacheDeps) {
    this.#deps = deps
  }

  /** Rejects as the load does, and with Stopped when the one who asks is stopped. */
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

  /** Of a text in memory that is not what the one who asks takes, such as that of a plugin before its reload. */
  forget(id: string): void {
    this.#deps.memory.delete(id)
  }

  #begin(order: CacheOrder): Flight {
    const { clock } = this.#deps
    const flight: Flight = new Flight(clock, order.cancel, {
      work: (cancel) => this.#obtained(order, cancel),
      ended: () => {
        if (this.#flights.get(order.id) === flight) this.#flights.delete(order.id)
      },
    })
    this.#flights.set(order.id, flight)
    return flight
  }

  /** Loads behind the call that found a stale value; at most once at a time, and not soon again after a failure. */
  #renew(order: CacheOrder): void {
    const { clock, behind } = this.#deps
    const { id } = order
    if ((this.#behind.get(id) ?? 0) > clock.monotonic()) return
    this.#behind.set(id, clock.monotonic() + BEHIND_MS)
    const { caller, patienceMs } = order.cancel
    const flight: Flight = new Flight(
      clock,
      { deadline: clock.monotonic() + BEHIND_MS, caller, patienceMs },
      {
        work: (cancel) => this.#obtained(order, cancel, true),
        ended: () => undefined,
      },
    )
    const settled = flight.join(flight.cancel).then(
      () => this.#behind.delete(id),
      () => {
        this.#behind.set(id, clock.monotonic() + AGAIN_MS)
        clock.after(AGAIN_MS, () => this.#behind.delete(id))
      },
    )
    behind(flight.cancel, settled)
  }

  /** From Redis, or loaded here: with the lease on it, while Redis is away, or when another replica takes too long. Behind calls only a fresh value will do, and one that another replica loads is left to it. */
  async #obtained(order: CacheOrder, cancel: Cancel, behind = false): Promise<string> {
    const { clock, shared } = this.#deps
    if (shared === null) return await this.#loaded(order, cancel, null)
    const token = randomUUID()
    const giveUp = clock.monotonic() + THEIRS_MS
    let ignore = false
    for (let wait = FIRST_LOOK_MS; ; wait = Math.min(2 * wait, LAST_LOOK_MS)) {
      const asked = clock.monotonic()
      const found = await shared.look(order.id, { token, leastMs: behind ? order.staleMs : 0, ignore })
      if (cancel.reason !== null) {
        if (found.state === 'ours') shared.end(order.id, token, { text: '', ms: 0 })
        throw new Stopped(cancel.reason)
      }
      if (found.state === 'kept') {
        if (order.fits(found.text)) return this.#keep(order, found.text, asked, found.leftMs)
        ignore = true
      } else if (found.state === 'ours') return await this.#loaded(order, cancel, token)
      else if (found.state === 'away' || (clock.monotonic() >= giveUp && !behind)) return await this.#loaded(order, cancel, null)
      else if (behind) throw new Stopped('over')
      else await pause(wait, cancel, clock, (reason) => new Stopped(reason))
    }
  }

  async #loaded(order: CacheOrder, cancel: Cancel, token: string | null): Promise<string> {
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

  /** Keeps a text in memory that has so long to live; what is in Redis may say more than this plugin keeps it for. */
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

/** Failures that say nothing to the others who wait: the first one's time was over, or its account or the gateway lacks something. */
function isOfOne(error: unknown): boolean {
  return error instanceof Stopped || error instanceof Problem || (Fault.is(error) && error.cause instanceof Problem)
}
