import { isAcronym, isCapital, termsOf, type Claim } from './claims.js'
import { isFunctionWord, nameForm } from './common-words.js'
import { dateAt, type DatePart } from './dates.js'
import { figureAt, normal } from './figures.js'
import { monthOf } from './months.js'
import { isNamed } from './units.js'
import { Words } from './words.js'

/** Blocks of a source, one bit each. */
const BLOCKS = 256
const ROW = BLOCKS / 32
/** A block has at least this many characters; what is in one, or in the next, is near. */
const LEAST_BLOCK = 200
/** Characters looked at of one source. */
const LONGEST = 1_000_000
const MOST_INITIALS = 8

/** Where a source has what some claims need: for each wanted key the blocks of the source that hold it. */
export class SourceIndex {
  readonly #keys: ReadonlyMap<string, number>
  readonly #rows: Uint32Array
  /** Blocks of the terms that are looked at. */
  readonly #about = new Uint32Array(ROW)

  /** `keys` numbers the wanted ones from 0. Linear in the length of the passages. */
  constructor(passages: readonly string[], keys: ReadonlyMap<string, number>) {
    this.#keys = keys
    this.#rows = new Uint32Array(keys.size * ROW)
    const words = new Words(passages.join('\n\n').slice(0, LONGEST))
    const size = Math.max(LEAST_BLOCK, Math.ceil(words.text.length / BLOCKS))
    let initials = ''
    for (let at = 0; at < words.folded.length; at++) {
      const block = Math.min(BLOCKS - 1, Math.floor(words.startOf(at) / size))
      const date = dateAt(words, at)
      if (date !== null) {
        for (const each of date.dates) this.#addDate(each, block)
        at = date.to - 1
        initials = ''
        continue
      }
      const figure = figureAt(words, at)
      if (figure !== null) {
        for (const value of figure.values) {
          this.#add(`${value}*`, block)
          this.#add(`${value}|${figure.unit ?? (figure.counts ? '#' : '')}`, block)
          if (figure.unit === null || !isNamed(figure.unit)) this.#add(`${value}~`, block)
        }
        if (words.isNumber(at)) {
          if (words.folded[at]?.length === 4) this.#add(`Y:${words.folded[at]}`, 0, BLOCKS)
          at = figure.to - 1
          initials = ''
          continue
        }
      }
      this.#addWord(words.at(at), words.folded[at] ?? '', block)
      initials = this.#addInitials(words, at, block, initials)
    }
  }

  has(key: string): boolean {
    const row = this.#rowOf(key)
    if (row !== null) for (let at = row; at < row + ROW; at++) if (this.#rows[at] !== 0) return true
    return false
  }

  /** Those claims of a sentence, which is about some terms, that the source does not hold. */
  missing(claims: readonly Claim[], terms: readonly string[]): Claim[] {
    const about = terms.length === 0 ? null : this.#any(terms)
    const foreign = about?.every((bits) => bits === 0) === true
    return claims.filter(({ ways, near }) => {
      if (foreign && near === 'strong') return true
      return !ways.some((way) => this.#together(way, near === 'no' || foreign ? null : about))
    })
  }

  /** Whether all keys are in one block, and that is one of the given ones. */
  #together(way: readonly string[], among: Uint32Array | null): boolean {
    const rows = way.map((key) => this.#rowOf(key))
    for (let at = 0; at < ROW; at++) {
      let bits = among === null ? 0xffffffff : (among[at] ?? 0)
      for (const row of rows) bits &= row === null ? 0 : (this.#rows[row + at] ?? 0)
      if (bits !== 0) return true
    }
    return false
  }

  #any(terms: readonly string[]): Uint32Array {
    const all = this.#about.fill(0)
    for (const term of terms) {
      const row = this.#rowOf(term)
      if (row !== null) for (let at = 0; at < ROW; at++) all[at] = (all[at] ?? 0) | (this.#rows[row + at] ?? 0)
    }
    return all
  }

  #rowOf(key: string): number | null {
    const id = this.#keys.get(key)
    return id === undefined ? null : id * ROW
  }

  #add(key: string, from: number, to = from + 1): void {
    const row = this.#rowOf(key)
    if (row === null) return
    for (let block = Math.max(0, from); block < Math.min(BLOCKS, to); block++) {
      const at = row + (block >> 5)
      this.#rows[at] = (this.#rows[at] ?? 0) | (1 << (block & 31))
    }
  }

  #addTerms(word: string, block: number): void {
    for (const term of termsOf(word)) this.#add(term, block - 1, block + 2)
  }

  #addWord(written: string, word: string, block: number): void {
    this.#addTerms(word, block)
    this.#add(`w:${nameForm(word)}`, block, block + 2)
    if (isAcronym(written)) this.#add(`u:${word}`, block)
    if (!isCapital(written)) this.#add(`l:${nameForm(word)}`, block)
    const month = monthOf(word)
    if (month !== undefined) this.#add(`m:${month}`, block - 1, block + 2)
  }

  #addDate({ year, month, day }: DatePart, block: number): void {
    this.#add(`m:${month}`, block - 1, block + 2)
    if (year !== null) {
      for (const kind of ['*', '~']) this.#add(`${normal(String(year))}${kind}`, block, block + 2)
      this.#add(`f:${year}-${month}`, block)
      this.#add(`Y:${year}`, 0, BLOCKS)
    }
    if (day === null) return
    this.#add(`e:${month}-${day}`, block)
    this.#add(year === null ? `b:${month}-${day}` : `d:${year}-${month}-${day}`, block)
  }

  /** Adds to the first letters of words with capitals that follow each other, small function words between them left out. */
  #addInitials(words: Words, at: number, block: number, before: string): string {
    const word = words.folded[at] ?? ''
    const follows = words.gap(at) === ' ' || words.gap(at) === '-'
    if (isFunctionWord(word)) return follows ? before : ''
    if (!isCapital(words.at(at))) return ''
    const initials = `${follows && before.length < MOST_INITIALS ? before : ''}${word.charAt(0)}`
    if (initials.length > 1) this.#add(`i:${initials}`, block)
    return initials
  }
}
