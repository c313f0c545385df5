import { spellings } from './spell.js'

/** Forms of a first and a last name in addresses, the most likely first. */
export interface NameForms {
  readonly first: readonly string[]
  readonly last: readonly string[]
  /** Both initials of a double first name (`jp`), else null. */
  readonly initials: string | null
}

const TITLES = new Set('mr mrs ms miss mx dr prof professor sir dame herr frau hr dipl ing mag dott dra mme mlle'.split(' '))
const DEGREES = new Set('jr sr ii iii iv phd md mba msc bsc esq cpa dds'.split(' '))
const PARTICLES = new Set(
  'van von vom de der den des del della dei di da das do dos du d la le les el al ul bin bint ibn ben ten ter te zu zum zur af av y e und of san st in op aan t'.split(
    ' ',
  ),
)
/** Domains in which umlauts and similar letters usually lose their marks. */
const MARKS_OFF = /\.(?!de$|at$|ch$|li$|lu$)[a-z]{2}$/
const MOST_FORMS = 4
const LONGEST = 40

/** The forms of a name for addresses at a domain; lists are empty for unsupported scripts. */
export function nameForms(first: string, last: string, domain: string): NameForms {
  const spelledOut = !MARKS_OFF.test(domain)
  return {
    first: forms(firstParts(words(first)), spelledOut),
    last: forms(lastParts(words(last)), spelledOut),
    initials: initialsOf(words(first), spelledOut),
  }
}

/** Words of a name; hyphenated words are not split. Nicknames in parentheses or quotes are left out. */
function words(name: string): readonly string[] {
  const plain = name
    .replace(/\([^()]*\)|"[^"]*"/g, ' ')
    .replace(/\p{Pd}/gu, '-')
    .replace(/(\p{L})\.-?(?=\p{L})/gu, '$1. ')
  const all = plain.split(/[\s,]+/).filter((word) => /\p{L}/u.test(word))
  let from = 0
  let to = all.length
  while (from < to - 1 && TITLES.has(lettersOf(all[from]))) from++
  while (to > from + 1 && DEGREES.has(lettersOf(all[to - 1]))) to--
  return all.slice(from, to)
}

function initialsOf(all: readonly string[], spelledOut: boolean): string | null {
  const each = all.flatMap((word) => word.split('-')).filter((word) => lettersOf(word).length > 1)
  const letters = each.slice(0, 2).map((word) => spellings(word, spelledOut)[0]?.slice(0, 1) ?? '')
  return letters.length < 2 || letters.includes('') ? null : letters.join('')
}

/** The first of several first names, then all of them; initials in between are skipped. */
function firstParts(all: readonly string[]): readonly string[] {
  const [head = ''] = all
  const full = all.filter((word, place) => place === 0 || lettersOf(word).length > 1)
  const halves = head.split('-').filter((half) => half !== '')
  return halves.length > 1 ? [head, halves.join(''), halves[0] ?? ''] : [head, full.join(''), full.join('-')]
}

/**
 * A surname with its particles joined (`vanderberg`), and without (`berg`); for a double one both, the first, the
 * last.
 */
function lastParts(all: readonly string[]): readonly string[] {
  const main = all.filter((word, place) => place === all.length - 1 || !PARTICLES.has(lettersOf(word)))
  const [head = ''] = main
  const tail = main.at(-1) ?? ''
  if (main.length < all.length) return [all.join(''), main.join(''), all.join('-'), main.length > 1 ? head : all.join('.')]
  const halves = main.flatMap((word) => word.split('-')).filter((half) => half !== '')
  if (halves.length < 2) return [head]
  const hyphened = tail.includes('-')
  return hyphened ? [main.join(''), halves.join(''), halves.at(-1) ?? '', halves[0] ?? ''] : [head, main.join(''), main.join('-'), tail]
}

function forms(parts: readonly string[], spelledOut: boolean): readonly string[] {
  // The most likely spelling of each part before the second spelling of any.
  const spelled = [...new Set(parts)].map((part) => hyphenated(part, spelledOut))
  const depth = Math.max(0, ...spelled.map((each) => each.length))
  const all = Array.from({ length: depth }, (_, place) => spelled.flatMap((each) => each.slice(place, place + 1))).flat()
  const [main] = spelled
  const second = main?.[1]
  const ordered = second === undefined ? all : [...all.slice(0, 1), second, ...all.slice(1)]
  return [...new Set(ordered)].filter((form) => form !== '' && form.length <= LONGEST).slice(0, MOST_FORMS)
}

function hyphenated(part: string, spelledOut: boolean): readonly string[] {
  const halves = part.split(/([-.])/).filter((half) => half !== '')
  const each = halves.map((half) => (half === '-' || half === '.' ? [half] : spellings(half, spelledOut)))
  const depth = Math.max(0, ...each.map((ways) => ways.length))
  if (each.some((ways) => ways.length === 0)) return []
  return Array.from({ length: depth }, (_, place) =>
    each
      .map((ways) => ways[Math.min(place, ways.length - 1)] ?? '')
      .join('')
      .replace(/^[-.]+|[-.]+$/g, '')
      .replace(/([-.])[-.]+/g, '$1'),
  )
}

function lettersOf(word: string | undefined): string {
  return (word ?? '').toLowerCase().replace(/[^\p{L}]/gu, '')
}
