/** The text of a page in pieces: the text of any element is the pieces between two marks. */
export class Texts {
  readonly #pieces: string[] = []

  add(text: string): void {
    this.#pieces.push(text)
  }

  /** Index of the next piece. */
  get mark(): number {
    return this.#pieces.length
  }

  /** The text from a mark on, with collapsed spaces, at most so many characters; null when empty. */
  since(mark: number, size: number): string | null {
    let text = ''
    for (let at = mark; at < this.#pieces.length && text.length < size * 2; at += 1) text += (this.#pieces[at] ?? '').slice(0, size * 4)
    const line = text.replace(/\s+/g, ' ').trim().slice(0, size)
    return line === '' ? null : line
  }
}
