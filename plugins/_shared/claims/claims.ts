import { capitalisesNouns, isFunctionWord, isOrdinary, nameForm, namesNothing } from './common-words.js'
import { dateAt, type WrittenDate } from './dates.js'
import { figureAt, normal, type Figure } from './figures.js'
import { monthOf } from './months.js'
import { compatible, isNamed, unitOf } from './units.js'
import { Words } from './words.js'

/** Something in a sentence that its source must contain. */
export interface Claim {
  /** The claim as written in the sentence. */
  readonly shown: () => string
  /** Keys of `SourceIndex`: the claim is supported when all keys of one list are near each other. */
  readonly ways: readonly (readonly string[])[]
  /** Whether it must be near other words of the sentence; `weak`: not in a source with none of them, such as one in another language. */
  readonly near: 'no' | 'weak' | 'strong'
  /** Not a claim when one of these words occurs somewhere without a capital: its capital was due to its position. */
  readonly unless: string | null
}

export interface Claims {
  readonly claims: readonly Claim[]
  /** Keys of the topic words of the sentence. */
  readonly terms: readonly string[]
}

/** Scripts written without spaces, compared by pairs of characters. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const LAST_ASCII = 127
const ALL_CAPITALS = /^\p{Lu}{2,8}$/u
/** What may be between the words of a name. */
const IN_NAME = new Set([' ', '-', ' & ', '’', "'", '. '])
/** After these, a word has a capital because of its position. */
const OPENS = /[:;"“”„«»(*_|—]/
const LONGEST_NAME = 8
/** Number of digits from which a figure rarely matches by chance. */
const TELLING_DIGITS = 3

/** The distinct figures, dates and names of a sentence. `german`: all nouns have capitals, so only two words or initials make a name. */
export function claimsOf(words: Words, german: boolean): Claims {
  const claims = new Map<string, Claim>()
  const terms = new Set<string>()
  const add = (claim: Claim): void => {
    const key = claim.ways[0]?.join() ?? ''
    if (!claims.has(key)) claims.set(key, claim)
  }
  const count = words.folded.length
  for (let at = 0; at < count;) {
    const date = dateAt(words, at)
    const figure = date === null ? figureAt(words, at) : null
    if (date !== null) {
      add(dateClaim(words, at, date))
      at = date.to
    } else if (figure !== null && (figure.scaled || words.isNumber(at))) {
      add(figureClaim(words, at, figure))
      at = figure.to
    } else {
      const name = nameEnd(words, at)
      if (name > at) nameClaims(words, at, name, german).forEach(add)
      for (const end = Math.max(name, at + 1); at < end; at++) for (const term of termsOf(words.folded[at] ?? '')) terms.add(term)
    }
  }
  return { claims: [...claims.values()], terms: [...terms] }
}

/** Keys of a word for comparing topics: its first letters, or pairs of characters. */
export function termsOf(word: string): string[] {
  if (word.charCodeAt(0) > LAST_ASCII && UNSPACED.test(word)) {
    const characters = [...word]
    return characters.slice(1).map((second, at) => `p:${characters[at] ?? ''}${second}`)
  }
  return word.length < 3 || isFunctionWord(word) ? [] : [`p:${word.slice(0, 5)}`]
}

/** Whether a text is of a language that writes all nouns with capitals. */
export function isGerman(text: string): boolean {
  return capitalisesNouns(new Words(text).folded)
}

/** True for a word in capitals that may be the initials of a name. */
export function isAcronym(word: string): boolean {
  return ALL_CAPITALS.test(word)
}

function figureClaim(words: Words, at: number, { values: all, unit, counts, to }: Figure): Claim {
  // A version or a list of numbers counts as a whole.
  const values = all[0]?.startsWith('v') === true ? all.slice(0, 1) : all
  const ways = values.flatMap((value) => figureKeys(value, unit, counts).map((key) => [key]))
  // A page often gives its year once.
  const year = unit === null && to === at + 1 && /^(?:19|20)\d\d$/.test(words.folded[at] ?? '')
  const telling = unit !== null || values.some((value) => value.startsWith('v') || value.indexOf('e') > TELLING_DIGITS)
  return { shown: () => shown(words, at, to), ways, near: year ? 'no' : telling ? 'weak' : 'strong', unless: null }
}

/**
 * Keys under which a value may be indexed: with its unit or none. A percentage or an amount of money does not match a
 * count, nor the reverse.
 */
function figureKeys(value: string, unit: string | null, counts: boolean): string[] {
  if (unit === null) return [counts ? `${value}~` : `${value}*`]
  return ['', ...(isNamed(unit) ? [] : ['#']), ...compatible(unit)].map((each) => `${value}|${each}`)
}

function dateClaim(words: Words, at: number, { dates, to }: WrittenDate): Claim {
  const ways = dates.flatMap(({ year, month, day }) => {
    if (day === null) return year === null ? [[`m:${month}`]] : [[`f:${year}-${month}`], [`m:${month}`, `${normal(String(year))}*`]]
    const bare = `${normal(String(day))}|`
    if (year === null) return [[`e:${month}-${day}`], [`m:${month}`, bare]]
    return [
      [`d:${year}-${month}-${day}`],
      // The year may be elsewhere, and the day may be one of several before the same month.
      [`b:${month}-${day}`, `Y:${year}`],
      [`m:${month}`, bare, `${normal(String(year))}*`],
    ]
  })
  return { shown: () => shown(words, at, to), ways, near: 'no', unless: null }
}

/** Index after the words of a name that starts here; the index itself when there is none. */
function nameEnd(words: Words, at: number): number {
  let to = at
  while (
    to < words.folded.length &&
    to - at < LONGEST_NAME &&
    isNamePart(words, to) &&
    (to === at || (IN_NAME.has(words.gap(to)) && dateAt(words, to) === null))
  )
    to++
  return to
}

function isNamePart(words: Words, at: number): boolean {
  if (words.isNumber(at)) return false
  const word = words.at(at)
  if (!/[\p{Lu}\d]/u.test(word) || words.gap(at + 1).startsWith('$')) return false
  // A code before an amount is its unit.
  return !isAcronym(word) || unitOf(words.folded[at] ?? '') === undefined
}

function nameClaims(words: Words, from: number, to: number, german: boolean): Claim[] {
  const opens = from === 0 || OPENS.test(words.gap(from))
  const parts = words.folded.slice(from, to).map((word, at) => ({ word, written: words.at(from + at) }))
  const all = parts.filter(({ word, written }) => !namesNothing(word, isAcronym(written)) && monthOf(word) === undefined)
  const [first] = all
  if (first === undefined) return monthClaims(parts, opens)
  const plain = opens && !isMarked(first.written)
  if (plain && isOrdinary(first.word)) return all.length === 1 || (german && all.length === 2) ? [] : [nameClaim(all.slice(1), null)]
  if (all.length === 1) return german && !isMarked(first.written) ? [] : [nameClaim(all, plain ? first.word : null)]
  // The first word may be capitalised because of its position: the rest is then also a claim.
  return plain && !german ? [nameClaim(all, first.word), nameClaim(all.slice(1), null)] : [nameClaim(all, null)]
}

function nameClaim(parts: readonly { readonly word: string; readonly written: string }[], unless: string | null): Claim {
  const [first] = parts
  const ways = [parts.map(({ word }) => `w:${nameForm(word)}`)]
  if (parts.length > 1) ways.push([`u:${parts.map(({ word }) => word.charAt(0)).join('')}`])
  else if (first !== undefined && isAcronym(first.written)) ways.push([`i:${first.word}`])
  return {
    shown: () => parts.map(({ written }) => written).join(' '),
    ways,
    near: 'no',
    unless: unless === null ? null : `l:${nameForm(unless)}`,
  }
}

/** A name in any position: initials, or a word that contains a figure or an inner capital. */
function isMarked(written: string): boolean {
  return isAcronym(written) || /\d|.\p{Lu}/u.test(written)
}

/** A month alone, capitalised regardless of its position. */
function monthClaims(parts: readonly { readonly word: string; readonly written: string }[], opens: boolean): Claim[] {
  if (opens) return []
  return parts.flatMap(({ word, written }): Claim[] => {
    const month = monthOf(word)
    return month === undefined ? [] : [{ shown: () => written, ways: [[`m:${month}`]], near: 'no', unless: null }]
  })
}

/** Words as written, with a trailing unit sign. */
function shown(words: Words, from: number, to: number): string {
  const end = Math.min(words.startOf(to), words.startOf(to - 1) + words.at(to - 1).length + 2)
  return words.text.slice(words.startOf(from), end).replace(/[\s,;:(.!?]{1,2}$/, '')
}
