/** Each holds one of the two threads of the process that such questions may have, for ten seconds when a name server is silent. */
const AT_ONCE = 1

/** Questions to the system's own resolver, few at once: it knows names that no name server does, and cannot be cancelled. */
export class SystemLookups {
  readonly #lookup: (name: string) => Promise<readonly string[]>
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(lookup: (name: string) => Promise<readonly string[]>) {
    this.#lookup = lookup
  }

  /** The addresses of a name, asked when it is its turn; rejects without asking when it is not wanted any more by then. */
  async ask(name: string, wanted: () => boolean): Promise<readonly string[]> {
    if (this.#running < AT_ONCE) this.#running++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      if (!wanted()) throw Object.assign(new Error('the question was given up'), { code: 'ECANCELLED' })
      return [...new Set(await this.#lookup(name))]
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }
}
