import type { Clock } from '../runtime/clock.js'
import type { Pace } from '../sdk/index.js'

/** Terms of a requested turn, in milliseconds. */
export interface TurnOrder {
  /** Longest wait; a later turn is not taken. */
  readonly mostMs: number
  /** Life of a place that is not released. */
  readonly leaseMs: number
}

/** A turn with a place among the concurrent requests; or all places are taken; or the turn would come too late. */
export type Turn =
  | { readonly taken: 'yes'; readonly waitMs: number; readonly leave: () => void }
  | { readonly taken: 'full' }
  | { readonly taken: 'late'; readonly waitMs: number }

/** Turns of requests to vendors with a declared pace. */
export interface VendorTurns {
  take(id: string, pace: Pace, order: TurnOrder): Promise<Turn>
}

interface VendorStarts {
  /** Monotonic start times of the latest requests, past or planned, oldest first; as many as the pace counts. */
  readonly starts: number[]
  running: number
}

/** Turns in this process's memory: a request begins at least `perMs` after the one `requests` places before it. */
export class LocalTurns implements VendorTurns {
  readonly #clock: Clock
  readonly #known = new Map<string, VendorStarts>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async take(id: string, pace: Pace, { mostMs }: TurnOrder): Promise<Turn> {
    await Promise.resolve()
    const known = this.#of(id)
    if (known.running >= (pace.concurrent ?? Infinity)) return { taken: 'full' }
    const before = known.starts.at(-pace.requests)
    const waitMs = before === undefined ? 0 : Math.max(0, before + pace.perMs - this.#clock.monotonic())
    return waitMs > mostMs ? { taken: 'late', waitMs } : { taken: 'yes', waitMs, leave: this.begin(id, pace, waitMs) }
  }

  /** Records a request that begins in `waitMs`, whatever granted its turn; call the returned function at its end. */
  begin(id: string, pace: Pace, waitMs: number): () => void {
    const known = this.#of(id)
    known.starts.push(this.#clock.monotonic() + waitMs)
    if (known.starts.length > pace.requests) known.starts.splice(0, known.starts.length - pace.requests)
    known.running++
    let runs = true
    return () => {
      if (runs) known.running--
      runs = false
    }
  }

  #of(id: string): VendorStarts {
    const known = this.#known.get(id) ?? { starts: [], running: 0 }
    this.#known.set(id, known)
    return known
  }
}
