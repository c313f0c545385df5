import { isAcronym, type Claim } from './claims.js'
import { dateAt, type DatePart } from './dates.js'
import { figureAt, normal, type Figure } from './figures.js'
import { isNamed } from './units.js'
import type { WantedKeys, WordKeys } from './wanted-keys.js'
import { Words } from './words.js'

/** Blocks of a source, one bit per block. */
const BLOCKS = 256
const ROW = BLOCKS / 32
/** Minimum characters of a block; the same or the next block counts as near. */
const LEAST_BLOCK = 200
/** Characters indexed of one source. */
const LONGEST = 1_000_000
const MOST_INITIALS = 8

/** The positions of wanted keys in a source: for each key, the blocks that contain it. */
export class SourceIndex {
  readonly #keys: WantedKeys
  readonly #rows: Uint32Array
  /** Blocks of the topic words. */
  readonly #about = new Uint32Array(ROW)

  /** Linear in the length of the passages. */
  constructor(passages: readonly string[], keys: WantedKeys) {
    this.#keys = keys
    this.#rows = new Uint32Array(keys.size * ROW)
    const words = new Words(passages.join('\n\n').slice(0, LONGEST))
    const size = Math.max(LEAST_BLOCK, Math.ceil(words.text.length / BLOCKS))
    let initials = ''
    for (let at = 0; at < words.folded.length; at++) {
      const block = Math.min(BLOCKS - 1, Math.floor(words.startOf(at) / size))
      const isNumber = words.isNumber(at)
      const own = isNumber ? null : keys.ofWord(words.folded[at] ?? '')
      if (own === null || own.mayCount) {
        const date = dateAt(words, at)
        const figure = date === null ? figureAt(words, at) : null
        if (date !== null) for (const each of date.dates) this.#addDate(each, block)
        if (figure !== null) this.#addFigure(figure, block)
        if (isNumber && figure !== null && words.folded[at]?.length === 4) this.#add(`Y:${words.folded[at]}`, 0, BLOCKS)
        const to = date?.to ?? (isNumber ? figure?.to : undefined)
        if (to !== undefined) {
          at = to - 1
          initials = ''
          continue
        }
      }
      const keysOf = own ?? keys.ofWord(words.folded[at] ?? '')
      this.#addWord(words, at, keysOf, block)
      if (keys.wantsInitials) initials = this.#addInitials(words, at, { own: keysOf, block, before: initials })
    }
  }

  has(key: string): boolean {
    const number = this.#keys.numberOf(key)
    if (number !== null) for (let at = number * ROW; at < (number + 1) * ROW; at++) if (this.#rows[at] !== 0) return true
    return false
  }

  /** The claims of a sentence, with these topic words, that the source does not support. */
  missing(claims: readonly Claim[], terms: readonly string[]): Claim[] {
    const about = terms.length === 0 ? null : this.#any(terms)
    const foreign = about?.every((bits) => bits === 0) === true
    return claims.filter(({ ways, near }) => {
      if (foreign && near === 'strong') return true
      return !ways.some((way) => this.#together(way, near === 'no' || foreign ? null : about))
    })
  }

  /** Whether all keys are in one block, one of the given blocks if any. */
  #together(way: readonly string[], among: Uint32Array | null): boolean {
    const numbers = way.map((key) => this.#keys.numberOf(key))
    for (let at = 0; at < ROW; at++) {
      let bits = among === null ? 0xffffffff : (among[at] ?? 0)
      for (const number of numbers) bits &= number === null ? 0 : (this.#rows[number * ROW + at] ?? 0)
      if (bits !== 0) return true
    }
    return false
  }

  #any(terms: readonly string[]): Uint32Array {
    const all = this.#about.fill(0)
    for (const term of terms) {
      const number = this.#keys.numberOf(term)
      if (number !== null) for (let at = 0; at < ROW; at++) all[at] = (all[at] ?? 0) | (this.#rows[number * ROW + at] ?? 0)
    }
    return all
  }

  #add(key: string, from: number, to = from + 1): void {
    this.#mark(this.#keys.numberOf(key), from, to)
  }

  /** Marks blocks in the row of a key. */
  #mark(number: number | null, from: number, to = from + 1): void {
    if (number === null) return
    for (let block = Math.max(0, from); block < Math.min(BLOCKS, to); block++) {
      const at = number * ROW + (block >> 5)
      this.#rows[at] = (this.#rows[at] ?? 0) | (1 << (block & 31))
    }
  }

  #addWord(words: Words, at: number, { terms, name, initials, plain, month }: WordKeys, block: number): void {
    for (const term of terms) this.#mark(term, block - 1, block + 2)
    this.#mark(name, block, block + 2)
    this.#mark(month, block - 1, block + 2)
    if (initials !== null && isAcronym(words.at(at))) this.#mark(initials, block)
    if (plain !== null && !words.isCapital(at)) this.#mark(plain, block)
  }

  #addFigure({ values, unit, counts }: Figure, block: number): void {
    for (const value of values) {
      this.#add(`${value}*`, block)
      this.#add(`${value}|${unit ?? (counts ? '#' : '')}`, block)
      if (unit === null || !isNamed(unit)) this.#add(`${value}~`, block)
    }
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

  /** Extends the initials of consecutive capitalised words, skipping short function words between them. */
  #addInitials(words: Words, at: number, { own, block, before }: { own: WordKeys; block: number; before: string }): string {
    const follows = words.follows(at)
    if (own.isFunctionWord) return follows ? before : ''
    if (!words.isCapital(at)) return ''
    const initials = `${follows && before.length < MOST_INITIALS ? before : ''}${(words.folded[at] ?? '').charAt(0)}`
    if (initials.length > 1) this.#add(`i:${initials}`, block)
    return initials
  }
}
