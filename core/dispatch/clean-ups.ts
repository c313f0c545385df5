import { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { settledOrStopped } from '../problems/errors.js'
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
