/** The text of a page in its pieces, so that the text of any element is those between two marks. */
export class Texts {
  readonly #pieces: string[] = []

  add(text: string): void {
    this.#pieces.push(text)
  }

  /** Where the next piece will be. */
  get mark(): number {
    return this.#pieces.length
  }

  /** The text from a mark on, spaces joined, at most so many characters; null when there is none. */
  since(mark: number, size: number): string | null {
    let text = ''
    for (let at = mark; at < this.#pieces.length && text.length < size * 2; at += 1) text += (this.#pieces[at] ?? '').slice(0, size * 4)
    const line = text.replace(/\s+/g, ' ').trim().slice(0, size)
    return line === '' ? null : line
  }
}
