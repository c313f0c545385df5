import { sentences } from '../../_shared/sentences.js'
import { line, plain, prose, terms } from '../../search/contract.js'
import type { Passage } from '../run-state.js'

/** Characters read of a source. */
export const MOST_CHARACTERS = 120_000
/** A passage ends with the paragraph in which it exceeds this length. */
const ENOUGH = 600
const LONGEST = 1_000
const LONGEST_LINE = 8_000
const LONGEST_HEADING = 200
const MOST_PASSAGES = 250

const ESCAPED = /\\([\\`*_{}[\]()#+.!|<>~-])/g
/** Asterisks around words. */
const EMPHASIS = /(?<=^|[\s("“/])\*(?=[^\s*])|(?<=[^\s*])\*(?=[\s).,;:!?"”/]|$)/g

/** The mark of an item of a list. */
const ITEM = /^(?:[-*+]|\d{1,3}[.)]) /

type Kind = 'prose' | 'table' | 'code'

const CODE = /`([^`\n]{2,60})`/g

/** A line of a passage. */
interface Row {
  readonly text: string
  readonly isItem: boolean
  readonly code: readonly string[]
}

/** The passages of Markdown in order: text under one heading, split at paragraphs. Linear in the length of the text. */
export function passagesOf(markdown: string): Passage[] {
  const reader = new Reader()
  for (const row of markdown.slice(0, MOST_CHARACTERS).split('\n')) reader.read(row.slice(0, LONGEST_LINE))
  return reader.end()
}

class Reader {
  readonly #passages: Passage[] = []
  #headings: { readonly level: number; readonly text: string }[] = []
  #above: readonly string[] = []
  #kind: Kind = 'prose'
  #rows: Row[] = []
  #length = 0
  #fenced = false

  read(row: string): void {
    if (this.#passages.length >= MOST_PASSAGES) return
    const bare = row.trim()
    if (bare.startsWith('```') || bare.startsWith('~~~')) {
      this.#fenced = !this.#fenced
      this.#as(this.#fenced ? 'code' : 'prose')
    } else if (this.#fenced) this.#add(row)
    else if (bare === '') this.#paragraph()
    else if (/^#{1,6} /.test(bare)) this.#heading(bare)
    else if (bare.startsWith('|')) this.#row(bare.split('|'))
    else if (/^<\/?t(?:able|head|body|foot|r|h|d)\b/.test(bare)) this.#row(bare.split(/<\/t[hd]>/))
    else {
      this.#as('prose')
      this.#add(words(bare), { isItem: ITEM.test(bare), code: Array.from(bare.matchAll(CODE), ([, code = '']) => code) })
    }
  }

  end(): Passage[] {
    this.#flush()
    return this.#passages
  }

  #heading(bare: string): void {
    this.#flush()
    const level = bare.indexOf(' ')
    const text = line(words(bare), LONGEST_HEADING)
    this.#headings = [...this.#headings.filter((above) => above.level < level), ...(text === '' ? [] : [{ level, text }])]
    this.#above = this.#headings.flatMap((heading) => terms(heading.text))
  }

  #row(parts: readonly string[]): void {
    this.#as('table')
    const cells = parts.map((cell) => words(cell.trim()))
    // The delimiter row of a table is skipped.
    if (cells.some((cell) => /[^-:\s]/.test(cell))) this.#add(cells.filter((cell) => cell !== '').join(' | '))
  }

  #paragraph(): void {
    if (this.#length > ENOUGH || this.#kind === 'table') this.#flush()
  }

  #as(kind: Kind): void {
    if (kind !== this.#kind) this.#flush()
    this.#kind = kind
  }

  #add(row: string, about: Pick<Row, 'isItem' | 'code'> = { isItem: false, code: [] }): void {
    if (row.trim() === '') return
    if (this.#length + row.length > LONGEST) this.#flush()
    this.#rows.push({ text: row, ...about })
    this.#length += row.length + 1
    if (this.#length > LONGEST || (this.#kind !== 'prose' && this.#length > ENOUGH)) this.#flush()
  }

  #flush(): void {
    const rows = this.#rows.map((row) => ({ ...row, text: line(row.text, LONGEST_LINE) })).filter(({ text }) => text !== '')
    this.#rows = []
    this.#length = 0
    const text = rows.map((row) => row.text).join('\n')
    if (text === '') return
    const parts = this.#kind === 'prose' ? pieces(text) : [text.slice(0, 2 * LONGEST)]
    // Only a single long paragraph is split.
    const items = new Set(parts.length > 1 ? [] : rows.flatMap(({ isItem }, at) => (isItem ? [at] : [])))
    const code = rows.flatMap((row) => row.code)
    for (const part of parts) this.#keep(part, { items, code })
  }

  #keep(text: string, about: Pick<Passage, 'items' | 'code'>): void {
    if (this.#passages.length >= MOST_PASSAGES) return
    const headings = this.#headings.map((heading) => heading.text)
    const isProse = this.#kind === 'prose'
    this.#passages.push({ headings, text, isProse, ...about, above: this.#above, terms: [...this.#above, ...terms(text)] })
  }
}

/** The words of one line of Markdown: without markup, tags, entities and escapes. */
function words(row: string): string {
  return plain(prose(row)).replace(ESCAPED, '$1').replace(EMPHASIS, '').replace(/^: +/, '')
}

/** Splits a long paragraph at sentence ends. */
function pieces(text: string): string[] {
  if (text.length <= LONGEST + ENOUGH) return [text]
  const found: string[] = []
  let piece = ''
  for (const sentence of sentences(text)) {
    if (piece !== '' && piece.length + sentence.length > LONGEST) {
      found.push(piece)
      piece = ''
    }
    piece = piece === '' ? sentence : `${piece} ${sentence}`
  }
  return [...found, ...(piece === '' ? [] : [piece])]
}
