import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { logFailedWork } from '../store/failed-work.js'
import type { LeaseStore } from '../store/types.js'

const LOOK_MS = 5_000

/** How many replicas run, by the leases in the store: what one of them may give out alone is its share. */
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
    this.#stop = clock.every(LOOK_MS, () => {
      this.look().catch((error: unknown) =>
        logFailedWork(this.#log, { event: 'replicas-not-counted', message: 'the replicas could not be counted', error }),
      )
    })
  }

  /** As last counted, at least 1: a replica that knows of no other takes itself for the only one. */
  get count(): number {
    return this.#count
  }

  /** Counts now. Rejects, and keeps the last count, when the store does not answer. */
  async look(): Promise<void> {
    this.#count = Math.max(1, (await this.#leases.live(this.#clock.now())).length)
  }

  close(): void {
    this.#stop()
  }
}
