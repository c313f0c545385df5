import { isRecord } from '../../../core/sdk/json.js'
import { parseUrl } from '../../../core/sdk/url.js'
import { dateIn } from './dates.js'
import { numberIn } from './figures.js'
import { fold } from './fold.js'
import type { Place } from './schema-places.js'

const TRUE = new Set(['true', 'yes', '1', 'instock', 'onlineonly', 'limitedavailability', 'instoreonly', 'available'])
const FALSE = new Set(['false', 'no', '0', 'outofstock', 'soldout', 'discontinued', 'unavailable'])
const VOCABULARY = /^https?:\/\/(?:www\.)?schema\.org\//
const ADDRESS = ['streetAddress', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry']
const LONGEST = 20_000

/** A source value converted to the type of a schema position; undefined when it cannot be. */
export function coerced(value: unknown, place: Place): unknown {
  const single: unknown = Array.isArray(value) ? value.find((each) => each !== null && each !== '') : value
  const plain = isRecord(single) ? textOf(single) : single
  if (plain === null || plain === undefined || plain === '') return undefined
  const choices = place.nodes.flatMap((node) => ('const' in node ? [node.const] : Array.isArray(node.enum) ? node.enum.map(unknown) : []))
  if (choices.length > 0) return choiceOf(plain, choices)
  const types = place.nodes.flatMap(({ type }) => (Array.isArray(type) ? type.map(unknown) : type === undefined ? [] : [type]))
  if (types.length === 0) return plain
  for (const type of types) {
    const found = as(type, plain, place)
    if (found !== undefined) return found
  }
  return undefined
}

function as(type: unknown, value: unknown, place: Place): unknown {
  if (type === 'string') return stringOf(value, place)
  if (type === 'boolean') return booleanOf(value)
  if (type !== 'number' && type !== 'integer') return undefined
  const number = typeof value === 'number' ? value : typeof value === 'string' ? numberIn(value) : undefined
  return number === undefined || (type === 'integer' && !Number.isInteger(number)) ? undefined : number
}

function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const word = fold(lastOf(String(value)))
  return TRUE.has(word) ? true : FALSE.has(word) ? false : undefined
}

function stringOf(value: unknown, { nodes }: Place): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  const text = lastOf(String(value)).replace(/\s+/g, ' ').trim().slice(0, LONGEST)
  const formats = nodes.map(({ format }) => format)
  if (formats.includes('date')) return dateIn(text)
  if (formats.includes('email')) return text.replace(/^mailto:/i, '')
  if (formats.includes('uri')) return parseUrl(text) === null ? undefined : text
  return text === '' ? undefined : text
}

function choiceOf(value: unknown, choices: readonly unknown[]): unknown {
  if (choices.includes(value)) return value
  const wanted = fold(lastOf(String(value)))
  return choices.find((choice) => typeof choice === 'string' && fold(choice) === wanted)
}

/** The last part of a vocabulary address, such as InStock. */
function lastOf(text: string): string {
  return VOCABULARY.test(text) ? (text.split('/').at(-1) ?? text) : text
}

/** The name of an item where text is expected. */
function textOf(item: Readonly<Record<string, unknown>>): unknown {
  const fields = new Map(Object.entries(item))
  const address = ADDRESS.map((name) => fields.get(name)).filter((part) => typeof part === 'string' && part !== '')
  if (address.length > 0) return address.join(', ')
  const named = ['@value', 'name', 'text', 'value', 'url', 'contentUrl', '@id'].map((name) => fields.get(name))
  return named.find((each) => typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean')
}

function unknown(value: unknown): unknown {
  return value
}
