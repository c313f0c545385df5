import type { Cancel, CancelReason } from './cancel.js'
import type { Clock } from './clock.js'

/** Number of recent runs from which the waiting time is estimated. */
const RUNS = 100
/** Assumed duration of a run before any has ended, in milliseconds. */
const UNKNOWN_RUN_MS = 1_000
/** Most waiters, however short the runs. */
const MOST_WAITING = 10_000
const LONGEST_RETRY_S = 60
/** A caller counts as active for this long after its last request, in milliseconds. */
const RECENT_MS = 60_000
/** Least interval between reports of queue positions, in milliseconds. */
const REPORT_MS = 500

/** No slot was acquired: the queue is too long (`full`), the wait was too long (`late`), or the work was stopped. */
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

/** Work that can be preempted: once it has held its slot for `afterMs`, `end` is called when a caller without a slot waits; true when that ended it. */
export interface Preemptible {
  readonly afterMs: number
  readonly end: () => boolean
}

interface WaitingTaker {
  readonly bytes: number
  readonly start: () => void
}

/** Called with the queue position, from 1, when the wait begins and as it changes; it may also grow, since callers take turns. */
export type OnPosition = (position: number) => void

/**
 * A limited number of slots. Waiting callers are served in turn, each caller's work in its order, so that a flood of one caller does not
 * delay the others; work that would wait longer than its patience, or than half of its remaining time, is refused at once. While several
 * callers are active, the last free slot is for a caller that holds less than half of all; with `keepsOne` it is always for one that holds
 * none, so that long work of one caller never blocks all others.
 */
export class Semaphore {
  readonly #clock: Clock
  readonly #size: number
  readonly #mostBytes: number
  readonly #mostOfOne: number
  readonly #unknownRunMs: number
  readonly #keepsOne: boolean
  /** Queues by caller, in the order of their turns. */
  readonly #queues = new Map<string, WaitingTaker[]>()
  /** Milliseconds of the latest runs. */
  readonly #runs: number[] = []
  /** Held slots by caller. */
  readonly #held = new Map<string, number>()
  /** The last active caller and its time; below the last of all others. */
  #latest = { caller: '', at: -Infinity }
  #other = { caller: '', at: -Infinity }
  /** Waiters that want their queue position, and the last one reported. */
  readonly #watchers = new Map<WaitingTaker, { readonly report: OnPosition; reported: number }>()
  #reporting = false
  /** Work that has held its slot long enough to be preempted, the longest first, and whether it was ended. */
  readonly #preemptible = new Map<Preemptible, boolean>()
  #free: number
  #waiting = 0
  #bytes = 0

  /**
   * `mostBytes` limits the memory of all waiters; one caller may use half of it. `mostOfOne` is the most slots of one caller while several
   * are active, which leaves at least one in any case. `unknownRunMs` is the assumed duration of a run before any has ended. With `keepsOne`,
   * of two or more slots the last is never given to a caller that holds one.
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

  /** Throws NoPlace when `take` would refuse at once, without acquiring anything. */
  assertOpen(cancel: Cancel): void {
    if (!this.#admits(cancel.caller)) this.#mostMs(cancel, 0)
  }

  /** Waits for a slot, while the waiter holds `bytes` in memory; the returned function releases the slot, once. Rejects with NoPlace. */
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
      this.#release(caller)
    }
  }

  /** Makes work preemptible once it has held its slot for `afterMs`; the returned function undoes it. */
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

  /** Ends preemptible work for waiting callers without a slot, one for each. */
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
    // Slots reserved for others become free once these are no longer active.
    this.#startWaiting()
  }

  /** True when another caller was active within the last minute. */
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

  /** The longest wait for a slot. Throws NoPlace when the expected wait is longer, or the queue is full. */
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
    // Before it is queued: a listener that throws or stops the work leaves no waiter behind.
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
      const waiting: WaitingTaker = { bytes, start }
      this.#waiting++
      this.#bytes += bytes
      const queue = this.#queues.get(caller)
      if (queue === undefined) this.#queues.set(caller, [waiting])
      else queue.push(waiting)
      this.#moved()
      const stop = this.#clock.after(mostMs, () => leave('late'))
      const forget = cancel.onCancel(leave)
      if (this.#preemptible.size > 0) this.#preempt()
      if (onPosition !== undefined) this.#watchers.set(waiting, { report: onPosition, reported: position })
    })
  }

  /** The queue has changed: schedules one report to all watchers. */
  #moved(): void {
    if (this.#reporting || this.#watchers.size === 0) return
    this.#reporting = true
    this.#clock.after(REPORT_MS, () => {
      this.#reporting = false
      this.#report()
    })
  }

  #report(): void {
    let position = 0
    for (const waiting of this.#line()) {
      position++
      const watcher = this.#watchers.get(waiting)
      if (watcher === undefined || watcher.reported === position) continue
      watcher.reported = position
      watcher.report(position)
    }
  }

  /** All waiters in the order of service: the first of each caller, then the second of each. */
  #line(): WaitingTaker[] {
    const queues = [...this.#queues.values()]
    const rounds = queues.reduce((most, { length }) => Math.max(most, length), 0)
    return Array.from({ length: rounds }, (_, round) => queues.flatMap((queue) => queue[round] ?? [])).flat()
  }

  /** Number of waiters served before the next of this caller: its own, and those of callers whose turns come first. */
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

  #remove(caller: string, gone: WaitingTaker): void {
    const left = (this.#queues.get(caller) ?? []).filter((each) => each !== gone)
    if (left.length === 0) this.#queues.delete(caller)
    else this.#queues.set(caller, left)
  }

  #release(caller: string): void {
    this.#free++
    const left = (this.#held.get(caller) ?? 0) - 1
    if (left > 0) this.#held.set(caller, left)
    else this.#held.delete(caller)
    this.#startWaiting()
  }

  /** Assigns free slots to callers in turn; each then goes to the end of the queue with its remaining waiters. */
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
