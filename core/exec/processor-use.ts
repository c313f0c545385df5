import type { Clock } from '../runtime/clock.js'
import { recentlyUsed } from '../runtime/recent.js'

/** Time in which a use fades to a third, in milliseconds. */
const FADE_MS = 4_000
/** Average processors used by programs of one account above which its next ones start in the background. */
const MUCH = 0.6
const MOST_ACCOUNTS = 10_000

/** Recent processor time of programs by account, decaying with time. */
export class ProcessorUse {
  readonly #clock: Clock
  readonly #uses = recentlyUsed<{ readonly at: number; readonly ms: number }>(MOST_ACCOUNTS)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(account: string, ms: number): void {
    if (ms > 0) this.#uses.set(account, { at: this.#clock.monotonic(), ms: this.#of(account) + ms })
  }

  isMuch(account: string): boolean {
    return this.#of(account) > MUCH * FADE_MS
  }

  #of(account: string): number {
    const use = this.#uses.get(account)
    return use === undefined ? 0 : use.ms * Math.exp((use.at - this.#clock.monotonic()) / FADE_MS)
  }
}
