import { parseUrl } from '../../core/sdk/index.js'
import type { Candidate, Entry } from './catalogue.js'
import { factsIn, isFormat, ownWords, type Fact } from './facts.js'
import { siteOf, type Field } from './kinds.js'
import { organisationIn, personIn } from './people.js'
import type { Match } from './phrase.js'
import type { Token } from './words.js'

/** A sentence with its words. */
export interface Sentence {
  readonly text: string
  readonly tokens: readonly Token[]
}

type Params = Record<string, unknown>
type Range = readonly [number, number]

/** Words before a text that are not part of it. */
const LEADS = new Set(['me', 'us', 'please', 'that', 'this', 'these', 'following', 'about', 'on', 'for', 'of', 'to', 'like', 'with'])
/** Words after a text that are not part of it. */
const TRAILS = new Set(['please', 'for', 'me', 'us', 'now', 'quickly', 'thank', 'thanks', 'out', 'loud', 'aloud'])
/** Words of measure between values. */
const MEASURES = new Set(['lasting', 'duration', 'json', 'table', 'using', 'pixels', 'px', 'most', 'least', 'up', 'only', 'about', 'long', 'maximum', 'minimum', 'max', 'around', 'roughly', 'last', 'just', 'size', 'resolution', 'format', 'portrait', 'landscape', 'square']) // prettier-ignore
/** Phrases with at least this share of the best score determine where a text starts. */
const CLOSE = 0.5
const FILE_ENDING = /\.([a-z0-9]{1,5})$/i

/** The values a sentence has for parameters of a capability. */
export function paramsOf(sentence: Sentence, { entry, matches }: Pick<Candidate, 'entry' | 'matches'>): Params {
  const { tokens } = sentence
  const [best] = matches
  const params: Params = {}
  const set = (name: string, value: unknown): void => {
    if (!(name in params) && entry.fields.some((field) => field.name === name)) params[name] = value
  }
  const facts = factsIn(tokens, entry.fields)
  const text = textOf(sentence, entry, { matches, facts: [...facts, ...meant(matches)] })
  for (const [name, value] of Object.entries(best?.phrase.params ?? {})) set(name, value)
  if (text !== null) set(text.field, text.value)
  for (const { field, value, from, to } of [...facts].sort((one, other) => other.to - other.from - (one.to - one.from)))
    if (text?.range === undefined || to <= text.range[0] || from >= text.range[1]) set(field, value)
  for (const field of entry.fields) entities(field, sentence, { entry, matches, set })
  people(sentence, entry, { best, set })
  for (const { phrase } of matches) for (const [name, value] of Object.entries(phrase.params)) set(name, value)
  return params
}

/** Words assigned to a parameter by a phrase, as far as they are adjacent. */
function meant(matches: readonly Match[]): Fact[] {
  return matches.flatMap(({ phrase, words, slots }) => {
    const [field] = Object.keys(phrase.params)
    const [from, to] = [Math.min(...words), Math.max(...words) + 1]
    return field === undefined || slots.size > 0 || to - from > words.length + 1 ? [] : [{ field, value: null, from, to }]
  })
}

interface Found {
  readonly field: string
  readonly value: string
  /** Tokens of the value, unless it is a single one. */
  readonly range?: Range
}

