import { isFunctionWord } from './common-words.js'
import { scalesOf, unitOf } from './units.js'
import type { Words } from './words.js'

/** One reading of a figure. */
export interface Figure {
  /** Its normalised values, such as `n12e5` for 1,200,000; several when the grouping is ambiguous. */
  readonly values: readonly string[]
  readonly unit: string | null
  /** A word that is not a unit follows: the figure is a count. */
  readonly counts: boolean
  /** It has a scale word such as `million`. */
  readonly scaled: boolean
  /** Index of the word after it and its unit. */
  readonly to: number
}

/** Most groups of digits read as one figure. */
const MOST_GROUPS = 8
const SIGN_BEHIND = /^ ?(?:([%‰$€£¥₹₩])|(°) ?$)/
const SIGN_BEFORE = /([$€£¥₹₩]) ?$/
/** Separators allowed between a figure, its scale and its unit; the full stop is for `Mio.`. */
const UNIT_GAPS = new Set(['', ' ', '\n', '-', '. '])
const DOLLARS = new Map([
  ['us', 'usd'],
  ['canadian', 'cad'],
  ['australian', 'aud'],
])
const PER = new Set(['per', 'pour', 'por'])
const CENT = new Set(['cent', 'ciento', 'cento'])
const SEPARATORS = new Set([...".,'’"])

/** Number words that are also articles. */
const ARTICLES = new Set(['ein', 'un', 'uno'])
/** Number words in English, German, French and Spanish. */
const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  [
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
    'null ein zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
    'zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize',
    'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis',
    'zeroth first second third fourth fifth sixth seventh eighth ninth tenth',
  ]
    .flatMap((row) => row.split(' ').map((word, value): [string, number] => [word, value]))
    .filter(([word]) => !ARTICLES.has(word))
    .concat([
      ['thirty', 30],
      ['forty', 40],
      ['fifty', 50],
      ['sixty', 60],
      ['seventy', 70],
      ['eighty', 80],
      ['ninety', 90],
      ['hundred', 100],
    ]),
)

/** True for a folded number word. */
export function isSpelledNumber(word: string): boolean {
  return NUMBER_WORDS.has(word)
}

/**
 * The figure starting at a word, or null. Usual grouping and decimals (`1,234.5`, `1.234,5`, `1 234`, `1'234`,
 * `12,34,567`), a scale (`million`, `Mrd.`, `k`), a unit or currency before or after.
 */
export function figureAt(words: Words, at: number): Figure | null {
  const { folded } = words
  const spelled = NUMBER_WORDS.get(folded[at] ?? '')
  if (spelled !== undefined) return scaled(words, at + 1, [[String(spelled), 0]], null)
  if (!words.isNumber(at)) return null
  const time = timeAt(words, at)
  if (time !== null) return time
  const groups = [folded[at] ?? '']
  const marks: string[] = []
  let to = at + 1
  for (; groups.length < MOST_GROUPS && words.isNumber(to) && joins(words, groups, to); to++) {
    marks.push(words.gap(to))
    groups.push(folded[to] ?? '')
  }
  const read = readings(groups, marks)
  if (read === null)
    return { values: [`v${groups.join('.')}`, ...groups.map((group) => normal(group))], unit: null, counts: false, scaled: false, to }
  return scaled(words, to, read, currencyBefore(words, at))
}

function joins(words: Words, groups: readonly string[], at: number): boolean {
  const gap = words.gap(at)
  if (SEPARATORS.has(gap)) return true
  return gap === ' ' && (groups[0]?.length ?? 4) <= 3 && words.folded[at]?.length === 3 && words.gap(at + 1) !== '-'
}

/** Hour and minute. */
function timeAt(words: Words, at: number): Figure | null {
  const { folded } = words
  const [hour = '', minute = ''] = [folded[at], folded[at + 1]]
  if (words.gap(at + 1) !== ':' || minute.length !== 2 || hour.length > 2 || !words.isNumber(at + 1)) return null
  const afternoon = folded[at + 2] === 'pm' || (folded[at + 2] === 'p' && folded[at + 3] === 'm')
  const hours = afternoon && Number(hour) < 12 ? Number(hour) + 12 : Number(hour)
  return { values: [`t${hours}:${minute}`], unit: null, counts: false, scaled: false, to: at + 2 }
}

