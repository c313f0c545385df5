import type { NamedPerson } from './types.js'

/** Roles of people; longer ones first. */
const ROLES = [
  'chief executive officer',
  'chief technology officer',
  'chief financial officer',
  'chief operating officer',
  'chief scientist',
  'chief executive',
  'managing director',
  'executive director',
  'vice president',
  'prime minister',
  'assistant professor',
  'associate professor',
  'principal investigator',
  ...'ceo cto cfo coo founder co-founder cofounder president chairman chairwoman chairperson chair director professor researcher scientist'.split(
    ' ',
  ),
  ...'engineer minister secretary spokesperson spokeswoman spokesman author editor analyst economist physicist chemist historian partner'.split(
    ' ',
  ),
]
  .map((role) => role.split(' '))
  .sort((one, other) => other.length - one.length)
/** The end of a company's name. */
const SUFFIXES = new Set(
  (
    'inc incorporated ltd limited llc llp gmbh ag se corp corporation plc sa sas srl bv nv oy oyj ab asa kg kgaa company co group holdings holding technologies ' +
    'labs laboratories systems software motors airlines pharmaceuticals therapeutics'
  ).split(' '),
)
/** Capitalised words that start sentences, or are in names of things, and are not names of people. */
const NO_NAMES = new Set(
  (
    'the a an in on at by of for from with and but or if when while this that these those it its he she they we you i our their his her as to is was are ' +
    'new north south east west united january february march april may june july august september october november december monday tuesday wednesday ' +
    'thursday friday saturday sunday university institute department ministry school college source sources'
  ).split(' '),
)
const JOINING = new Set(['is', 'was', 'became', 'as', 'served'])
const ARTICLES = new Set(['the', 'a', 'an', 'its', 'their', 'our', 'former', 'current', 'senior', 'deputy', 'acting'])
const BELONGING = new Set(['of', 'at', 'for', 'with'])
const MOST_TOKENS = 120

interface Token {
  /** Without punctuation around it. */
  readonly word: string
  readonly lower: string
  /** It begins with a capital. */
  readonly isUpper: boolean
  /** A comma or another separator follows. */
  readonly ends: boolean
}

/** The people with a role in a sentence, and its companies, by rules of English. Linear in the length of the sentence. */
export function namedIn(sentence: string): { readonly people: NamedPerson[]; readonly companies: string[] } {
  const tokens = sentence.split(/\s+/).slice(0, MOST_TOKENS).map(tokenOf)
  const people: NamedPerson[] = []
  for (let at = 0; at < tokens.length; at++) {
    const role = roleAt(tokens, at)
    if (role === null) continue
    const person = personOf(tokens, at, role)
    if (person !== null) people.push(person)
    at += role.length - 1
  }
  return { people, companies: [...companiesIn(tokens), ...people.flatMap(({ company }) => (company === null ? [] : [company]))] }
}

