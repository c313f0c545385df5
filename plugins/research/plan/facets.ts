import { line, terms, topic } from '../../search/contract.js'
import type { Facet } from '../run-state.js'
import { topicWords, wordsIn } from '../text/topic-words.js'

/** Maximum characters of a search query. */
const LONGEST_SEARCH = 300
/** Words used of a longer question. */
const MOST_WORDS = 30
const MOST_FACETS = 6
/** Minimum topic words for a part of a question to become a question. */
const LEAST_TERMS = 2
const COMPARED = [' versus ', ' vs. ', ' vs ', ' compared to ', ' compared with ', ' in comparison with ']
const QUOTED = /["“„«]([^"“”„«»]{2,80})["”“»]/g
const NAME = /(?:\p{Lu}[\p{L}\p{N}.&-]{1,30})(?: (?:\p{Lu}|\p{N})[\p{L}\p{N}.&-]{0,30}){0,4}/gu

/** The questions in a query, without a model: its own ones, the two sides of a comparison, or the query itself. */
export function facetsOf(query: string): Facet[] {
  const whole = line(query, 2_000)
  const own = questionsIn(whole)
  const sides = own.length > 1 ? [] : sidesOf(whole)
  const parts = own.length > 1 ? own : sides
  const facets = [{ question: whole, search: searchOf(whole) }, ...parts.map((part) => ({ question: part, search: searchOf(part) }))]
  return distinct(facets).slice(0, MOST_FACETS)
}

/** Alternative searches for a query: its topic words alone, and its names with the requested property. */
export function searchesOf(query: string): string[] {
  const whole = line(query, 2_000)
  const words = topicWords(whole)
  const names = namesIn(whole)
  const named = names.length === 0 ? [] : [`${names.slice(0, 2).join(' ')} ${withoutTerms(words, names).slice(0, 6).join(' ')}`]
  const found = [searchOf(whole), words.slice(0, MOST_WORDS).join(' '), ...named].map((search) => line(search, LONGEST_SEARCH))
  return found.filter((search, at) => search !== '' && found.findIndex((other) => sameWords(other, search)) === at)
}

/** A question as a search query: a long one is reduced to its topic words. */
export function searchOf(question: string): string {
  const whole = line(question, 2_000)
  return whole.length <= LONGEST_SEARCH ? whole : line(topicWords(whole).slice(0, MOST_WORDS).join(' '), LONGEST_SEARCH)
}

/** Quoted texts and capitalised words, except the first word of the text. */
export function namesIn(text: string): string[] {
  const quoted = Array.from(text.matchAll(QUOTED), ([, inside = '']) => inside)
  const named = Array.from(text.matchAll(NAME), ({ 0: name, index }) => (index === 0 && !name.includes(' ') ? '' : name))
  return [...new Set([...quoted, ...named])].filter((name) => name.length > 1)
}

/** Word pairs that occur near the subject in several texts and not in the query, the most frequent first. */
export function relatedWords(query: string, texts: readonly string[], most: number): string[] {
  const own = new Set(terms(query))
  const holding = new Map<string, number>()
  for (const text of texts) {
    const pairs = new Set<string>()
    const words = wordsIn(text)
    for (let at = 1; at < words.length; at++) {
      const [first = '', second = ''] = [words[at - 1], words[at]]
      if (isTelling(first, own) && isTelling(second, own) && first !== second) pairs.add(`${first} ${second}`)
    }
    for (const pair of pairs) holding.set(pair, (holding.get(pair) ?? 0) + 1)
  }
  return [...holding]
    .filter(([, count]) => count > 1)
    .sort(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([pair]) => pair)
}

function isTelling(word: string, own: ReadonlySet<string>): boolean {
  return word.length > 3 && !/^\d+$/.test(word) && !terms(word).some((term) => own.has(term)) && topicWords(`${word} x`).includes(word)
}

function questionsIn(query: string): string[] {
  return query
    .split(/[?;\n]|(?<=[.!]) /)
    .map((part) => part.trim())
    .filter((part) => topic(part).length >= LEAST_TERMS)
}

/** Each side of a comparison, with the compared property. */
function sidesOf(query: string): string[] {
  const lower = query.toLowerCase()
  const word = COMPARED.find((each) => lower.includes(each))
  if (word === undefined) return []
  const at = lower.indexOf(word)
  const first = query.slice(0, at).trim()
  const second = query.slice(at + word.length).trim()
  return topic(first).length > 0 && topic(second).length > 0 ? [first, second] : []
}

function withoutTerms(words: readonly string[], names: readonly string[]): string[] {
  const named = new Set(names.flatMap((name) => terms(name)))
  return words.filter((word) => !terms(word).some((term) => named.has(term)))
}

function distinct(facets: readonly Facet[]): Facet[] {
  return facets.filter(({ search }, at) => search !== '' && facets.findIndex((other) => sameWords(other.search, search)) === at)
}

function sameWords(one: string, other: string): boolean {
  return terms(one).sort().join(' ') === terms(other).sort().join(' ')
}
