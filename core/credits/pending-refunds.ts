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