function tokenOf(text: string): Token {
  const word = text.replace(/^[^\p{L}\p{N}]{1,4}/u, '').replace(/(?:['’]s)?[^\p{L}\p{N}]{0,4}$/u, '')
  return {
    word,
    lower: word.toLowerCase(),
    isUpper: /^\p{Lu}/u.test(word),
    ends: /[,;:.!?)\]–—-]$/.test(text) && !/^\p{Lu}\.$/u.test(text),
  }
}

function roleAt(tokens: readonly Token[], at: number): readonly string[] | null {
  return ROLES.find((role) => role.every((word, next) => tokens[at + next]?.lower === word)) ?? null
}

function personOf(tokens: readonly Token[], at: number, role: readonly string[]): NamedPerson | null {
  const end = at + role.length
  const title = role.join(' ')
  const work = belongingAt(tokens, end)
  // "CEO Jane Doe", "Acme CEO Jane Doe", "CEO of Acme, Jane Doe".
  const after = nameFrom(tokens, work === null ? end : work.end)
  if (after !== null && !(work === null && tokens[end - 1]?.ends === true))
    return { name: after.text, role: title, company: work?.text ?? runBefore(tokens, at) ?? belongingAt(tokens, after.end)?.text ?? null }
  // "Jane Doe, the CEO of Acme", "Jane Doe is CEO of Acme".
  let before = at - 1
  while (ARTICLES.has(tokens[before]?.lower ?? '')) before--
  // "Jane Doe, Acme's CEO".
  const own = runBefore(tokens, before + 1)
  const joined = JOINING.has(tokens[before]?.lower ?? '')
  const name = nameUntil(tokens, joined ? before : before + 1, joined)
  if (name !== null) return { name, role: title, company: work?.text ?? null }
  if (own === null || work !== null) return null
  const earlier = nameUntil(tokens, before + 1 - own.split(' ').length, false)
  return earlier === null ? null : { name: earlier, role: title, company: own }
}

/** The organisation after "of" or "at". */
function belongingAt(tokens: readonly Token[], at: number): { readonly text: string; readonly end: number } | null {
  if (!BELONGING.has(tokens[at]?.lower ?? '') || tokens[at - 1]?.ends === true) return null
  let from = at + 1
  while (ARTICLES.has(tokens[from]?.lower ?? '') && tokens[from]?.isUpper === false) from++
  const words = runFrom(tokens, from, 5)
  return words.length === 0 ? null : { text: words.join(' '), end: from + words.length }
}

/** Capitalised words from a position on, up to the end of their clause. */
function runFrom(tokens: readonly Token[], from: number, most: number): string[] {
  const words: string[] = []
  for (let at = from; at < tokens.length && words.length < most; at++) {
    const token = tokens[at]
    if (token?.isUpper !== true || (words.length === 0 && NO_NAMES.has(token.lower))) break
    words.push(token.word)
    if (token.ends) break
  }
  return words
}

/** The capitalised words directly before a position within one clause; null for none. */
function runBefore(tokens: readonly Token[], before: number): string | null {
  const words: string[] = []
  for (let at = before - 1; at >= 0 && words.length < 4; at--) {
    const token = tokens[at]
    if (token?.isUpper !== true || token.ends || NO_NAMES.has(token.lower)) break
    words.unshift(token.word)
  }
  return words.length === 0 ? null : words.join(' ')
}

function nameFrom(tokens: readonly Token[], from: number): { readonly text: string; readonly end: number } | null {
  const words = runFrom(tokens, from, 3)
  return isName(words) ? { text: words.join(' '), end: from + words.length } : null
}

/** The name that ends before a position; followed by a comma, or directly by a verb. */
function nameUntil(tokens: readonly Token[], before: number, directly: boolean): string | null {
  if (tokens[before - 1]?.ends !== !directly) return null
  const words: string[] = []
  for (let at = before - 1; at >= 0 && words.length < 3; at--) {
    const token = tokens[at]
    if (token?.isUpper !== true || (words.length > 0 && token.ends) || NO_NAMES.has(token.lower)) break
    words.unshift(token.word)
  }
  return isName(words) ? words.join(' ') : null
}

function isName(words: readonly string[]): boolean {
  const [first = ''] = words
  return (
    words.length >= 2 &&
    words.length <= 3 &&
    words.every((word) => /^\p{Lu}(?:\p{Ll}|['’-]\p{L}|\p{Lu}\p{Ll})*$/u.test(word) && !NO_NAMES.has(word.toLowerCase())) &&
    first.length > 1 &&
    !SUFFIXES.has((words.at(-1) ?? '').toLowerCase())
  )
}

/** Names with a company suffix. */
function companiesIn(tokens: readonly Token[]): string[] {
  const found: string[] = []
  let words: string[] = []
  for (const token of tokens) {
    if (!token.isUpper || (words.length === 0 && NO_NAMES.has(token.lower))) words = []
    else {
      words.push(token.word)
      if (words.length >= 2 && words.length <= 5 && SUFFIXES.has(token.lower)) found.push(words.join(' '))
      if (token.ends && !SUFFIXES.has(token.lower)) words = []
    }
  }
  return found
}