/** The free text of a sentence: a quotation, else the text after a colon, else the slot of a phrase. */
function textOf(sentence: Sentence, entry: Entry, { matches, facts }: { matches: readonly Match[]; facts: readonly Fact[] }): Found | null {
  const { text, tokens } = sentence
  const isText = (name: string): boolean =>
    entry.fields.some(({ name: own, kind }) => own === name && (kind.of === 'text' || kind.of === 'code'))
  const slotted = matches.flatMap(({ slots }) => [...slots].filter(([name]) => isText(name)))
  const field = slotted[0]?.[0] ?? entry.text?.name
  if (field === undefined) return null
  const quoted = tokens.findIndex(({ entity }) => entity?.kind === 'quoted' || entity?.kind === 'code')
  const ends = Math.max(-1, ...(matches[0]?.words ?? []))
  const colon = tokens.findIndex(({ start }, at) => at > 0 && at > ends && text.slice(tokens[at - 1]?.end, start).includes(':'))
  const inside = tokens[quoted]?.entity?.value
  // A quotation within the text after a colon is part of it.
  if (inside !== undefined && (colon === -1 || colon >= quoted)) return { field, value: inside, range: [quoted, quoted + 1] }
  const isCode = entry.fields.some(({ name, kind }) => name === field && kind.of === 'code')
  if (colon !== -1 && tokens.slice(colon).some(({ entity }) => entity === null)) {
    const behind: Range = isCode ? [colon, tokens.length] : trimmed([colon, tokens.length], sentence, { entry, facts })
    const to = behind[1] === tokens.length ? text.length : (tokens[behind[1] - 1]?.end ?? text.length)
    const from = text.lastIndexOf(':', tokens[colon]?.start) + 1
    return { field, value: text.slice(isCode ? from : tokens[colon]?.start, to).trim(), range: behind }
  }
  const least = (matches[0]?.score ?? 0) * CLOSE
  const found = matches.flatMap(({ phrase, score, slots }): (Found & { readonly range: Range })[] => {
    const range = slots.get(field)
    if (range === undefined || score < least) return []
    if (phrase.isQuestion) return [{ field, value: text.trim(), range }]
    // A purpose is not the content: `a sound for my game`.
    if (isPurpose(tokens, range)) return []
    const kept = trimmed(range, sentence, { entry, facts })
    const value = text.slice(tokens[kept[0]]?.start ?? 0, tokens[kept[1] - 1]?.end ?? 0)
    const isOne =
      kept[1] > kept[0] && !isEmpty(tokens.slice(...kept), ownWords(entry.fields)) && (!isCode || /[^\p{L}\p{N}\s]/u.test(value))
    return isOne ? [{ field, value, range: kept }] : []
  })
  // The phrase with the most words before the text determines best where it starts.
  return found.reduce<(typeof found)[number] | null>((best, one) => (best === null || one.range[0] > best.range[0] ? one : best), null)
}

function isPurpose(tokens: readonly Token[], [from]: Range): boolean {
  const [word, next] = [tokens[from], tokens[from + 1]].map((token) => token?.text.toLowerCase() ?? '')
  return word === 'for' && next !== 'me' && next !== 'us'
}

/** Only function words and addresses, which are not a text, parameter names (`a message`), or the source of a text. */
function isEmpty(tokens: readonly Token[], own: ReadonlySet<string>): boolean {
  if (['from', 'in', 'at', 'by', 'out'].includes(tokens[0]?.text.toLowerCase() ?? '')) return true
  return tokens.every(({ isFiller, entity, stem }) => isFiller || own.has(stem) || (entity !== null && entity.kind !== 'domain'))
}

/** A range of tokens without its lead words and without values of other parameters at its end. */
function trimmed([from, to]: Range, { tokens }: Sentence, { entry, facts }: { entry: Entry; facts: readonly Fact[] }): Range {
  const own = ownWords(entry.fields)
  const inFact = (at: number): boolean => facts.some((fact) => at >= fact.from && at < fact.to)
  const leads = (at: number): boolean => LEADS.has(tokens[at]?.text.toLowerCase() ?? '') || inFact(at) || (/^an?$/i.test(tokens[at]?.text ?? '') && inFact(at + 1)) // prettier-ignore
  let start = from
  while (start < to && leads(start)) start++
  const isValue = (at: number): boolean => inFact(at) || (tokens[at]?.entity ?? null) !== null
  let end = to
  let hasValue = false
  for (let at = to - 1; at > start; at--) {
    const token = tokens[at]
    if (token === undefined) break
    const word = token.text.toLowerCase()
    const isKnown = isValue(at) || token.isFiller || TRAILS.has(word) || MEASURES.has(word) || own.has(token.stem)
    if (!isKnown) break
    hasValue ||= isValue(at)
    const begins =
      token.isFiller ||
      (MEASURES.has(word) && token.afterBreak) ||
      token.afterBreak ||
      facts.some((fact) => fact.from === at) ||
      token.entity !== null
    const isTrail = tokens.slice(at, end).every(({ text }) => TRAILS.has(text.toLowerCase()))
    if (begins && (hasValue || isTrail)) end = at
  }
  return [start, end]
}

