import { allExtensions, isOpen } from '../catalogue/extensions.js'
import type { Name } from '../contract.js'
import { keywordsOf, themesOf, wordsOf } from './keywords.js'
import { clashesWith } from './marks.js'
import { sayability, scoreOf } from './sayable.js'
import { ENDINGS, PREFIXES, SUFFIXES, wordsOfTheme } from './vocabulary.js'

/** The basis for generated names. */
export interface Ground {
  readonly description: string
  readonly company_name: string | null
}

const LONGEST = 15
const SHORTEST = 3
/** Maximum length of a short name. */
const SHORT = 5
const LEAST_SAYABLE = 0.55
/** Minimum popularity of an extension used to split a word; rare country extensions are often closed to foreigners. */
const LEAST_POPULAR = 20
/** Most names of one kind from one word. */
const MOST_OF_A_WORD = 2
const COMMON_LETTERS = 3

interface Made extends Name {
  readonly score: number
  /** The word it is derived from. */
  readonly root: string
}

/**
 * Names from the words of a description: the company's own, blends, words with a prefix or suffix, and words that end
 * in an extension. Kinds alternate, the best of each first; none is near a well-known mark. Deterministic.
 */
export function madeNames({ description, company_name }: Ground, count: number): Name[] {
  const words = keywordsOf(`${company_name ?? ''} ${description}`)
  const related = themesOf(description)
    .slice(0, 2)
    .flatMap(({ theme }) => wordsOfTheme(theme).slice(-12))
    .filter((word) => !words.includes(word))
  const own = ownNames(company_name)
  const split = hacks([...own.map(({ label }) => label), ...words, ...related])
  return mixed([...own, ...split, ...blends(words, related), ...affixes(words), ...endings(words)], count)
}

function ownNames(company: string | null): Made[] {
  const words = company === null ? [] : wordsOf(company)
  const joined = words.join('')
  const initials = words.map((word) => word.slice(0, 1)).join('')
  return [
    ...named(joined, 'exact', 1),
    ...(words.length > 1 && words.length < 4 ? named(words.join('-'), 'exact', 0.4) : []),
    ...(initials.length >= SHORTEST ? named(initials, 'short', 0.2) : []),
  ]
}

/** Whole words whose end is an extension, such as `solar` as `so.lar` if there were one. */
function hacks(words: readonly string[]): Made[] {
  const open = allExtensions().filter(
    (extension) => isOpen(extension) && extension.popularity >= LEAST_POPULAR && /^[a-z]+$/.test(extension.tld),
  )
  return words.flatMap((word) =>
    open
      .filter(({ tld }) => word.endsWith(tld) && word.length - tld.length >= 2)
      .map(({ tld, popularity }) => ({
        label: word.slice(0, -tld.length),
        tld,
        category: 'hack',
        score: 0.7 + popularity / 400 - (word.length > 9 ? 0.15 : 0),
        root: word,
      })),
  )
}

/** Two words in one: overlapping letters are shared, else the start of one and the end of the other. */
function blends(words: readonly string[], related: readonly string[]): Made[] {
  return words.slice(0, 6).flatMap((first) =>
    [...words.slice(0, 6), ...related.slice(0, 16)]
      .filter((second) => second !== first)
      .flatMap((second) => {
        const whole = first.length + second.length <= 9 ? named(first + second, 'compound', 0, first) : []
        const cut = named(headOf(first) + tailOf(second), 'blend', 0.02, first)
        return [...overlapped(first, second).flatMap((label) => named(label, 'blend', 0.15, first)), ...cut, ...whole]
      }),
  )
}

function overlapped(first: string, second: string): string[] {
  for (let shared = COMMON_LETTERS; shared > 1; shared--)
    if (first.length > shared && second.length > shared && first.endsWith(second.slice(0, shared))) return [first + second.slice(shared)]
  return []
}

function affixes(words: readonly string[]): Made[] {
  return words
    .slice(0, 8)
    .flatMap((word, at) => [
      ...PREFIXES.flatMap((prefix) => named(prefix + word, 'prefix', -0.02 * at, word)),
      ...SUFFIXES.flatMap((suffix) => named(joinedOf(word, suffix), 'suffix', -0.02 * at, word)),
    ])
}

function endings(words: readonly string[]): Made[] {
  return words
    .slice(0, 8)
    .flatMap((word, at) => ENDINGS.flatMap((ending) => named(joinedOf(headOf(word), ending), 'invented', -0.02 * at, word)))
}

/** The start of a word through the consonants after its first vowels. */
function headOf(word: string): string {
  return /^[^aeiouy]*[aeiouy]+[^aeiouy]?/.exec(word)?.[0] ?? word
}

/** A word from its second last syllable on, so that it stays recognisable. */
function tailOf(word: string): string {
  return /(?<![aeiouy])[aeiouy]+[^aeiouy]+[aeiouy]*[^aeiouy]*$/.exec(word)?.[0] ?? word
}

/** A word and an ending, without a doubled vowel. */
function joinedOf(word: string, ending: string): string {
  return /[aeiouy]$/.test(word) && /^[aeiouy]/.test(ending) ? word.slice(0, -1) + ending : word + ending
}

function named(label: string, category: string, bonus: number, root = label): Made[] {
  const kind = label.length <= SHORT && category !== 'exact' ? 'short' : category
  return [{ label, tld: null, category: kind, score: scoreOf(label) + bonus, root }]
}

function isUsable({ label, tld, category }: Made): boolean {
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label) || /^..--/.test(label)) return false
  if (category === 'exact') return label.length <= 63 && clashesWith(label) === null
  const whole = label + (tld ?? '')
  if (whole.length > LONGEST || whole.length < SHORTEST || /(.)\1\1/.test(whole)) return false
  if (tld === null && sayability(label) < LEAST_SAYABLE) return false
  return clashesWith(whole) === null && clashesWith(label) === null
}

/** So many names, alternating between the kinds. */
function mixed(made: readonly Made[], count: number): Name[] {
  const sorted = [...made].sort((one, other) => other.score - one.score || (one.label < other.label ? -1 : 1))
  const kinds = [...new Set(sorted.map(({ category }) => category))].map((kind) => sorted.filter(({ category }) => category === kind))
  const chosen = new Map<string, Name>()
  const roots = new Map<string, number>()
  const take = ({ label, tld, category, root }: Made): boolean => {
    const uses = roots.get(`${category} ${root}`) ?? 0
    const key = `${label}.${tld ?? ''}`
    if (uses >= MOST_OF_A_WORD || chosen.has(key)) return false
    chosen.set(key, { label, tld, category })
    roots.set(`${category} ${root}`, uses + 1)
    return true
  }
  while (chosen.size < count && kinds.some((kind) => kind.length > 0))
    for (const kind of kinds) {
      if (chosen.size >= count) break
      for (let next = kind.shift(); next !== undefined; next = kind.shift()) if (isUsable(next) && take(next)) break
    }
  return [...chosen.values()]
}
