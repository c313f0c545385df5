import type { Cancel, CancelReason } from './cancel.js'
import type { Clock } from './clock.js'

/** How many of the latest runs the expected waiting time is taken from. */
const RUNS = 100
/** What a run is taken to last before any has ended, in milliseconds. */
const UNKNOWN_RUN_MS = 1_000
/** More never wait, however short the runs. */
const MOST_WAITING = 10_000
const LONGEST_RETRY_S = 60
/** So long after it asked last a caller is one that may ask again, in milliseconds. */
const RECENT_MS = 60_000
/** Places in the line are told no more often than this, in milliseconds. */
const TELL_MS = 500

/** No place was given: the queue is too long (`full`), a place was waited for in vain (`late`), or the work was stopped first. */
export class NoPlace extends Error {
  override readonly name = 'NoPlace'
  readonly reason: 'full' | 'late' | CancelReason
  readonly retryAfterSeconds: number

  constructor(reason: 'full' | 'late' | CancelReason, expectedMs: number) {
    super(`no place: ${reason}`)
    this.reason = reason
    this.retryAfterSeconds = Math.min(LONGEST_RETRY_S, Math.max(1, Math.ceil(expectedMs / 1000)))
  }
}

interface SemaphoreOptions {
  readonly mostBytes?: number
  readonly mostOfOne?: number
  readonly unknownRunMs?: number
  readonly keepsOne?: boolean
}

/** Work that gives its place up: once it has held it for `afterMs`, `end` is called when a caller that holds none waits; true when that ended it. */
export interface Preemptible {
  readonly afterMs: number
  readonly end: () => boolean
}

interface Waiting {
  readonly bytes: number
  readonly start: () => void
}

/** Told the place in the line, from 1, when the wait begins and as it changes; it may also grow, since callers take turns. */
export type OnPosition = (position: number) => void

/**
 * A bounded number of places. Who waits is served in turns, one caller after the other and each caller's work in its order, so that nobody's
 * flood holds up the others; who would wait longer than its patience, or than half of the time it has left, is refused at once. While
 * several ask, the last free place is for one that holds less than half of all; with `keepsOne` it is always for one that holds none, whoever
 * asked before: nobody's long work keeps all the others waiting.
 */
export class Semaphore {
  readonly #clock: Clock
  readonly #size: number
  readonly #mostBytes: number
  readonly #mostOfOne: number
  readonly #unknownRunMs: number
  readonly #keepsOne: boolean
  /** By caller, in the order of their turns. */
  readonly #queues = new Map<string, Waiting[]>()
  /** Milliseconds of the latest runs. */
  readonly #runs: number[] = []
  /** Places by caller. */
  readonly #held = new Map<string, number>()
  /** Who asked last and when, and who did of all others. */
  #latest = { caller: '', at: -Infinity }
  #other = { caller: '', at: -Infinity }
  /** Who of those that wait wants to know the place in the line, and what it was told last. */
  readonly #watchers = new Map<Waiting, { readonly tell: OnPosition; reported: number }>()
  #telling = false
  /** Work that has held its place long enough to give it up, the longest first, and whether it was ended. */
  readonly #preemptible = new Map<Preemptible, boolean>()
  #free: number
  #waiting = 0
  #bytes = 0

  /**
   * `mostBytes` bounds what all who wait hold in memory; one caller may have half of it. `mostOfOne` is how many places one caller holds at
   * most while several ask, which leaves at least one in any case. `unknownRunMs` is what a run is taken to last before any has ended. With `keepsOne`, of two places or
   * more the last is never given to a caller that holds one.
   */
  constructor(
    clock: Clock,
    size: number,
    { mostBytes = Infinity, mostOfOne = Infinity, unknownRunMs = UNKNOWN_RUN_MS, keepsOne = false }: SemaphoreOptions = {},
  ) {
    this.#clock = clock
    this.#mostBytes = mostBytes
    this.#mostOfOne = mostOfOne
    this.#unknownRunMs = unknownRunMs
    this.#size = Math.max(1, size)
    this.#keepsOne = keepsOne && this.#size > 1
    this.#free = this.#size
  }

