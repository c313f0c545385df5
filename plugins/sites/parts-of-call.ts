import { Fault, type HandlerContext } from '../../core/sdk/index.js'

/** The parallel parts of one call, and the failures of some. */
export class Parts {
  readonly #ctx: HandlerContext
  readonly #faults: { readonly about: string; readonly fault: Fault }[] = []

  constructor(ctx: HandlerContext) {
    this.#ctx = ctx
  }

  /** The answer of a part; null, with a remark, when it fails or takes too long. */
  async ask<T>(about: string, withinMs: number, work: (side: HandlerContext) => Promise<T>): Promise<T | null> {
    return await this.#ctx.aside(
      async (side) => {
        try {
          return await work(side)
        } catch (error) {
          if (Fault.is(error) && !side.signal.aborted) this.#faults.push({ about, fault: error })
          throw error
        }
      },
      { withinMs, about },
    )
  }

  /**
   * The Fault when every part failed: a refused address first, then a nonexistent or unregistered name, then a
   * missing answer. An unanswered registration query proves nothing about the name.
   */
  reason(): Fault {
    const faults = this.#faults.map(({ fault }) => fault)
    const refused = faults.find(({ kind, unavailable }) => kind === 'blocked' && !unavailable)
    const absent = this.#faults.find(({ about, fault }) => fault.kind === 'missing' && (fault.final || about === 'dns'))?.fault
    const silent = faults.find(({ unavailable }) => unavailable)
    return (
      refused ?? absent ?? silent ?? faults[0] ?? new Fault('blocked', 'Nothing about the domain answered in time.', { unavailable: true })
    )
  }
}

/** The same work for all callers, started by the first. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | null = null
  return () => (begun ??= work())
}
