import { countryCode, languageCode } from './places.js'
import type { Field } from './kinds.js'
import { stemOf, type Token } from './words.js'

/** A parameter value expressed in words: `in Germany`, `at most 30 sources`, `16:9`. */
export interface Fact {
  readonly field: string
  readonly value: unknown
  /** First token, including the words that lead to it, and the one after the last. */
  readonly from: number
  readonly to: number
}

const SIZE = /^(\d{2,4})[x×](\d{2,4})$/i
const NUMBER = /^(\d{1,7}(?:\.\d{1,3})?)(s|sec|px|p|k)?$/i
const SECOND = new Set(['s', 'sec', 'second'])
const MINUTE = new Set(['min', 'minut'])
const PAST = new Set(['past', 'last', 'this', 'previou', 'recent'])
const NOT = new Set(['without', 'no', 'not', 'excluding', 'skip'])
const LEADS_TO_FORMAT = new Set(['to', 'into', 'as', 'in'])
const LEADS_TO_PLACE = new Set(['in', 'from', 'for', 'of'])
/** English words for orientations of a picture. */
const SIDES: ReadonlyMap<string, string> = new Map([
  ['width', 'width'],
  ['wide', 'width'],
  ['height', 'height'],
  ['high', 'height'],
  ['tall', 'height'],
])
/** Parts of parameter names that do not describe what is counted. */
const EMPTY = new Set(['num', 'max', 'min', 'include', 'enable', 'with', 'mode', 'type', 'default'])
/** Maximum tokens between a number and the word that it counts. */
const NEAR = 2

/** A word as written, in lower case; empty for none. */
const written = (token: Token | undefined): string => (token?.entity === null ? token.text.toLowerCase() : '')

/** All parameter values expressed in the words of the sentence. */
export function factsIn(tokens: readonly Token[], fields: readonly Field[]): Fact[] {
  return fields.flatMap((field) => [...factsOf(field, tokens, fields)])
}

function* factsOf({ name, kind }: Field, tokens: readonly Token[], fields: readonly Field[]): Generator<Fact> {
  switch (kind.of) {
    case 'choice':
    case 'choices':
      yield* choices(name, kind.values, tokens, kind.of === 'choices')
      return
    case 'boolean':
      yield* switches(name, tokens)
      return
    case 'number':
      yield* numbers(name, kind.seconds, tokens, fields)
      return
    case 'country':
      yield* places(name, tokens, countryCode)
      return
    case 'language':
      yield* languages(name, tokens)
      return
    case 'pattern':
      yield* patterned(name, kind.pattern, tokens)
      return
    case 'format':
      yield* formats(name, tokens)
      return
    case 'date':
      yield* dates(name, tokens)
      return
    case 'vendor':
      yield* afterWord(name, tokens, new Set(['with', 'by', 'via', 'using', 'use']))
      return
    default:
  }
}

function* choices(field: string, values: readonly string[], tokens: readonly Token[], isList: boolean): Generator<Fact> {
  if (values.includes('day') && values.includes('week')) yield* periods(field, tokens)
  else
    for (const value of values) {
      const stems = value.split(/[-_ ]/).map(stemOf)
      for (let at = 0; at < tokens.length; at++) {
        const isWhole = tokens[at]?.entity === null && tokens[at]?.text.toLowerCase() === value.toLowerCase()
        const length = isWhole ? 1 : stems.every((stem, offset) => tokens[at + offset]?.stem === stem) ? stems.length : 0
        if (length > 0) yield { field, value: isList ? [value] : value, from: at, to: at + length }
      }
    }
}

/** The past day, week or month. */
function* periods(field: string, tokens: readonly Token[]): Generator<Fact> {
  for (const [at, { stem }] of tokens.entries()) {
    const before = tokens[at - 1]?.stem ?? ''
    const from = ['from', 'since', 'of', 'in'].includes(written(tokens[at - 1])) ? at - 1 : at
    if (stem === 'today' || stem === 'yesterday') yield { field, value: 'day', from, to: at + 1 }
    else if (PAST.has(before) && ['day', 'week', 'month'].includes(stem))
      yield { field, value: stem, from: lead(tokens, at - 1), to: at + 1 }
    else if (stem === 'hour' && tokens[at - 1]?.text === '24') yield { field, value: 'day', from: lead(tokens, at - 1), to: at + 1 }
  }
}

/** Moves back over the function words that lead to a token. */
function lead(tokens: readonly Token[], at: number): number {
  let from = at
  while (from > 0 && (tokens[from - 1]?.isFiller === true || PAST.has(tokens[from - 1]?.stem ?? ''))) from--
  return from
}

function* switches(field: string, tokens: readonly Token[]): Generator<Fact> {
  const stems = field.split('_').filter((word) => !EMPTY.has(word)).map(stemOf) // prettier-ignore
  for (let at = 0; at < tokens.length; at++) {
    if (!stems.every((stem, offset) => tokens[at + offset]?.stem === stem)) continue
    const from = NOT.has(written(tokens[at - 1])) ? at - 1 : at
    yield { field, value: from === at, from, to: at + stems.length }
  }
}

