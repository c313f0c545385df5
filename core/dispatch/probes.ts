import type { Cancel } from '../runtime/cancel.js'

/** Number of latest answers from which a provider's usual time is computed. */
const ANSWERS = 10
/** Bounds of the usual time and its default, in milliseconds. */
const LEAST_MS = 20
const MOST_MS = 5_000
const UNKNOWN_MS = 50

/** Usual response times of providers, and the running probes that may outlive their calls. */
export class Probes {
  readonly #times = new Map<string, number[]>()
  readonly #running = new Map<Cancel, Promise<unknown>>()

  /** Records that a provider answered after `ms` milliseconds. */
  answered(id: string, ms: number): void {
    const times = this.#times.get(id) ?? []
    times.push(ms)
    if (times.length > ANSWERS) times.shift()
    this.#times.set(id, times)
  }

  /** How long a call waits for a probe: twice the median of the last ten answers, at most 5 s. */
  usual(id: string): number {
    const sorted = (this.#times.get(id) ?? []).toSorted((one, other) => one - other)
    const median = sorted[Math.floor(sorted.length / 2)]
    return median === undefined ? UNKNOWN_MS : Math.min(MOST_MS, Math.max(LEAST_MS, 2 * median))
  }

  /** Tracks a probe that may outlive its call until it has settled. */
  add(cancel: Cancel, work: Promise<unknown>): void {
    // The outcome is in its attempt and in the suspension; a call that still waits gets it from the same promise.
    const settled = Promise.allSettled([work]).then(() => this.#running.delete(cancel))
    this.#running.set(cancel, settled)
  }

  /** Stops every probe; resolves when all have settled. */
  async close(): Promise<void> {
    const running = [...this.#running]
    for (const [cancel] of running) cancel.cancel('shutdown')
    await Promise.all(running.map(([, settled]) => settled))
  }
}
