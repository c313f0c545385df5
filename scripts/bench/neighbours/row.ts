import { best, ratio, type Figures } from './figures.js'
import type { CallFigures } from './quiet.js'

/** Most times the quiet p99. */
const MOST = 3

/** A row of the table: the rounds of a neighbour beside one attack, held against the quiet figures of each kind. */
export class Row {
  readonly #figures = new Map<string, Figures>()
  readonly #failures = new Set<string>()

  constructor(
    readonly name: string,
    private readonly quiet: ReadonlyMap<string, Figures>,
  ) {}

  /** Adds a round. */
  add({ figures, failures }: CallFigures): void {
    for (const [kind, found] of figures) {
      const before = this.#figures.get(kind)
      this.#figures.set(kind, before === undefined ? found : best(before, found))
    }
    for (const failure of failures) this.#failures.add(failure)
  }

  /** True when there was a round and the best p99 of each kind is at most 3 times the quiet one. */
  get within(): boolean {
    return this.#figures.size > 0 && [...this.#figures].every(([kind, figures]) => this.#times(kind, figures) <= MOST)
  }

  /** True when it is within and no call failed. */
  get good(): boolean {
    return this.within && this.#failures.size === 0
  }

  /** What is wrong, in words; `good` when nothing is. */
  verdict(): string {
    if (this.#figures.size === 0) return 'not reached'
    const over = [...this.#figures].filter(([kind, figures]) => this.#times(kind, figures) > MOST)
    const words = [...over.map(([kind, figures]) => `${kind} ${this.#times(kind, figures).toFixed(1)} times`), ...this.#failures]
    return words.length === 0 ? 'good' : words.join('; ')
  }

  /** The row in Markdown. */
  line(): string {
    const found = [...this.#figures]
    const failures = found.reduce((sum, [, figures]) => sum + figures.failures, 0)
    const calls = found.reduce((sum, [, figures]) => sum + figures.calls, 0)
    const cells = [...this.quiet.keys()].map((kind) => {
      const figures = this.#figures.get(kind)
      return figures === undefined ? '' : `${figures.p50.toFixed(0)}, ${figures.p99.toFixed(0)}, ${this.#times(kind, figures).toFixed(1)}`
    })
    return `| ${[this.name, `${failures} of ${calls}`, ...cells, this.verdict()].join(' | ')} |`
  }

  #times(kind: string, figures: Figures): number {
    const quiet = this.quiet.get(kind)
    return quiet === undefined ? Infinity : ratio(figures, quiet)
  }
}
