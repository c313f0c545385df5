import { monitorEventLoopDelay, performance, type IntervalHistogram } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { Clock } from '../runtime/clock.js'
import { Problem } from '../problems/problem.js'

const MEASURE_MS = 1_000
const DELAY_MS = 250
/** Of the heap's limit, and of the memory limit of the process. */
const MEMORY_SHARE = 0.85
/** Share of the memory limit above which accounts that already hold memory of the gateway get no more work. */
const SHORT_SHARE = 0.7
/** Sampling interval of the event loop while it is busy, in milliseconds. */
const RESOLUTION_MS = 100
/** Below this active time between measurements, in ms, no long delay is possible; sampling would only wake the loop. */
const BUSY_MS = 100

export interface Load {
  /** 99th percentile of the event loop's delay in the last second, in milliseconds. */
  readonly delayMs: number
  readonly heapShare: number
  /** Resident memory of the process as a share of its limit, which includes that of its control group. */
  readonly residentShare: number
}

/**
 * Refuses work while the process is overloaded: heavy calls at the first bad measurement, all calls from the second on.
 * Memory over its share is bad at once. A delay is bad when the measurement before saw one too: a single long turn, such
 * as hundreds of connections that arrive together, is no overload.
 */
export class Shedder {
  readonly #measure: () => Load
  readonly #stop: () => void
  #level = 0
  #delayed = false
  #load: Load = { delayMs: 0, heapShare: 0, residentShare: 0 }
  /** Set before the gateway stops: not ready, it still accepts calls and closes each connection after its answer. */
  leaving = false
  /** Set while it stops: new calls are refused. */
  draining = false

  constructor(clock: Clock, measure: () => Load) {
    this.#measure = measure
    this.#stop = clock.every(MEASURE_MS, () => this.#update())
  }

  #update(): void {
    this.#load = this.#measure()
    const { delayMs, heapShare, residentShare } = this.#load
    const delayed = delayMs > DELAY_MS
    const over = (delayed && this.#delayed) || heapShare > MEMORY_SHARE || residentShare > MEMORY_SHARE
    this.#delayed = delayed
    this.#level = over ? Math.min(2, this.#level + 1) : 0
  }

  get load(): Load {
    return this.#load
  }

  /** True when memory is short: what running calls may still use must fit below the limit. */
  get memoryShort(): boolean {
    return this.#load.residentShare > SHORT_SHARE
  }

  /** Throws `overloaded` when the gateway is stopping or sheds this work. */
  admit(heavy: boolean): void {
    if (this.draining)
      throw new Problem('overloaded', 'The gateway is stopping; send the request again, to another replica if there is one.', {
        retryAfterSeconds: 2,
      })
    this.shed(heavy)
  }

  /** The same, ignoring a stop, for requests that are answered until the end. */
  shed(heavy: boolean): void {
    if (this.#level === 0 || (this.#level === 1 && !heavy)) return
    const { delayMs, heapShare, residentShare } = this.#load
    throw new Problem('overloaded', 'The gateway is shedding load.', {
      retryAfterSeconds: 2,
      internal: `event loop p99 ${Math.round(delayMs)} ms, heap ${percent(heapShare)}, resident memory ${percent(residentShare)}`,
    })
  }

  close(): void {
    this.#stop()
  }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

interface Measuring {
  readonly measure: () => Load
  readonly close: () => void
}

/** Sources of the event loop's measurements. */
interface LoopGauges {
  readonly histogram: Pick<IntervalHistogram, 'enable' | 'disable' | 'reset' | 'percentile'>
  /** Active and idle milliseconds of the loop since the start. */
  readonly loop: () => { readonly active: number; readonly idle: number }
}

/**
 * Measures this process between two calls of `measure`: the loop's delay, and the shares of heap and resident memory.
 * The heap's limit is V8's, or the memory limit where that is lower. The delay is sampled only while the loop is busy;
 * after an idle second it is how late `measure` was called.
 */
export function processLoad(memoryLimit: () => number, { histogram, loop }: LoopGauges = gauges()): Measuring {
  let before = loop()
  let watching = false
  const delay = (elapsedMs: number): number => {
    if (!watching) return Math.max(0, elapsedMs - MEASURE_MS)
    const delayMs = Math.max(0, histogram.percentile(99) / 1e6 - RESOLUTION_MS)
    histogram.reset()
    return delayMs
  }
  const watch = (on: boolean): void => {
    if (on === watching) return
    watching = on
    if (!on) histogram.disable()
    else {
      histogram.reset()
      histogram.enable()
    }
  }
  return {
    measure: () => {
      const now = loop()
      const activeMs = now.active - before.active
      const delayMs = delay(activeMs + now.idle - before.idle)
      before = now
      watch(activeMs > BUSY_MS)
      const heap = getHeapStatistics()
      const limit = memoryLimit()
      return {
        delayMs,
        heapShare: heap.used_heap_size / Math.min(heap.heap_size_limit, limit),
        residentShare: process.memoryUsage.rss() / limit,
      }
    },
    close: () => watch(false),
  }
}

function gauges(): LoopGauges {
  return { histogram: monitorEventLoopDelay({ resolution: RESOLUTION_MS }), loop: () => performance.eventLoopUtilization() }
}
