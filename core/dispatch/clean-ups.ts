import { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { settledOrStopped } from '../problems/settled-or-stopped.js'
import type { Log } from '../runtime/log-events.js'

/** How long what runs when the gateway stops may go on, in milliseconds. */
const CLOSING_MS = 3_000

interface CleanUpOrder {
  readonly account: string
  readonly timeoutMs: number
  /** Told when the work has ended, or did not begin. */
  readonly done: () => void
  /** For the log. */
  readonly fields: Readonly<Record<string, string>>
}

/** Work that goes on behind calls that have ended, each with a time of its own: what a try began at a vendor is ended there. */
export class CleanUps {
  readonly #clock: Clock
  readonly #log: Log
  readonly #running = new Map<Cancel, Promise<unknown>>()
  #closed = false

  constructor(clock: Clock, log: Log) {
    this.#clock = clock
    this.#log = log
  }

  /** Begins at once, never throws, and is waited for by nobody but `close`. */
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

  /** Lets what runs go on for three seconds, then stops it; resolves when all has settled. Nothing begins afterwards. */
  async close(): Promise<void> {
    this.#closed = true
    const stop = this.#clock.after(CLOSING_MS, () => {
      for (const cancel of this.#running.keys()) cancel.cancel('shutdown')
    })
    await Promise.all(this.#running.values())
    stop()
  }
}
