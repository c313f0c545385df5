import { BOUNDS } from './bounds.js'
import type { Texts } from './texts.js'

/** The headings of a page in their order. */
export class Headings {
  readonly #texts: Texts
  readonly found: { level: number; text: string }[] = []
  #mark: number | null = null

  constructor(texts: Texts) {
    this.#texts = texts
  }

  open(name: string): void {
    if (levelOf(name) !== null) this.#mark = this.#texts.mark
  }

  close(name: string): void {
    const level = levelOf(name)
    if (level === null || this.#mark === null) return
    const text = this.#texts.since(this.#mark, BOUNDS.heading)
    this.#mark = null
    if (text !== null && this.found.length < BOUNDS.headings) this.found.push({ level, text })
  }
}

function levelOf(name: string): number | null {
  return /^h[1-6]$/.test(name) ? Number(name.charAt(1)) : null
}
