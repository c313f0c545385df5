/** Lines of a text in the order of their characters, looked up where they are: a list of thousands of names costs no more than its text. */
export class SortedLines {
  readonly #text: string

  /** Lines that begin with # come first and do not count. */
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
