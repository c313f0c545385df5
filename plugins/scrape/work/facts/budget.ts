import { BOUNDS } from './bounds.js'

/** What items of a page may still take. */
export class Budget {
  #values: number = BOUNDS.values
  #characters: number = BOUNDS.characters

  get spent(): boolean {
    return this.#values <= 0 || this.#characters <= 0
  }

  /** Counts one value; false when there is no room for it. */
  take(): boolean {
    if (this.spent) return false
    this.#values -= 1
    return true
  }

  /** A text cut to what one value may have; undefined when there is no room for it. */
  text(value: string): string | undefined {
    if (!this.take()) return undefined
    const cut = value.slice(0, Math.min(BOUNDS.value, this.#characters))
    this.#characters -= cut.length + 16
    return cut
  }
}
