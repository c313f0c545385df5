import { isRecord } from '../../core/sdk/index.js'

/** The kind of a parameter, as far as a sentence can express its value. */
export type Kind =
  | { readonly of: 'url' | 'email' | 'phone' | 'domain' | 'domains' | 'endings' | 'first-name' | 'last-name' | 'organisation' }
  | { readonly of: 'country' | 'language' | 'vendor' | 'boolean' | 'text' | 'code' | 'format' | 'date' }
  | { readonly of: 'number'; readonly seconds: boolean }
  | { readonly of: 'choice' | 'choices'; readonly values: readonly string[] }
  /** A word that matches a pattern of few words, such as a number of lines. */
  | { readonly of: 'pattern'; readonly pattern: RegExp }
  /** The format of the file whose address is another parameter. */
  | { readonly of: 'source-format'; readonly address: string }

/** A parameter of a capability that a sentence can fill. */
export interface Field {
  readonly name: string
  readonly kind: Kind
  readonly required: boolean
}

/** Patterns of callers' parameters are short lists of words; longer ones are ignored. */
const LONGEST_PATTERN = 60

/** The parameters of an input schema that a sentence can fill; `slots`: those with a slot in phrases. */
export function fieldsOf(input: unknown, formatOf: Readonly<Record<string, string>>, slots: ReadonlySet<string>): Field[] {
  const { properties, required } = isRecord(input) ? input : {}
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  return Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, schema]) => {
    const address = formatOf[name]
    const kind: Kind | null = address === undefined ? kindOf(name, isRecord(schema) ? schema : {}) : { of: 'source-format', address }
    const isTaken = kind !== null && (kind.of !== 'text' || slots.has(name) || needed.includes(name))
    return isTaken ? [{ name, kind, required: needed.includes(name) }] : []
  })
}

function kindOf(name: string, { anyOf, ...given }: Readonly<Record<string, unknown>>): Kind | null {
  // Among alternative forms, the list is the most specific.
  const forms = Array.isArray(anyOf) ? anyOf.filter(isRecord) : []
  const schema = { ...(forms.find(({ type }) => type === 'array') ?? forms[0]), ...given }
  const types: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type]
  const description = typeof schema.description === 'string' ? schema.description : ''
  const values = wordsOf(schema.enum)
  if (values.length > 0) return { of: 'choice', values }
  if (types.includes('boolean')) return { of: 'boolean' }
  if (types.includes('integer') || types.includes('number'))
    return { of: 'number', seconds: /seconds/i.test(name) || /^seconds\b/i.test(description) }
  if (types.includes('array')) return listKind(name, schema.items)
  return types.includes('string') ? textKind(name, description, schema) : null
}

function listKind(name: string, items: unknown): Kind | null {
  const values = isRecord(items) ? wordsOf(items.enum) : []
  if (values.length > 0) return { of: 'choices', values }
  if (name === 'domains') return { of: 'domains' }
  return name === 'tlds' ? { of: 'endings' } : null
}

function textKind(name: string, description: string, { format, pattern }: Readonly<Record<string, unknown>>): Kind | null {
  if (/base64|_id$|_model$/.test(name)) return null
  if (format === 'uri' || /(?:^|_)url$/.test(name)) return { of: 'url' }
  if (format === 'date') return { of: 'date' }
  if (/(?:^|_)e?mail$/.test(name)) return { of: 'email' }
  if (/phone/.test(name) || /E\.164/.test(description)) return { of: 'phone' }
  if (name === 'domain') return { of: 'domain' }
  if (name === 'first_name') return { of: 'first-name' }
  if (name === 'last_name') return { of: 'last-name' }
  if (/^(?:company|organi[sz]ation)(?:_name)?$/.test(name)) return { of: 'organisation' }
  if (name === 'country') return { of: 'country' }
  if (name === 'language') return { of: 'language' }
  if (name === 'provider') return { of: 'vendor' }
  if (name === 'code') return { of: 'code' }
  if (/(?:^|_)format$/.test(name)) return { of: 'format' }
  if (typeof pattern === 'string' && pattern.includes('|') && pattern.length <= LONGEST_PATTERN)
    return { of: 'pattern', pattern: new RegExp(pattern, 'u') }
  return { of: 'text' }
}

function wordsOf(values: unknown): string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []
}

/** First words of names of parameters that accept any address. */
const ANY_ADDRESS = new Set([
  'url',
  'audio',
  'image',
  'video',
  'file',
  'document',
  'reference',
  'page',
  'source',
  'picture',
  'media',
  'website',
  'site',
])

/** The site whose addresses a parameter accepts by its name, such as `linkedin` for linkedin_url; null for any. */
export function siteOf(name: string): string | null {
  const [site = ''] = name.split('_')
  return ANY_ADDRESS.has(site) ? null : site
}