  /** True when nothing runs and nothing waits. */
  get idle(): boolean {
    return this.#free === this.#size
  }

  /** Throws NoPlace when `take` would refuse at once, without taking anything. */
  assertOpen(cancel: Cancel): void {
    if (!this.#admits(cancel.caller)) this.#mostMs(cancel, 0)
  }

  /** Waits for a place, while it holds `bytes` in memory; the returned function gives the place back, once. Rejects with NoPlace. */
  async take(cancel: Cancel, bytes = 0, onPosition?: OnPosition, preemptible?: Preemptible): Promise<() => void> {
    if (cancel.reason !== null) throw new NoPlace(cancel.reason, 0)
    const { caller } = cancel
    this.#note(caller)
    if (this.#admits(caller)) this.#enter(caller)
    else await this.#wait(cancel, bytes, onPosition)
    const started = this.#clock.monotonic()
    const kept = preemptible === undefined ? () => undefined : this.#makePreemptible(preemptible)
    let held = true
    return () => {
      if (!held) return
      held = false
      kept()
      this.#runs.push(this.#clock.monotonic() - started)
      if (this.#runs.length > RUNS) this.#runs.shift()
      this.#giveBack(caller)
    }
  }

  /** Makes work preemptible once it has held its place for `afterMs`; the returned function takes that back. */
  #makePreemptible(preemptible: Preemptible): () => void {
    const stop = this.#clock.after(preemptible.afterMs, () => {
      this.#preemptible.set(preemptible, false)
      this.#preempt()
    })
    return () => {
      stop()
      this.#preemptible.delete(preemptible)
    }
  }

  /** Ends preemptible work for callers that wait and hold no place, one for each. */
  #preempt(): void {
    let wanted = [...this.#queues.keys()].filter((caller) => !this.#held.has(caller)).length
    for (const [preemptible, ended] of this.#preemptible) {
      if (wanted === 0) return
      if (!ended && !preemptible.end()) continue
      if (this.#preemptible.has(preemptible)) this.#preemptible.set(preemptible, true)
      wanted--
    }
  }

  #note(caller: string): void {
    if (this.#latest.caller !== caller) this.#other = this.#latest
    this.#latest = { caller, at: this.#clock.monotonic() }
    // What was kept for others is free once they have not asked for long.
    this.#startWaiting()
  }

  /** Another caller has asked within the last minute. */
  isOneOfSeveral(caller: string): boolean {
    const { at } = this.#latest.caller === caller ? this.#other : this.#latest
    return this.#clock.monotonic() - at < RECENT_MS
  }

  #admits(caller: string): boolean {
    const held = this.#held.get(caller) ?? 0
    if (this.#keepsOne && this.#free === 1) return held === 0
    if (this.#free === 0 || !this.isOneOfSeveral(caller)) return this.#free > 0
    return held < this.#mostOfOne && (this.#free > 1 || 2 * held < this.#size)
  }

  #enter(caller: string): void {
    this.#free--
    this.#held.set(caller, (this.#held.get(caller) ?? 0) + 1)
  }

  /** How long a place may be waited for. Throws NoPlace when that is shorter than the wait is expected to be, or too much waits already. */
  #mostMs(cancel: Cancel, bytes: number): number {
    const { caller } = cancel
    const mostMs = Math.min(cancel.patienceMs, cancel.timeLeft() / 2)
    const places = Math.max(1, this.#keepsOne || this.isOneOfSeveral(caller) ? Math.min(this.#size - 1, this.#mostOfOne) : this.#size)
    const expectedMs = (this.#ahead(caller) * this.#median()) / places
    if (expectedMs > mostMs || this.#waiting >= MOST_WAITING || !this.#fits(caller, bytes)) throw new NoPlace('full', expectedMs)
    return mostMs
  }

  #wait(cancel: Cancel, bytes: number, onPosition: OnPosition | undefined): Promise<void> {
    const { caller } = cancel
    const mostMs = this.#mostMs(cancel, bytes)
    const position = this.#ahead(caller) + 1
    // Before it waits: a listener that throws or stops the work leaves nobody in the line.
    onPosition?.(position)
    if (cancel.reason !== null) throw new NoPlace(cancel.reason, 0)
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiting--
        this.#bytes -= bytes
        this.#watchers.delete(waiting)
        this.#moved()
        stop()
        forget()
      }
      const start = (): void => {
        end()
        resolve()
      }
      const leave = (reason: 'late' | CancelReason): void => {
        this.#remove(caller, waiting)
        end()
        reject(new NoPlace(reason, this.#median()))
      }
      const waiting: Waiting = { bytes, start }
      this.#waiting++
      this.#bytes += bytes
      const queue = this.#queues.get(caller)
      if (queue === undefined) this.#queues.set(caller, [waiting])
      else queue.push(waiting)
      this.#moved()
      const stop = this.#clock.after(mostMs, () => leave('late'))
      const forget = cancel.onCancel(leave)
      if (this.#preemptible.size > 0) this.#preempt()
      if (onPosition !== undefined) this.#watchers.set(waiting, { tell: onPosition, reported: position })
    })
  }

  /** The line has changed: soon everybody who asked is told, however often it changes until then. */
  #moved(): void {
    if (this.#telling || this.#watchers.size === 0) return
    this.#telling = true
    this.#clock.after(TELL_MS, () => {
      this.#telling = false
      this.#tell()
    })
  }

