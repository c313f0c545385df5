import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { type LedgerStore, logFailedWork } from '../store/types.js'

/** How delivery marks are batched; bounds the charges that a killed gateway's sweep refunds. */
interface DeliveryBatch {
  /** A batch is written this many milliseconds after its first mark, */
  readonly ms: number
  /** or as soon as it has this many marks. */
  readonly marks: number
}

/** For an unshared store, where a batch is one transaction on the local disk. */
export const OWN_STORE_BATCH: DeliveryBatch = { ms: 10, marks: Infinity }
/** For a store over the network, where each batch costs several round trips. */
export const SHARED_STORE_BATCH: DeliveryBatch = { ms: 250, marks: 16 }

/** Pause after a batch that could not be written, in milliseconds. */
const RETRY_MS = 1_000
/** Beyond this many the oldest marks are dropped: their charges are refunded if this gateway is killed. */
const MOST_WAITING = 100_000
/** Marks written in one command. */
const MOST_AT_ONCE = 2_000

interface Mark {
  readonly account: string
  readonly ref: string
}

/** Marks charges as delivered once their answers are written, in batches. */
export class Deliveries {
  readonly #ledger: Pick<LedgerStore, 'delivered'>
  readonly #clock: Clock
  readonly #log: Log
  readonly #batch: DeliveryBatch
  /** Marks not yet durable, in order; those of the batch being written come first. */
  #waiting: Mark[] = []
  /** How many of them are being written. */
  #batched = 0
  #stopTimer: (() => void) | null = null
  #writing: Promise<void> | null = null
  #failing = false
  #dropped = 0

  constructor(ledger: Pick<LedgerStore, 'delivered'>, clock: Clock, { log, batch }: { log: Log; batch: DeliveryBatch }) {
    this.#ledger = ledger
    this.#clock = clock
    this.#log = log
    this.#batch = batch
  }

  /** Marks that are not yet durable. */
  get size(): number {
    return this.#waiting.length
  }

  /** Marks dropped because too many waited, since the start. */
  get dropped(): number {
    return this.#dropped
  }

  /** Queues a mark: the answer of a charge was written. */
  mark(account: string, ref: string): void {
    this.#waiting.push({ account, ref })
    if (this.#waiting.length > MOST_WAITING) this.#drop(this.#waiting.length - MOST_WAITING)
    if (this.#failing || this.#waiting.length < this.#batch.marks) this.#schedule(this.#batch.ms)
    else this.#begin()
  }

  /** Writes the waiting marks; resolves when they are durable or a write failed, to be retried with the next batch. */
  async flush(): Promise<void> {
    await this.#writing
    do {
      this.#begin()
      await this.#writing
    } while (this.#waiting.length > 0 && !this.#failing)
  }

  /** Writes the waiting marks, and stops. */
  async close(): Promise<void> {
    await this.flush()
    this.#stopTimer?.()
  }

  /** During a write the next batch grows: a slow store gets larger batches, not a longer queue of them. */
  #schedule(ms: number): void {
    if (this.#stopTimer !== null || this.#writing !== null) return
    this.#stopTimer = this.#clock.after(ms, () => this.#begin())
  }

  #begin(): void {
    if (this.#writing !== null || this.#waiting.length === 0) return
    this.#stopTimer?.()
    this.#stopTimer = null
    const batch = this.#waiting.slice(0, MOST_AT_ONCE)
    this.#batched = batch.length
    this.#writing = this.#write(batch).then((written) => {
      this.#writing = null
      this.#failing = !written
      if (written) this.#waiting = this.#waiting.slice(this.#batched)
      this.#batched = 0
      if (this.#waiting.length === 0) return
      if (written && this.#waiting.length >= this.#batch.marks) this.#begin()
      else this.#schedule(written ? this.#batch.ms : RETRY_MS)
    })
  }

  /** Drops the oldest marks. */
  #drop(count: number): void {
    this.#waiting.splice(0, count)
    this.#batched = Math.max(0, this.#batched - count)
    this.#dropped += count
  }

  async #write(batch: readonly Mark[]): Promise<boolean> {
    try {
      await this.#ledger.delivered(batch)
      if (this.#failing) this.#log('deliveries-resumed', 'delivery marks are written again')
      return true
    } catch (error) {
      if (!this.#failing)
        logFailedWork(this.#log, {
          event: 'deliveries-failed',
          message: 'delivery marks could not be written yet',
          error,
          fields: { waiting: this.#waiting.length },
        })
      return false
    }
  }
}

/**
 * Charged answers being written, and refunds of those that did not reach their callers. A stopping gateway waits for
 * both, because a lost connection is detected only some time later.
 */
export class PendingRefunds {
  #writing = 0
  readonly #whenWritten: (() => void)[] = []
  readonly #refunds = new Set<Promise<void>>()

  /** Running refunds. */
  get size(): number {
    return this.#refunds.size
  }

  /** Answers being written and running refunds. */
  get unsettled(): number {
    return this.#writing + this.#refunds.size
  }

  /** Counts an answer being written; call the returned function once it was written or its refund has begun. */
  writing(): () => void {
    let open = true
    this.#writing++
    return () => {
      if (!open) return
      open = false
      if (--this.#writing === 0) for (const resolve of this.#whenWritten.splice(0)) resolve()
    }
  }

  /** Follows a refund to its end; resolves or rejects as it does. */
  async track(refund: Promise<void>): Promise<void> {
    this.#refunds.add(refund)
    try {
      await refund
    } finally {
      this.#refunds.delete(refund)
    }
  }

  /** Resolves when no answer is being written and no refund is running, whether or not refunds succeeded. */
  async settled(): Promise<void> {
    while (this.unsettled > 0) {
      if (this.#writing > 0) await new Promise<void>((resolve) => void this.#whenWritten.push(resolve))
      await Promise.allSettled(this.#refunds)
    }
  }
}