function scaled(words: Words, at: number, read: readonly (readonly [string, number])[], before: string | null): Figure {
  const glued = words.gap(at) === ''
  const near = glued || words.gap(at) === ' ' || words.gap(at) === '\n' || words.gap(at) === '-'
  const powers = near ? scalesOf(words.folded[at] ?? '', glued || before !== null) : []
  const values =
    powers.length === 0
      ? read.map(([digits, power]) => normal(digits, power))
      : read.flatMap(([digits, power]) => powers.map((more) => normal(digits, power + more)))
  // A letter may be a scale or a unit.
  const isScale = powers.length > 0 && !powers.includes(0)
  const end = isScale ? at + 1 : at
  const behind = unitBehind(words, end)
  const unit = before ?? behind?.unit ?? null
  return { values, unit, counts: unit === null && namesThing(words, end), scaled: isScale, to: behind?.to ?? end }
}

/** Whether a counted thing follows the figure: a word other than those between two figures (`4 to 5 percent`). */
function namesThing(words: Words, at: number): boolean {
  const word = words.folded[at] ?? ''
  return words.gap(at) === ' ' && word.length > 2 && !words.isNumber(at) && !isFunctionWord(word)
}

function currencyBefore(words: Words, at: number): string | null {
  const gap = words.gap(at)
  const sign = SIGN_BEFORE.exec(gap)?.[1]
  if (sign !== undefined) return (gap.startsWith('$') ? unitOf(`${words.folded[at - 1] ?? ''}$`) : undefined) ?? unitOf(sign) ?? null
  return gap === ' ' && /^[A-Z]{3}$/.test(words.at(at - 1)) ? (unitOf(words.folded[at - 1] ?? '') ?? null) : null
}

/** The unit that follows directly, as a sign or as a word, and the index after it. */
function unitBehind(words: Words, at: number): { readonly unit: string; readonly to: number } | null {
  const gap = words.gap(at)
  const word = words.folded[at] ?? ''
  const found = (unit: string | undefined, to: number) => (unit === undefined ? null : { unit, to })
  const [, sign, degree] = SIGN_BEHIND.exec(gap) ?? []
  if (degree !== undefined) return found(unitOf(`°${word}`), at + 1)
  if (sign !== undefined) return found(unitOf(sign), at)
  if (!UNIT_GAPS.has(gap)) return null
  if (PER.has(word)) return CENT.has(words.folded[at + 1] ?? '') ? { unit: 'percent', to: at + 2 } : null
  if (DOLLARS.has(word) && /^dollars?$/.test(words.folded[at + 1] ?? '')) return found(DOLLARS.get(word), at + 2)
  return found(unitOf(word), at + 1)
}

/** Possible readings of groups of digits: digits and a power of ten. Null for something that is not a number, such as a version. */
function readings(groups: readonly string[], marks: readonly string[]): (readonly [string, number])[] | null {
  const all = groups.join('')
  if (groups.length === 1) return [[all, 0]]
  const last = marks.at(-1)
  const found: (readonly [string, number])[] = []
  if (isGrouped(groups) && marks.every((mark) => mark === last)) found.push([all, 0])
  const whole = groups.slice(0, -1)
  const inner = marks.slice(0, -1)
  const decimal = last === '.' || last === ','
  if (decimal && inner.every((mark) => mark === inner[0] && mark !== last) && (whole.length === 1 || isGrouped(whole)))
    found.push([all, -(groups.at(-1)?.length ?? 0)])
  return found.length === 0 ? null : found
}

/** Thousands, or lakhs and crores. */
function isGrouped([first = '', ...others]: readonly string[]): boolean {
  if (first.length > 3 || first.startsWith('0')) return false
  if (others.every(({ length }) => length === 3)) return true
  return first.length <= 2 && others.at(-1)?.length === 3 && others.slice(0, -1).every(({ length }) => length === 2)
}

/** The normalised form of a value: its digits without leading and trailing zeros, and a power of ten. */
export function normal(digits: string, power = 0): string {
  let [from, to] = [0, digits.length]
  while (from < to && digits[from] === '0') from++
  while (to > from && digits[to - 1] === '0') to--
  return from === to ? 'n0' : `n${digits.slice(from, to)}e${power + digits.length - to}`
}