function* numbers(field: string, seconds: boolean, tokens: readonly Token[], fields: readonly Field[]): Generator<Fact> {
  const own = field.split('_').filter((word) => !EMPTY.has(word) && word !== 'seconds').map(stemOf) // prettier-ignore
  for (const [at, { text, entity }] of tokens.entries()) {
    if (entity !== null) continue
    const size = SIZE.exec(text)
    if (size !== null && (field === 'width' || field === 'height'))
      yield { field, value: Number(size[field === 'width' ? 1 : 2]), from: at, to: at + 1 }
    const [, digits, unit = ''] = NUMBER.exec(text) ?? []
    if (digits === undefined) continue
    const near = (word: Token | undefined): boolean =>
      word !== undefined && (own.includes(word.stem) || SIDES.get(word.stem) === field || SIDES.get(word.text.toLowerCase()) === field)
    const behind = tokens.slice(at + 1, at + 1 + NEAR).findIndex((word) => near(word))
    const before = tokens.slice(Math.max(0, at - NEAR), at).findLastIndex((word) => near(word))
    const isNamed = behind !== -1 || before !== -1
    const next = tokens[at + 1]?.stem ?? ''
    const isTime = SECOND.has(unit.toLowerCase()) || SECOND.has(next) || MINUTE.has(next)
    const others = fields.filter(({ kind }) => kind.of === 'number' && kind.seconds).length
    if (seconds ? !isTime || (others > 1 && !isNamed) : !isNamed || isTime) continue
    const value = Number(digits) * (seconds && MINUTE.has(next) ? 60 : 1)
    const to = behind === -1 ? at + (seconds && unit === '' ? 2 : 1) : Math.max(at + 2 + behind, seconds && unit === '' ? at + 2 : 0)
    yield { field, value, from: before === -1 ? at : at - Math.min(NEAR, at) + before, to }
  }
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** `2025-11-27`, `27 November 2025`, `Nov 27th, 2025`, as YYYY-MM-DD. */
function* dates(field: string, tokens: readonly Token[]): Generator<Fact> {
  for (const [at, token] of tokens.entries()) {
    const lead = ['on', 'from', 'since', 'by', 'until'].includes(written(tokens[at - 1])) ? at - 1 : at
    if (/^\d{4}-\d{2}-\d{2}$/.test(token.text)) yield { field, value: token.text, from: lead, to: at + 1 }
    const three = tokens.slice(at, at + 3).map(written)
    const month = MONTHS.findIndex((name) => three.slice(0, 2).some((word) => /^[a-z]{3,9}$/.test(word) && word.startsWith(name)))
    const day = three.slice(0, 2).map((word) => /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word)?.[1] ?? '').join('') // prettier-ignore
    if (month === -1 || day === '' || !/^\d{4}$/.test(three[2] ?? '')) continue
    yield { field, value: `${three[2] ?? ''}-${String(month + 1).padStart(2, '0')}-${day.padStart(2, '0')}`, from: lead, to: at + 3 }
  }
}

function* places(field: string, tokens: readonly Token[], codeOf: (name: string) => string | null): Generator<Fact> {
  for (const [at, { text, entity }] of tokens.entries()) {
    const from = tokens[at - 1]?.stem === 'the' ? at - 2 : at - 1
    if (entity !== null || !LEADS_TO_PLACE.has(tokens[from]?.stem ?? '')) continue
    const two = codeOf(`${text} ${tokens[at + 1]?.text ?? ''}`)
    const value = two ?? codeOf(text)
    if (value !== null) yield { field, value, from, to: at + (two === null ? 1 : 2) }
  }
}

function* languages(field: string, tokens: readonly Token[]): Generator<Fact> {
  for (const [at, { text, entity }] of tokens.entries()) {
    const value = entity === null ? languageCode(text) : null
    if (value !== null) yield { field, value, from: tokens[at - 1]?.stem === 'in' ? at - 1 : at, to: at + 1 }
  }
}

/** `1080p` and `480` for a number of lines. A plain number counts only next to a word of measure. */
function* patterned(field: string, pattern: RegExp, tokens: readonly Token[]): Generator<Fact> {
  const own = stemOf(field.split('_').at(-1) ?? '')
  for (const [at, { text, entity, stem }] of tokens.entries()) {
    if (entity !== null) continue
    const lines = /^(\d{3,4})p$/i.exec(text)?.[1]
    const isNamed = tokens[at - 1]?.stem === own || tokens[at + 1]?.stem === own
    const value = lines ?? (isNamed ? text.toLowerCase() : null)
    if (value === null || stem === own || !pattern.test(value)) continue
    const from = tokens[at - 1]?.stem === own ? at - 1 : at
    yield { field, value, from, to: tokens[at + 1]?.stem === own ? at + 2 : at + 1 }
  }
}

/** `to pdf`, `as an mp3`. */
function* formats(field: string, tokens: readonly Token[]): Generator<Fact> {
  for (const [at, token] of tokens.entries()) {
    const from = ['a', 'an', 'the'].includes(tokens[at - 1]?.stem ?? '') ? at - 2 : at - 1
    if (LEADS_TO_FORMAT.has(tokens[from]?.stem ?? '') && isFormat(token)) yield { field, value: token.text.toLowerCase(), from, to: at + 1 }
  }
}

/** True for a word that may be the name of a file format. */
export function isFormat({ text, entity, isFiller }: Token): boolean {
  return entity === null && !isFiller && /^[a-z0-9]{2,5}$/i.test(text) && !/^\d+$/.test(text)
}

function* afterWord(field: string, tokens: readonly Token[], words: ReadonlySet<string>): Generator<Fact> {
  for (const [at, { text, entity, isFiller }] of tokens.entries())
    if (entity === null && !isFiller && words.has(written(tokens[at - 1])) && /^[a-z][a-z0-9-]{2,40}$/i.test(text))
      yield { field, value: text.toLowerCase(), from: at - 1, to: at + 1 }
}

/** Words related to a parameter by its name, such as `sources` to max_sources. */
export function ownWords(fields: readonly Field[]): ReadonlySet<string> {
  return new Set(fields.flatMap(({ name }) => name.split('_')).filter((word) => word.length > 2).map(stemOf)) // prettier-ignore
}
