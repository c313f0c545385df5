import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { Clock } from '../clock.js'
import { Problem } from '../problems/problem.js'

const LOOK_MS = 1_000
const DELAY_MS = 250
const HEAP_SHARE = 0.85
/** Between two looks at the loop, in milliseconds: each one wakes a gateway that has nothing to do. */
const RESOLUTION_MS = 100

export interface Load {
  /** 99th percentile of the event loop's delay in the last second, in milliseconds. */
  readonly delayMs: number
  readonly heapShare: number
}

/** Refuses work while the process is overloaded: heavy calls at once, all calls when it stays so for a second look. */
export class Shedder {
  readonly #measure: () => Load
  readonly #stop: () => void
  #level = 0
  #load: Load = { delayMs: 0, heapShare: 0 }
  /** Set when the gateway is about to stop: not ready, calls are still taken, and each answer is the last on its connection. */
  leaving = false
  /** Set while it stops: no new calls. */
  draining = false

  constructor(clock: Clock, measure: () => Load) {
    this.#measure = measure
    this.#stop = clock.every(LOOK_MS, () => this.look())
  }

  /** Takes one measurement; two bad ones in a row shed everything. */
  look(): void {
    this.#load = this.#measure()
    const over = this.#load.delayMs > DELAY_MS || this.#load.heapShare > HEAP_SHARE
    this.#level = over ? Math.min(2, this.#level + 1) : 0
  }

  get load(): Load {
    return this.#load
  }

  /** Throws `overloaded` when this work must wait. */
  admit(heavy: boolean): void {
    if (this.draining)
      throw new Problem('overloaded', 'The gateway is stopping; send the request again, to another replica if there is one.', {
        retryAfterSeconds: 2,
      })
    if (this.#level === 0 || (this.#level === 1 && !heavy)) return
    throw new Problem('overloaded', 'The gateway is shedding load.', {
      retryAfterSeconds: 2,
      internal: `event loop p99 ${Math.round(this.#load.delayMs)} ms, heap ${Math.round(this.#load.heapShare * 100)} %`,
    })
  }

  close(): void {
    this.#stop()
  }
}

/** Measures this process: the loop's delay since the last look, and the heap's share of its limit. */
export function processLoad(): { measure: () => Load; close: () => void } {
  const histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  return {
    measure: () => {
      const delayMs = Math.max(0, histogram.percentile(99) / 1e6 - RESOLUTION_MS)
      histogram.reset()
      const heap = getHeapStatistics()
      return { delayMs, heapShare: heap.used_heap_size / heap.heap_size_limit }
    },
    close: () => histogram.disable(),
  }
}
