import type { Token } from './words.js'

/** The name of a person or an organisation in a sentence, as a range of tokens. */
export interface Name {
  readonly from: number
  readonly to: number
}

const PARTICLES = new Set(['von', 'van', 'de', 'der', 'den', 'da', 'di', 'del', 'la', 'le', 'al', 'bin', 'ibn', 'zu'])
const LEADS_TO_ORGANISATION = new Set(['at', 'of', 'from', 'for', 'with', 'by', 'called', 'named'])
/** Capitalised words that are not names of persons. */
const NO_NAMES = new Set(['linkedin', 'i', 'ceo', 'cto', 'cfo', 'sms', 'pdf', 'url', 'email', 'find', 'get', 'google', 'whatsapp'])
const CAPITAL = /^\p{Lu}[\p{L}\p{M}'’-]*$/u
const MOST_WORDS = 4

/** The first name of a person: two to four capitalised words, with particles between them. `taken`: words that belong to the phrase. */
export function personIn(tokens: readonly Token[], taken: ReadonlySet<number>): Name | null {
  for (let at = 0; at < tokens.length; at++) {
    const name = capitals(tokens, at, taken)
    if (name !== null && name.to - name.from >= 2 && !leadsToOrganisation(tokens, at)) return name
    if (name !== null) at = name.to - 1
  }
  return null
}

/** The first name after `at`, `of`, `called` and so on that is not the person's. */
export function organisationIn(tokens: readonly Token[], person: Name | null): Name | null {
  for (let at = 1; at < tokens.length; at++) {
    if (person !== null && at >= person.from && at < person.to) continue
    const name = leadsToOrganisation(tokens, at) ? capitals(tokens, at, new Set()) : null
    if (name !== null) return name
  }
  return null
}

function leadsToOrganisation(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.stem === 'the' ? tokens[at - 2] : tokens[at - 1]
  const word = before?.text.toLowerCase() ?? ''
  return (
    LEADS_TO_ORGANISATION.has(word) && !(word === 'of' && isNameOfPerson(tokens, at)) && !(word === 'for' && isNameOfPerson(tokens, at))
  )
}

/** `of` and `for` precede a person when a further preposition precedes the organisation, or there is none. */
function isNameOfPerson(tokens: readonly Token[], at: number): boolean {
  const name = capitals(tokens, at, new Set())
  if (name === null || name.to - name.from < 2) return false
  return !tokens.slice(0, at - 1).some((_, before) => (capitals(tokens, before, new Set())?.to ?? 0) - before >= 2)
}

function capitals(tokens: readonly Token[], from: number, taken: ReadonlySet<number>): Name | null {
  let to = from
  while (to < tokens.length && to - from < MOST_WORDS) {
    const token = tokens[to]
    if (token === undefined || token.entity !== null || taken.has(to) || (to > from && token.afterBreak)) break
    const word = token.text.toLowerCase()
    const isParticle = to > from && PARTICLES.has(token.text)
    if (!isParticle && (!CAPITAL.test(token.text) || NO_NAMES.has(word) || token.isFiller)) break
    to++
  }
  while (to > from && PARTICLES.has(tokens[to - 1]?.text ?? '')) to--
  return to > from ? { from, to } : null
}
