import { sentences } from '../../_shared/sentences.js'
import { isAddress } from '../../search/contract.js'
import type { Passage } from '../run-state.js'

/** Length limits of a sentence, and of a list quoted as one. */
const [SHORTEST, LONGEST, LONGEST_LIST] = [25, 400, 500]
const FEWEST_WORDS = 5
/** Maximum length of a label that belongs to the next sentence. */
const LONGEST_LABEL = 100
/** Other scripts need fewer characters, and have no blanks between words. */
const OF_LATIN = 3
const LATIN = /^[\u0020-\u024f\u2010-\u2030]*$/
const END = /[.!…。！]["'”’»)]{0,2}$/
const BEGINNING = /^["'“„«(]?[\p{L}\p{N}/]/u
/** Minimum share of letters, digits and blanks in a sentence; commands, formulas and rows of symbols have less. */
const LEAST_LETTERS = 0.86
const SIGNS = /[^\p{L}\p{N}\p{M}\s]/gu
/** Separators of navigation links. */
const BETWEEN_LINKS = /[|»›«‹•·]/g
const MOST_BETWEEN_LINKS = 2
/** Boilerplate phrases of pages, in lower case. */
const BOILERPLATE = [
  ...[
    'all rights reserved',
    'cookie',
    'privacy policy',
    'terms of use',
    'terms of service',
    'newsletter',
    'sign up',
    'sign in',
    'log in to',
  ],
  ...['subscribe', 'javascript', 'click here', 'read more', 'skip to', 'table of contents', 'last updated', 'last modified', 'next page'],
  ...['copyright ©', '© 20', 'see section', 'see chapter', 'see figure', 'alle rechte vorbehalten', 'datenschutz', 'tous droits réservés'],
]

/** The sentences of a passage in order; null for those that are not quoted. */
export type Quotable = readonly (string | null)[]

/**
 * The sentences of a passage in order, with null for those that no report quotes: headings, commands, list items that
 * are not sentences, navigation, boilerplate, questions, and sentences with an address. A line that ends with a colon
 * is one sentence with the following list or sentence. `isCut`: the passage is a snippet, whose ends may be missing.
 * Empty for tables and code.
 */
export function quotable({ text, isProse, items }: Passage, { isCut = false } = {}): Quotable {
  if (!isProse) return []
  const rows = text.split('\n').map(plain)
  const found: (string | null)[] = []
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? ''
    const listed = row.endsWith(':') && !items.has(at) ? listOf(rows, at, items) : null
    if (listed !== null) {
      found.push(isHarmless(listed.text) ? listed.text : null)
      at = listed.last
      continue
    }
    const isLabel = row.endsWith(':') && row.length <= LONGEST_LABEL && !items.has(at) && at + 1 < rows.length
    const own = isLabel ? `${row} ${rows[++at] ?? ''}` : row
    for (const sentence of sentences(own)) found.push(isSentence(sentence, isCut) ? sentence : null)
  }
  return found
}

/** A line that introduces a list, with as many items as fit; null when no item follows, or the first is too long. */
function listOf(rows: readonly string[], at: number, items: ReadonlySet<number>): { text: string; last: number } | null {
  let text = rows[at] ?? ''
  let next = at + 1
  for (; items.has(next); next++) {
    const item = (rows[next] ?? '').replace(/[.;,]$/, '')
    if (text.length + item.length + 2 > LONGEST_LIST) break
    text = `${text}${next === at + 1 ? ' ' : '; '}${item}`
  }
  return next === at + 1 ? null : { text: `${text}${items.has(next) ? '; …' : '.'}`, last: next - 1 }
}

function isSentence(text: string, isCut: boolean): boolean {
  const isLatin = LATIN.test(text)
  if (text.length > LONGEST || text.length < (isLatin ? SHORTEST : SHORTEST / OF_LATIN)) return false
  if (isLatin && text.split(' ').length < FEWEST_WORDS) return false
  return (isCut || END.test(text)) && !text.endsWith('?') && BEGINNING.test(text) && isRunning(text) && isHarmless(text)
}

/** It consists of words rather than symbols. */
function isRunning(text: string): boolean {
  if ((text.match(BETWEEN_LINKS)?.length ?? 0) > MOST_BETWEEN_LINKS) return false
  return 1 - (text.match(SIGNS)?.length ?? 0) / text.length >= LEAST_LETTERS
}

function isHarmless(text: string): boolean {
  const lower = text.toLowerCase()
  return !BOILERPLATE.some((words) => lower.includes(words)) && !text.split(' ').some((word) => isAddress(word))
}

/** Without footnotes, with single blanks. */
function plain(row: string): string {
  return row
    .replace(/\[[^[\]]{0,20}\]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
