import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { type LedgerStore, logFailedWork } from '../store/types.js'

/** Shortest pause between two rounds, and the most jitter added to it, in milliseconds. */
const SHORTEST_MS = 500
const JITTER_MS = 500

interface PublishTimerOptions {
  readonly instance: string
  readonly log: Log
  /** From 0 to 1; `Math.random` by default. */
  readonly random?: () => number
}

/** Publishes entries once or twice a second, where the store writes them to the account first. */
export class PublishTimer {
  readonly #ledger: Pick<LedgerStore, 'publish'>
  readonly #clock: Clock
  readonly #options: PublishTimerOptions
  #stop: () => void = () => undefined
  #running: Promise<void> | null = null
  #failing = false
  #closed = false

  constructor(ledger: Pick<LedgerStore, 'publish'>, clock: Clock, options: PublishTimerOptions) {
    this.#ledger = ledger
    this.#clock = clock
    this.#options = options
  }

  /** Starts the rounds; does nothing on a store without `publish`. */
  start(): void {
    if (this.#ledger.publish !== undefined) this.#later()
  }

  /** Publishes once more and stops. Rejects when that fails. */
  async close(): Promise<void> {
    this.#closed = true
    this.#stop()
    await this.#running
    await this.#publish()
  }

  #later(): void {
    const { random = Math.random } = this.#options
    this.#stop = this.#clock.after(SHORTEST_MS + JITTER_MS * random(), () => {
      this.#running = this.#round().finally(() => {
        this.#running = null
        if (!this.#closed) this.#later()
      })
    })
  }

  async #round(): Promise<void> {
    const { log } = this.#options
    try {
      await this.#publish()
      if (this.#failing) log('publishing-resumed', 'entries are published again')
      this.#failing = false
    } catch (error) {
      if (!this.#failing) logFailedWork(log, { event: 'publishing-failed', message: 'entries could not be published yet', error })
      this.#failing = true
    }
  }

  async #publish(): Promise<void> {
    await this.#ledger.publish?.({ instance: this.#options.instance, now: this.#clock.now() })
  }
}
