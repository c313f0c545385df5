const EVERY_MS = 10_000

/** Says on standard error how far a long run has come, once in ten seconds. */
export class Progress {
  readonly #of: number
  readonly #what: string
  readonly #began = performance.now()
  #next = this.#began + EVERY_MS

  /** `what` are the things counted, such as `kills`. */
  constructor(of: number, what: string) {
    this.#of = of
    this.#what = what
  }

  /** `done` of them are over now. */
  at(done: number): void {
    const now = performance.now()
    if (now < this.#next) return
    this.#next = now + EVERY_MS
    process.stderr.write(`${done} of ${this.#of} ${this.#what} after ${Math.round((now - this.#began) / 1000)} s\n`)
  }
}
