/** The findings of an audit. */
export interface AuditReport {
  readonly ok: boolean
  readonly accounts: number
  readonly entries: number
  /** One line each, with the invariant it breaks. */
  readonly problems: string[]
}

/** Most lines kept; a corrupt ledger would produce millions. */
const MOST = 1000

/** Collects problems and counts those beyond the first thousand. */
export class Findings {
  readonly #lines: string[] = []
  #more = 0

  add(line: string): void {
    if (this.#lines.length < MOST) this.#lines.push(line)
    else this.#more += 1
  }

  lines(): string[] {
    return this.#more === 0 ? [...this.#lines] : [...this.#lines, `and ${this.#more} more`]
  }
}