  #tell(): void {
    let position = 0
    for (const waiting of this.#line()) {
      position++
      const watcher = this.#watchers.get(waiting)
      if (watcher === undefined || watcher.reported === position) continue
      watcher.reported = position
      watcher.tell(position)
    }
  }

  /** Everybody who waits, in the order of service: the first of each caller, then the second of each. */
  #line(): Waiting[] {
    const queues = [...this.#queues.values()]
    const rounds = queues.reduce((most, { length }) => Math.max(most, length), 0)
    return Array.from({ length: rounds }, (_, round) => queues.flatMap((queue) => queue[round] ?? [])).flat()
  }

  /** How many start before the next of this caller: its own, and as many of each other caller as have their turns before. */
  #ahead(caller: string): number {
    const own = this.#queues.get(caller)?.length ?? 0
    let ahead = own
    let before = true
    for (const [other, { length }] of this.#queues)
      if (other === caller) before = false
      else ahead += Math.min(length, before ? own + 1 : own)
    return ahead
  }

  #median(): number {
    const sorted = this.#runs.toSorted((one, other) => one - other)
    return sorted[Math.floor(sorted.length / 2)] ?? this.#unknownRunMs
  }

  #fits(caller: string, bytes: number): boolean {
    const own = (this.#queues.get(caller) ?? []).reduce((sum, waiting) => sum + waiting.bytes, 0)
    return this.#bytes + bytes <= this.#mostBytes && own + bytes <= this.#mostBytes / 2
  }

  #remove(caller: string, gone: Waiting): void {
    const left = (this.#queues.get(caller) ?? []).filter((each) => each !== gone)
    if (left.length === 0) this.#queues.delete(caller)
    else this.#queues.set(caller, left)
  }

  #giveBack(caller: string): void {
    this.#free++
    const left = (this.#held.get(caller) ?? 0) - 1
    if (left > 0) this.#held.set(caller, left)
    else this.#held.delete(caller)
    this.#startWaiting()
  }

  /** Hands free places to the callers whose turn it is; each goes to the end of the line with what else it waits for. */
  #startWaiting(): void {
    for (const [caller, [next, ...rest]] of this.#queues) {
      if (this.#free === 0) return
      if (!this.#admits(caller)) continue
      this.#queues.delete(caller)
      if (rest.length > 0) this.#queues.set(caller, rest)
      if (next === undefined) continue
      this.#enter(caller)
      next.start()
    }
  }
}
