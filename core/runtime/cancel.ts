import type { Clock } from './clock.js'

/** Why work was stopped. `over`: the step that it belonged to has settled. `preempted`: its slot was needed for another account. */
export type CancelReason = 'deadline' | 'client-gone' | 'step-timeout' | 'shutdown' | 'over' | 'preempted'

/** Default wait for a slot, in milliseconds. */
const PATIENCE_MS = 5_000

/** The stop signal of a call, passed down to sockets and child processes. Cheaper than an AbortSignal. */
export class Cancel {
  #reason: CancelReason | null = null
  #listeners: Set<(reason: CancelReason) => void> | null = null
  #controller: AbortController | null = null
  readonly #clock: Clock
  /** When the call must be over, on the monotonic clock. */
  readonly deadline: number
  /** The account of the work, for fair shares between callers; empty for the gateway's own. */
  readonly caller: string
  /** Longest wait in a queue, in milliseconds. */
  readonly patienceMs: number

  constructor(clock: Clock, deadline: number, caller = '', patienceMs = PATIENCE_MS) {
    this.#clock = clock
    this.deadline = deadline
    this.caller = caller
    this.patienceMs = patienceMs
  }

  get reason(): CancelReason | null {
    return this.#reason
  }

  get cancelled(): boolean {
    return this.#reason !== null
  }

  /** Milliseconds left, never negative. */
  timeLeft(): number {
    return Math.max(0, this.deadline - this.#clock.monotonic())
  }

  /** Stops the work; only the first reason counts. Calls every listener, then throws the first error of one. */
  cancel(reason: CancelReason): void {
    if (this.#reason !== null) return
    this.#reason = reason
    const listeners = this.#listeners
    this.#listeners = null
    const failures: unknown[] = []
    if (listeners !== null)
      for (const listener of listeners)
        try {
          listener(reason)
        } catch (error) {
          failures.push(error)
        }
    this.#controller?.abort(reason)
    if (failures.length > 0) throw failures[0]
  }

  /** Calls the listener when the work is stopped, at once if it already is. The returned function removes it. */
  onCancel(listener: (reason: CancelReason) => void): () => void {
    if (this.#reason !== null) {
      listener(this.#reason)
      return () => undefined
    }
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
    return () => this.#listeners?.delete(listener)
  }

  /** The same signal for libraries; created on first use. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#reason !== null) this.#controller.abort(this.#reason)
    return this.#controller.signal
  }

  /** A signal for one step, stopped with this one or when its own time is over. `done` must be called at the end. */
  step(ms: number): { cancel: Cancel; done: () => void } {
    const until = ms === Infinity ? Infinity : this.#clock.monotonic() + ms
    const step = new Cancel(this.#clock, Math.min(this.deadline, until), this.caller, this.patienceMs)
    const forget = this.onCancel((reason) => step.cancel(reason))
    if (until >= this.deadline) return { cancel: step, done: forget }
    const stop = this.#clock.after(ms, () => step.cancel('step-timeout'))
    return {
      cancel: step,
      done: () => {
        forget()
        stop()
      },
    }
  }
}

/** Waits so many milliseconds by the clock. Rejects with the error of `stopped` when the work is stopped first. */
export function pause(ms: number, cancel: Cancel, clock: Clock, stopped: (reason: CancelReason) => Error): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(ms, () => {
      forget()
      resolve()
    })
    const forget = cancel.onCancel((reason) => {
      stop()
      reject(stopped(reason))
    })
  })
}
