import type { Cancel } from '../runtime/cancel.js'

/** How many of a provider's latest answers its usual time is taken from. */
const ANSWERS = 10
/** Bounds of what is taken for a usual time, and what is when nothing is known, in milliseconds. */
const LEAST_MS = 20
const MOST_MS = 5_000
const UNKNOWN_MS = 50

/** How long providers usually take, and the probes of suspended ones that go on without the calls that began them. */
export class Probes {
  readonly #times = new Map<string, number[]>()
  readonly #running = new Map<Cancel, Promise<unknown>>()

  /** Notes that a provider had a result after so many milliseconds. */
  answered(id: string, ms: number): void {
    const times = this.#times.get(id) ?? []
    times.push(ms)
    if (times.length > ANSWERS) times.shift()
    this.#times.set(id, times)
  }

  /** How long a call waits for the probe of a provider before it asks the next, in milliseconds: twice the median of its last ten answers, at most 5 s. */
  usual(id: string): number {
    const sorted = (this.#times.get(id) ?? []).toSorted((one, other) => one - other)
    const median = sorted[Math.floor(sorted.length / 2)]
    return median === undefined ? UNKNOWN_MS : Math.min(MOST_MS, Math.max(LEAST_MS, 2 * median))
  }

  /** Keeps a probe that may outlive its call, until it has settled. */
  add(cancel: Cancel, work: Promise<unknown>): void {
    // What it ended with is in its attempt and in the suspension; whoever still waits for it is told by the same promise.
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
