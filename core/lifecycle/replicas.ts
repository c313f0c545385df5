import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { type LeaseStore, logFailedWork } from '../store/types.js'

const COUNT_MS = 5_000

/** Number of running replicas, by the leases in the store; it determines each one's share of a limit. */
export class LiveReplicas {
  readonly #leases: Pick<LeaseStore, 'live'>
  readonly #clock: Clock
  readonly #log: Log
  readonly #stop: () => void
  #count = 1

  constructor(leases: Pick<LeaseStore, 'live'>, clock: Clock, log: Log) {
    this.#leases = leases
    this.#clock = clock
    this.#log = log
    this.#stop = clock.every(COUNT_MS, () => {
      this.recount().catch((error: unknown) =>
        logFailedWork(this.#log, { event: 'replicas-not-counted', message: 'the replicas could not be counted', error }),
      )
    })
  }

  /** As last counted, at least 1. */
  get count(): number {
    return this.#count
  }

  /** Counts now. Rejects, and keeps the last count, when the store does not answer. */
  async recount(): Promise<void> {
    this.#count = Math.max(1, (await this.#leases.live(this.#clock.now())).length)
  }

  close(): void {
    this.#stop()
  }
}
