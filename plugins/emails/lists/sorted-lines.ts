/** Sorted lines of a text, looked up in place: a list of thousands of names needs no more memory than its text. */
export class SortedLines {
  readonly #text: string

  /** Leading lines that start with # are skipped. */
  constructor(text: string) {
    this.#text = text.replace(/^(?:#.*\n)+/, '')
  }

  /** True when a line is exactly this. */
  has(line: string): boolean {
    let [low, high] = [0, this.#text.length]
    while (low < high) {
      const start = this.#text.lastIndexOf('\n', Math.floor((low + high) / 2) - 1) + 1
      const found = this.#text.indexOf('\n', start)
      const end = found === -1 ? this.#text.length : found
      const at = this.#text.slice(start, end)
      if (at === line) return line !== ''
      if (at < line) low = end + 1
      else high = start
    }
    return false
  }
}
