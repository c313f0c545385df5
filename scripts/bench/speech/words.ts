import { englishWords } from '../../../plugins/speech/text/english/words.js'

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'
const NUMBERS = new Map([
  ...UNITS.split(' ').map((word, at) => [word, at] as const),
  ...TENS.split(' ').map((word, at) => [word, 20 + 10 * at] as const),
])
const SCALES = new Map([
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
])
/** British spellings, and words that are written in two ways. */
const SAME = new Map([
  ['kilometres', 'kilometers'],
  ['kilometre', 'kilometer'],
  ['metres', 'meters'],
  ['centre', 'center'],
  ['grey', 'gray'],
  ['colour', 'color'],
  ['ok', 'okay'],
  ['mr', 'mister'],
])

/** Two numbers with a hyphen between them, which no sign of minus is. */
const TWO = /(?<![\d-])(\d{1,3})-(\d{1,3})(?![\d-])/g

/**
 * The words of an English text in the form in which two listeners write the same: in small letters, without punctuation, figures and signs as they are said,
 * and numbers as digits, so that "twelve oh four", "1,204" and "one thousand two hundred four" are one word.
 */
export function scoredWords(text: string): string[] {
  const words = englishWords(text.replace(TWO, '$1 $2'))
    .toLowerCase()
    .replaceAll('per cent', 'percent')
    .replace(/\b([ap]) m\b/g, '$1m')
    .replace(/[’‘]/g, "'")
    .split(/[^a-z0-9']+/)
    .map((word) => word.replace(/^'+|'+$/g, ''))
    .filter((word) => word !== '')
  const said: string[] = []
  for (let at = 0; at < words.length;) {
    const { digits, used } = numberAt(words, at)
    const word = words[at] ?? ''
    said.push(digits === '' ? (SAME.get(word) ?? word) : digits)
    at += Math.max(1, used)
  }
  return said
}

/** The digits of the number that begins with a word, and how many words it has; none where there is no number. */
function numberAt(words: readonly string[], from: number): { readonly digits: string; readonly used: number } {
  const parts: { value: number; room: number }[] = []
  let at = from
  for (; at < words.length; at++) {
    const word = words[at] ?? ''
    const [number, scale, last] = [NUMBERS.get(word) ?? (word === 'oh' && at > from ? 0 : undefined), SCALES.get(word), parts.at(-1)]
    if (number !== undefined) {
      const room = number >= 20 ? 10 : 1
      if (last !== undefined && number > 0 && number < last.room) Object.assign(last, { value: last.value + number, room })
      else parts.push({ value: number, room })
    } else if (scale !== undefined && last !== undefined) {
      // Of "one million two hundred thousand" the two hundred alone are thousands.
      const low = last.value % (scale === 100 ? 1_000 : scale * 1_000)
      Object.assign(last, { value: last.value - low + low * scale, room: scale })
    } else if (/^\d+$/.test(word)) parts.push({ value: Number(word), room: 1 })
    else break
  }
  return { digits: parts.map(({ value }) => String(value)).join(''), used: at - from }
}

/** A position in the spoken and in the recognised words; null where one of them has none. */
export type Pair = readonly [said: number | null, heard: number | null]

/** Which words are which, with the fewest substitutions, deletions and insertions (Levenshtein). */
export function aligned(said: readonly string[], heard: readonly string[]): Pair[] {
  const width = heard.length + 1
  const costs = new Uint32Array((said.length + 1) * width)
  const cost = (at: number, to: number): number => costs[at * width + to] ?? 0
  const change = (at: number, to: number): number => (said[at] === heard[to] ? 0 : 1)
  for (let at = said.length; at >= 0; at--)
    for (let to = heard.length; to >= 0; to--) {
      if (at === said.length || to === heard.length) costs[at * width + to] = said.length - at + heard.length - to
      else costs[at * width + to] = Math.min(change(at, to) + cost(at + 1, to + 1), 1 + cost(at + 1, to), 1 + cost(at, to + 1))
    }
  const pairs: Pair[] = []
  for (let at = 0, to = 0; at < said.length || to < heard.length;) {
    if (at < said.length && to < heard.length && cost(at, to) === change(at, to) + cost(at + 1, to + 1)) pairs.push([at++, to++])
    else if (at < said.length && cost(at, to) === 1 + cost(at + 1, to)) pairs.push([at++, null])
    else pairs.push([null, to++])
  }
  return pairs
}

/** The number of spoken words, and of those recognised wrong, left out or added. */
export interface Heard {
  readonly wrong: number
  readonly of: number
}

/** The errors of a transcript. */
export function heardOf(said: string, heard: string): Heard {
  const [one, other] = [scoredWords(said), scoredWords(heard)]
  const wrong = aligned(one, other).filter(([at, to]) => at === null || to === null || one[at] !== other[to]).length
  return { wrong, of: one.length }
}

/** The word error rate of several texts together, in percent. */
export function wordErrors(texts: readonly Heard[]): number {
  const [wrong, of] = texts.reduce(([errors, words], each) => [errors + each.wrong, words + each.of], [0, 0])
  return (100 * wrong) / of
}
