import type { Clock } from '../clock.js'
import type { Log } from '../dispatch/environment.js'
import { StoreUnavailable, type Facts, type LedgerStore } from '../store/port.js'

/** A hold that must end without costing anything, whatever became of it. */
export interface Reversal {
  readonly account: string
  readonly hold: string
  /** What the history says of the call, if anything. */
  readonly facts?: Facts
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5_000

/**
 * Undoes holds and charges whose outcome stayed unknown: released if open, refunded if charged, nothing otherwise. Nobody waits for
 * it, because its caller has been answered; it goes on until the ledger has taken it, and what a killed gateway leaves is the sweeper's.
 */
export class PendingReversals {
  readonly #ledger: LedgerStore
  readonly #clock: Clock
  readonly #instance: string
  readonly #log: Log
  readonly #waiting = new Map<string, Reversal>()
  #running: Promise<void> | null = null
  #wait = FIRST_WAIT_MS
  #stopTimer: () => void = () => undefined

  constructor(ledger: LedgerStore, clock: Clock, about: { instance: string; log: Log }) {
    this.#ledger = ledger
    this.#clock = clock
    this.#instance = about.instance
    this.#log = about.log
  }

  /** Takes charge of a hold; what is known of one that waits already is replaced. */
  add(hold: Reversal): void {
    this.#waiting.set(hold.hold, hold)
    this.#begin()
  }

  /** True while a hold is not yet undone. */
  has(hold: string): boolean {
    return this.#waiting.has(hold)
  }

  /** Holds not yet undone. */
  get size(): number {
    return this.#waiting.size
  }

  /** One round over what waits now; resolves when it is over. */
  async flush(): Promise<void> {
    await this.#running
    this.#begin()
    await this.#running
  }

  /** Tries once more and stops. */
  async close(): Promise<void> {
    await this.flush()
    this.#stopTimer()
  }

  #begin(): void {
    if (this.#running !== null || this.#waiting.size === 0) return
    this.#stopTimer()
    this.#running = this.#round().then((wait) => {
      this.#running = null
      if (wait) this.#later()
      else this.#begin()
    })
  }

  /** True when something could not be undone now. */
  async #round(): Promise<boolean> {
    for (const [id, hold] of this.#waiting) {
      try {
        await this.#undo(hold)
        this.#waiting.delete(id)
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) this.#log('error', 'a hold could not be undone', { hold: id, error: String(error) })
        return true
      }
    }
    this.#wait = FIRST_WAIT_MS
    return false
  }

  #later(): void {
    this.#stopTimer = this.#clock.after(this.#wait, () => this.#begin())
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS)
  }

  async #undo({ account, hold, facts }: Reversal): Promise<void> {
    const common = { account, hold, owner: this.#instance, reason: 'void', now: this.#clock.now() }
    await this.#ledger.release({ ...common, facts: facts ?? null })
    // Only after the release: a charge still on its way could otherwise be carried out between the two.
    await this.#ledger.refund(common)
  }
}
