import { sentences } from '../../_shared/sentences.js'
import { isAddress } from '../../search/contract.js'
import type { Passage } from '../run-state.js'

/** Characters of a sentence, and of a list that is quoted as one. */
const [SHORTEST, LONGEST, LONGEST_LIST] = [25, 400, 500]
const FEWEST_WORDS = 5
/** Characters of a label that belongs to the sentence after it. */
const LONGEST_LABEL = 100
/** Other scripts say more in fewer characters, and their words have no blanks between them. */
const OF_LATIN = 3
const LATIN = /^[\u0020-\u024f\u2010-\u2030]*$/
const END = /[.!…。！]["'”’»)]{0,2}$/
const BEGINNING = /^["'“„«(]?[\p{L}\p{N}/]/u
/** Share of letters, digits and blanks in a sentence; commands, formulas and rows of signs have less. */
const LEAST_LETTERS = 0.86
const SIGNS = /[^\p{L}\p{N}\p{M}\s]/gu
/** Signs between the links of a navigation. */
const BETWEEN_LINKS = /[|»›«‹•·]/g
const MOST_BETWEEN_LINKS = 2
/** What pages say of themselves and ask of their visitors, in lower case. */
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

/** The sentences of a passage in their order; null in place of those that are not quoted. */
export type Quotable = readonly (string | null)[]

/**
 * The sentences of a passage in their order, null in place of what no report quotes: headings, commands, items of a list that are no sentences, navigation, what a page
 * says of itself, questions, and what holds an address. A line that ends with a colon is one sentence with the list or the sentence that it announces.
 * `isCut`: the passage is a snippet, whose ends may be missing. Empty for tables and code.
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

/** A line that announces a list with as many of its items as there is room for; null where no item follows, or the first is too long. */
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

/** It is made of words rather than of signs. */
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