interface Setter {
  readonly set: (name: string, value: unknown) => void
}

/** Assigns addresses, numbers and formats to matching parameters. */
function entities(
  { name, kind }: Field,
  { tokens }: Sentence,
  { entry, matches, set }: Setter & Pick<Candidate, 'entry' | 'matches'>,
): void {
  const all = (wanted: string): string[] => tokens.flatMap(({ entity }) => (entity?.kind === wanted ? [entity.value] : []))
  const [url] = all('url')
  const [domain] = all('domain')
  switch (kind.of) {
    case 'url': {
      const isShared = entry.fields.some((field) => field.kind.of === 'domain')
      const given = url ?? (domain === undefined || isShared ? undefined : `https://${domain}`)
      if (given !== undefined && hostOf(given).includes(siteOf(name) ?? '')) set(name, given)
      return
    }
    case 'domain': {
      const given = domain ?? (url === undefined ? '' : hostOf(url))
      if (given !== '') set(name, given)
      return
    }
    case 'domains':
      if (domain !== undefined) set(name, [...new Set(all('domain'))])
      return
    case 'endings':
      if (all('ending').length > 0) set(name, [...new Set(all('ending'))])
      return
    case 'email':
    case 'phone': {
      const [given] = all(kind.of)
      if (given !== undefined) set(name, given)
      return
    }
    case 'source-format': {
      const ending = url === undefined ? undefined : FILE_ENDING.exec(url.replace(/[?#].*$/, ''))?.[1]
      const given = ending?.toLowerCase() ?? formatIn(name, tokens, matches)
      if (given !== null) set(name, given)
      return
    }
    case 'format': {
      const given = formatIn(name, tokens, matches)
      if (given !== null) set(name, given)
      return
    }
    default:
  }
}

function hostOf(url: string): string {
  return parseUrl(url)?.hostname ?? ''
}

function formatIn(name: string, tokens: readonly Token[], matches: readonly Match[]): string | null {
  for (const { slots } of matches) {
    const range = slots.get(name)
    const token = range === undefined ? undefined : tokens.slice(...range).find(isFormat)
    if (token !== undefined) return token.text.toLowerCase()
  }
  return null
}

/** Assigns the names of a person and an organisation to matching parameters. */
function people({ text, tokens }: Sentence, { fields }: Entry, { best, set }: Setter & { readonly best: Match | undefined }): void {
  const nameOf = (kind: Field['kind']['of']): string | undefined => fields.find((field) => field.kind.of === kind)?.name
  const [first, last, organisation] = [nameOf('first-name'), nameOf('last-name'), nameOf('organisation')]
  const person = first === undefined && last === undefined ? null : personIn(tokens, new Set(best?.words))
  if (person !== null) {
    if (first !== undefined) set(first, tokens[person.from]?.text)
    if (last !== undefined) set(last, tokens.slice(person.from + 1, person.to).map((token) => token.text).join(' ')) // prettier-ignore
  }
  if (organisation === undefined) return
  const found = organisationIn(tokens, person)
  const domain = tokens.find(({ entity }) => entity?.kind === 'domain')?.entity?.value
  if (found !== null) set(organisation, text.slice(tokens[found.from]?.start, tokens[found.to - 1]?.end))
  else if (domain !== undefined && nameOf('domain') === undefined && nameOf('domains') === undefined) set(organisation, domain)
}
