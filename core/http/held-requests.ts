/** Lets requests through, or makes them wait, so that no answer sends a client to a port that is closing. */
export class HeldRequests {
  #held: (() => void)[] | null = null

  /** Answers a request now, or at the release. */
  take(answer: () => void): void {
    if (this.#held === null) answer()
    else this.#held.push(answer)
  }

  /** From now on requests wait. */
  hold(): void {
    this.#held ??= []
  }

  /** Answers those that waited, and from now on all others at once. */
  release(): void {
    const held = this.#held ?? []
    this.#held = null
    for (const answer of held) answer()
  }
}
