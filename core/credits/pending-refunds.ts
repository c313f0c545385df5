/** Refunds of answers that did not reach their callers, under way: a gateway that stops waits for them. */
export class PendingRefunds {
  readonly #pending = new Set<Promise<void>>()

  /** Refunds under way. */
  get size(): number {
    return this.#pending.size
  }

  /** Follows a refund to its end; resolves or rejects as it does. */
  async track(refund: Promise<void>): Promise<void> {
    this.#pending.add(refund)
    try {
      await refund
    } finally {
      this.#pending.delete(refund)
    }
  }

  /** Resolves when none is under way, whether or not they succeeded. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending)
  }
}
