import { isRecord } from '../../sdk/json.js'

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

/** Longest description to include in a sentence, in characters. */
const LONGEST_ABOUT = 90

const FORMATS: Readonly<Record<string, string>> = {
  uri: 'a whole address such as https://example.com/page',
  email: 'a mail address such as first.last@example.com',
  hostname: 'a host name such as example.com',
  ipv4: 'an IPv4 address such as 192.0.2.1',
  ipv6: 'an IPv6 address such as 2001:db8::1',
  date: 'a date such as 2026-01-31',
  time: 'a time such as 13:45:00Z',
  'date-time': 'a date and time such as 2026-01-31T13:45:00Z',
  uuid: 'a UUID such as 123e4567-e89b-12d3-a456-426614174000',
  regex: 'a regular expression',
}

/** One or several types of JSON Schema in words. */
export function typeWords(type: unknown): string {
  const types = Array.isArray(type) ? type.map(String) : String(type).split(',')
  return types.map((each) => TYPES[each] ?? each).join(' or ')
}

export function formatWords(format: unknown): string {
  return FORMATS[String(format)] ?? `of the format ${String(format)}`
}

/** The beginning of a field's description in brackets: its unit, such as `(seconds the program may run)`. */
export function aboutWords({ description }: Readonly<Record<string, unknown>>): string {
  if (typeof description !== 'string') return ''
  const [first = ''] = description.split(/[.;:](?:\s|$)/, 1)
  const small = /^[A-Z][a-z]/.test(first) ? first.charAt(0).toLowerCase() + first.slice(1) : first
  return first.length > LONGEST_ABOUT ? '' : ` (${small})`
}

/** The kind of value that was sent; the value itself is not repeated. */
export function kindWords(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return 'a text'
  if (typeof value === 'number') return 'a number'
  return typeof value === 'boolean' ? 'true or false' : 'an object'
}

/** The values of `enum` or `const`, quoted where they are texts. */
export function valueWords(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value) ?? 'nothing').join(', ')
}

/** A short description of the values that a schema accepts; null where there is none. */
export function schemaWords(schema: unknown): string | null {
  if (!isRecord(schema)) return null
  if (Array.isArray(schema.enum)) return `one of ${valueWords(schema.enum)}`
  if ('const' in schema) return valueWords([schema.const])
  if (typeof schema.format === 'string') return formatWords(schema.format)
  return schema.type === undefined ? null : typeWords(schema.type)
}
