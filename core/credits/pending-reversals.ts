import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { StoreUnavailable, type Facts, type IdempotencyStore, type LedgerStore } from '../store/types.js'

/** A hold that must end at no cost, whatever its state. */
export interface Reversal {
  readonly account: string
  readonly hold: string
  /** What the history records of the call, if anything. */
  readonly facts?: Facts
  /** The hold may have been charged: undone before others, and never dropped. */
  readonly charged?: boolean
}

/** A claim of an Idempotency-Key whose reply was lost: freed if it was carried out. */
interface ClaimReversal {
  readonly account: string
  /** Hash of the key. */
  readonly key: string
  readonly hold: string
}

interface PendingReversalsOptions {
  readonly instance: string
  readonly log: Log
  readonly idempotency: Pick<IdempotencyStore, 'free'>
}

interface WaitingReversal {
  readonly reversal: Reversal
  /** Hash of an Idempotency-Key to free; null to undo the hold itself. */
  readonly key: string | null
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5_000
/** Beyond this many, holds that were never charged are left to the sweeper. */
const MOST_WAITING = 10_000
/** Concurrent reversals. */
const CONCURRENT = 8
/** A round ends after failures on this many accounts in a row: the store is away. */
const FAILURES_IN_A_ROW = 16

/**
 * Undoes holds, charges and claims whose outcome stayed unknown: released if open, refunded if charged, else nothing.
 * Runs in the background, since the caller has been answered, until the ledger accepts it; a sweeper does it for a
 * killed gateway.
 */
export class PendingReversals {
  readonly #ledger: LedgerStore
  readonly #clock: Clock
  readonly #options: PendingReversalsOptions
  readonly #charged = new Map<string, WaitingReversal>()
  readonly #uncharged = new Map<string, WaitingReversal>()
  #running: Promise<void> | null = null
  #wait = FIRST_WAIT_MS
  #stopTimer: () => void = () => undefined
  #backingOff = false
  #closed = false
  #dropped = 0

  constructor(ledger: LedgerStore, clock: Clock, options: PendingReversalsOptions) {
    this.#ledger = ledger
    this.#clock = clock
    this.#options = options
  }

  /** Queues a hold, replacing an earlier reversal of it, except that `charged` stays true. */
  add(reversal: Reversal): void {
    const { hold } = reversal
    if (reversal.charged === true || this.#charged.has(hold)) {
      this.#uncharged.delete(hold)
      this.#charged.set(hold, { reversal, key: null })
    } else this.#uncharged.set(hold, { reversal, key: null })
    this.#added()
  }

  /** Queues a claim. */
  addClaim({ account, key, hold }: ClaimReversal): void {
    this.#uncharged.set(`claim ${hold}`, { reversal: { account, hold }, key })
    this.#added()
  }

  /** True while a hold is not yet undone. */
  has(hold: string): boolean {
    return this.#charged.has(hold) || this.#uncharged.has(hold)
  }

  /** Holds and claims not yet undone. */
  get size(): number {
    return this.#charged.size + this.#uncharged.size
  }

  /** Holds and claims left to the sweeper because too many waited, since the start. */
  get dropped(): number {
    return this.#dropped
  }

  /** Runs one round over the queue; resolves at its end. */
  async flush(): Promise<void> {
    await this.#running
    this.#begin()
    await this.#running
  }

  /** Tries once more and stops. */
  async close(): Promise<void> {
    this.#closed = true
    await this.flush()
    this.#stopTimer()
  }

  #added(): void {
    const [oldest] = this.size > MOST_WAITING ? this.#uncharged.keys() : []
    if (oldest !== undefined) {
      this.#uncharged.delete(oldest)
      this.#dropped++
    }
    if (!this.#backingOff) this.#begin()
  }

  #begin(): void {
    if (this.#running !== null || this.size === 0) return
    this.#stopTimer()
    this.#running = this.#round().then((all) => {
      this.#running = null
      if (all) this.#wait = FIRST_WAIT_MS
      if (this.#closed || this.size === 0) return
      if (all) this.#begin()
      else this.#later()
    })
  }

  /** Charges first. A failing account waits for the next round without delaying others. True when none failed. */
  async #round(): Promise<boolean> {
    const queue = [...this.#charged, ...this.#uncharged].values()
    const failed = new Set<string>()
    let inARow = 0
    const work = async (): Promise<void> => {
      for (const [id, waiting] of queue) {
        if (inARow >= FAILURES_IN_A_ROW) return
        const { account } = waiting.reversal
        if (failed.has(account)) continue
        if (await this.#tryUndo(waiting)) {
          this.#done(id, waiting)
          inARow = 0
        } else {
          failed.add(account)
          inARow++
        }
      }
    }
    await Promise.all(Array.from({ length: CONCURRENT }, work))
    return failed.size === 0
  }

  /** Keeps a reversal that was added again meanwhile. */
  #done(id: string, waiting: WaitingReversal): void {
    for (const map of [this.#charged, this.#uncharged]) if (map.get(id) === waiting) map.delete(id)
  }

  async #tryUndo(waiting: WaitingReversal): Promise<boolean> {
    const { reversal, key } = waiting
    try {
      await (key === null ? this.#undo(reversal) : this.#free(reversal, key))
      return true
    } catch (error) {
      if (!(error instanceof StoreUnavailable))
        this.#options.log('hold-not-released', 'hold could not be released', { hold: reversal.hold, error: String(error) })
      return false
    }
  }

  #later(): void {
    const stop = this.#clock.after(this.#wait, () => this.#begin())
    this.#stopTimer = () => {
      stop()
      this.#backingOff = false
    }
    this.#backingOff = true
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS)
  }

  async #undo({ account, hold, facts }: Reversal): Promise<void> {
    const common = { account, hold, owner: this.#options.instance, reason: 'void', now: this.#clock.now() }
    await this.#ledger.release({ ...common, facts: facts ?? null })
    // After the release: else a charge still in flight could be carried out between the two.
    await this.#ledger.refund(common)
  }

  /** A lost claim was either the key's first attempt, freed here, or a takeover, whose lock expires. */
  async #free({ account, hold }: Reversal, key: string): Promise<void> {
    await this.#options.idempotency.free({ account, key, attempt: 1, hold })
  }
}
