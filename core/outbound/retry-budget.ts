const SHARE = 0.2
const LEAST = 3

/** Caps repeats over all vendors: at any moment at most a fifth of the requests under way, and never fewer than 3, are repeats. */
export class RetryBudget {
  #active = 0
  #repeats = 0

  begin(): void {
    this.#active++
  }

  end(): void {
    this.#active--
  }

  /** Takes a repeat from the budget; the returned function returns it. Null when the budget is used up. */
  take(): (() => void) | null {
    if (this.#repeats >= Math.max(LEAST, this.#active * SHARE)) return null
    this.#repeats++
    return () => {
      this.#repeats--
    }
  }
}
