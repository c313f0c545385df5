/** Passes requests on, or holds them so that no client reconnects to a closing port after its answer. */
export class HeldRequests {
  #held: (() => void)[] | null = null

  /** Answers a request now, or on `release`. */
  take(answer: () => void): void {
    if (this.#held === null) answer()
    else this.#held.push(answer)
  }

  /** Starts holding requests. */
  hold(): void {
    this.#held ??= []
  }

  /** Answers the held requests, and all later ones at once. */
  release(): void {
    const held = this.#held ?? []
    this.#held = null
    for (const answer of held) answer()
  }
}
