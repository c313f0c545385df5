import type { Clock } from '../runtime/clock.js'
import type { Pace } from '../sdk/index.js'

/** How a turn was asked for, in milliseconds. */
export interface TurnOrder {
  /** A turn that would come later is not taken. */
  readonly mostMs: number
  /** The place stands so long when nobody gives it back. */
  readonly leaseMs: number
}

/** A turn and a place among the requests at once; or that all places are taken; or that the turn would come too late. */
export type Turn =
  | { readonly taken: 'yes'; readonly waitMs: number; readonly leave: () => void }
  | { readonly taken: 'full' }
  | { readonly taken: 'late'; readonly waitMs: number }

/** The turns of requests to vendors that name their pace. */
export interface VendorTurns {
  take(id: string, pace: Pace, order: TurnOrder): Promise<Turn>
}

interface Known {
  /** When the latest requests began or are to begin, oldest first, on the monotonic clock; as many as the pace counts. */
  readonly starts: number[]
  running: number
}

/** Turns in this process's memory: any request begins `perMs` after the one so many places before it, or later. */
export class LocalTurns implements VendorTurns {
  readonly #clock: Clock
  readonly #known = new Map<string, Known>()

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

  /** Notes a request that begins in so many milliseconds, whoever gave it its turn; the returned function says that it has ended. */
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

  #of(id: string): Known {
    const known = this.#known.get(id) ?? { starts: [], running: 0 }
    this.#known.set(id, known)
    return known
  }
}
