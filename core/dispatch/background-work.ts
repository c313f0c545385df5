import { settledOrStopped } from '../problems/errors.js'
import { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'

/** How long running clean-ups may continue when the gateway stops, in milliseconds. */
const CLOSING_MS = 3_000

interface CleanUpOrder {
  readonly account: string
  readonly timeoutMs: number
  /** Called when the work has ended or did not begin. */
  readonly done: () => void
  /** For the log. */
  readonly fields: Readonly<Record<string, string>>
}

/** Clean-ups that run after their calls, each with its own time limit: they end what a try began at a vendor. */
export class CleanUps {
  readonly #clock: Clock
  readonly #log: Log
  readonly #running = new Map<Cancel, Promise<unknown>>()
  #closed = false

  constructor(clock: Clock, log: Log) {
    this.#clock = clock
    this.#log = log
  }

  /** Begins in the background and never throws; only `close` waits for it. */
  begin({ account, timeoutMs, fields, done }: CleanUpOrder, work: (cancel: Cancel) => Promise<unknown>): void {
    if (this.#closed) {
      done()
      this.#log('clean-up-failed', 'clean-up of a call skipped: the gateway has stopped', fields)
      return
    }
    const cancel = new Cancel(this.#clock, this.#clock.monotonic() + timeoutMs, account)
    const stop = this.#clock.after(timeoutMs, () => cancel.cancel('deadline'))
    const settled = settledOrStopped(
      Promise.resolve().then(() => work(cancel)),
      cancel,
    )
      .catch((error: unknown) => this.#log('clean-up-failed', 'clean-up of a call failed', { ...fields, error: String(error) }))
      .finally(() => {
        stop()
        cancel.cancel('over')
        this.#running.delete(cancel)
        done()
      })
    this.#running.set(cancel, settled)
  }

  /** Gives running work three seconds, then stops it; resolves when all has settled. Refuses further work. */
  async close(): Promise<void> {
    this.#closed = true
    const stop = this.#clock.after(CLOSING_MS, () => {
      for (const cancel of this.#running.keys()) cancel.cancel('shutdown')
    })
    await Promise.all(this.#running.values())
    stop()
  }
}

/** Number of latest answers from which a provider's usual time is computed. */
const ANSWERS = 10
/** Bounds of the usual time and its default, in milliseconds. */
const LEAST_MS = 20
const MOST_MS = 5_000
const UNKNOWN_MS = 50

/** Usual response times of providers, and the running probes that may outlive their calls. */
export class Probes {
  readonly #times = new Map<string, number[]>()
  readonly #running = new Map<Cancel, Promise<unknown>>()

  /** Records that a provider answered after `ms` milliseconds. */
  answered(id: string, ms: number): void {
    const times = this.#times.get(id) ?? []
    times.push(ms)
    if (times.length > ANSWERS) times.shift()
    this.#times.set(id, times)
  }

  /** How long a call waits for a probe: twice the median of the last ten answers, at most 5 s. */
  usual(id: string): number {
    const sorted = (this.#times.get(id) ?? []).toSorted((one, other) => one - other)
    const median = sorted[Math.floor(sorted.length / 2)]
    return median === undefined ? UNKNOWN_MS : Math.min(MOST_MS, Math.max(LEAST_MS, 2 * median))
  }

  /** Tracks a probe that may outlive its call until it has settled. */
  add(cancel: Cancel, work: Promise<unknown>): void {
    // The outcome is in its attempt and in the suspension; a call that still waits gets it from the same promise.
    const settled = Promise.allSettled([work]).then(() => this.#running.delete(cancel))
    this.#running.set(cancel, settled)
  }

  /** Stops every probe; resolves when all have settled. */
  async close(): Promise<void> {
    const running = [...this.#running]
    for (const [cancel] of running) cancel.cancel('shutdown')
    await Promise.all(running.map(([, settled]) => settled))
  }
}
