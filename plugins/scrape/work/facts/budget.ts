import { BOUNDS } from './bounds.js'

/** The remaining limits for items of a page. */
export class Budget {
  #values: number = BOUNDS.values
  #characters: number = BOUNDS.characters

  get spent(): boolean {
    return this.#values <= 0 || this.#characters <= 0
  }

  /** Counts one value; false when the limit is reached. */
  take(): boolean {
    if (this.spent) return false
    this.#values -= 1
    return true
  }

  /** A text truncated to the limit of one value; undefined when the limit is reached. */
  text(value: string): string | undefined {
    if (!this.take()) return undefined
    const cut = value.slice(0, Math.min(BOUNDS.value, this.#characters))
    this.#characters -= cut.length + 16
    return cut
  }
}
