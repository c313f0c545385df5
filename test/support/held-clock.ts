import { systemClock, type Clock } from '../../core/runtime/clock.js'

/** The clock of the machine, except for the given times, which pass when the test says so. */
export class HeldClock implements Clock {
  readonly #held = new Set<() => void>()
  readonly #isHeld: (ms: number) => boolean
  constructor(isHeld: (ms: number) => boolean) {
    this.#isHeld = isHeld
  }
  now = (): number => systemClock.now()
  monotonic = (): number => systemClock.monotonic()
  every = (ms: number, callback: () => void): (() => void) => systemClock.every(ms, callback)
  after = (ms: number, callback: () => void): (() => void) => {
    if (!this.#isHeld(ms)) return systemClock.after(ms, callback)
    this.#held.add(callback)
    return () => this.#held.delete(callback)
  }
  get waiting(): number {
    return this.#held.size
  }
  pass(): void {
    for (const callback of [...this.#held]) if (this.#held.delete(callback)) callback()
  }
}
