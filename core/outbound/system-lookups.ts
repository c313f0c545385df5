/** Each occupies one of the two threads that such lookups may use, for ten seconds when a name server is silent. */
const AT_ONCE = 1

/** Lookups by the system's own resolver, few at once: it resolves names that no name server has, and cannot be cancelled. */
export class SystemLookups {
  readonly #lookup: (name: string) => Promise<readonly string[]>
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(lookup: (name: string) => Promise<readonly string[]>) {
    this.#lookup = lookup
  }

  /** The addresses of a name, in turn; rejects without a lookup when it is no longer wanted by then. */
  async ask(name: string, wanted: () => boolean): Promise<readonly string[]> {
    if (this.#running < AT_ONCE) this.#running++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      if (!wanted()) throw Object.assign(new Error('the lookup was cancelled'), { code: 'ECANCELLED' })
      return [...new Set(await this.#lookup(name))]
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }
}
