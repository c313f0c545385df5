import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'

/** The kind of an unhandled error. */
export type Origin = 'exception' | 'rejection'

/** With more unhandled errors than this within a minute the process is no longer reliable. */
const MOST = 10
const WINDOW_MS = 60_000

/** Unhandled errors: logged and counted; calls `giveUp` once when there are too many within a minute. */
export class UnownedErrors {
  readonly counts: Record<Origin, number> = { exception: 0, rejection: 0 }
  readonly #clock: Clock
  readonly #log: Log
  readonly #giveUp: () => void
  #recent = 0
  #given = false

  constructor(clock: Clock, log: Log, giveUp: () => void) {
    this.#clock = clock
    this.#log = log
    this.#giveUp = giveUp
  }

  note(origin: Origin, error: unknown): void {
    this.counts[origin]++
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.#log('unhandled-error', 'unhandled error', { origin, error: text })
    this.#recent++
    this.#clock.after(WINDOW_MS, () => this.#recent--)
    if (this.#recent <= MOST || this.#given) return
    this.#given = true
    this.#log('too-many-errors', `${MOST + 1} unhandled errors within a minute: the gateway stops so that it is restarted`)
    this.#giveUp()
  }

  /** Listens to the process until the returned function is called. */
  watch(): () => void {
    const exception = (error: unknown): void => this.note('exception', error)
    const rejection = (error: unknown): void => this.note('rejection', error)
    process.on('uncaughtException', exception).on('unhandledRejection', rejection)
    return () => void process.off('uncaughtException', exception).off('unhandledRejection', rejection)
  }
}
