import { hint, nearest } from '../../sdk/nearest.js'
import { WORDS } from '../../sdk/index.js'
import { isRecord } from '../../sdk/json.js'
import { aboutWords, formatWords, kindWords, valueWords, typeWords } from './words.js'

/** One fault from the validator, with the schema of its keyword and the value that was sent. */
export interface ValidatorFault {
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly schema: Readonly<Record<string, unknown>>
  readonly value: unknown
  readonly message: string
  /** The value was sent as text, whatever its type. */
  readonly texts: boolean
}

type Say = (found: ValidatorFault) => string

const BLANK = 'must not be empty or blank'

/** The requirement in plain words, by violated keyword. */
const SENTENCES: Readonly<Record<string, Say>> = {
  required: () => 'this field is required',
  additionalProperties: unknownField,
  unevaluatedProperties: unknownField,
  propertyNames: ({ params }) => `has a name that is not allowed: ${String(params.propertyName).slice(0, 100)}`,
  type: typeSentence,
  enum: ({ params, value }) => choice(params.allowedValues, value),
  const: ({ params }) => `must be ${valueWords([params.allowedValue])}`,
  pattern: patternSentence,
  format: ({ params, schema }) => ownWords(schema) ?? `must be ${formatWords(params.format)}`,
  minLength: ({ params, schema }) => {
    if (Number(params.limit) > 1) return `must have at least ${String(params.limit)} characters`
    return schema.pattern === '\\S' ? BLANK : 'must not be empty'
  },
  maxLength: ({ params, value }) => `must have at most ${String(params.limit)} characters${counted(value)}`,
  minItems: ({ params }) =>
    Number(params.limit) === 1 ? 'must not be an empty list' : `must have at least ${String(params.limit)} entries`,
  maxItems: ({ params, value }) => `must have at most ${String(params.limit)} entries${counted(value)}`,
  uniqueItems: ({ params }) => {
    const [first, second] = [Number(params.i) + 1, Number(params.j) + 1].sort((one, other) => one - other)
    return `must not contain the same entry twice (entries ${String(first)} and ${String(second)})`
  },
  contains: () => 'lacks a required entry',
  minProperties: ({ params, schema }) =>
    Number(params.limit) === 1 ? oneFieldOf(schema) : `must have at least ${String(params.limit)} fields`,
  maxProperties: ({ params }) => `must have at most ${String(params.limit)} fields`,
  dependentRequired: ({ params }) => `needs the field ${String(params.missingProperty)} beside ${String(params.property)}`,
  minimum: rangeSentence,
  maximum: rangeSentence,
  exclusiveMinimum: ({ params, schema, value }) => `must be greater than ${String(params.limit)}${given(value)}${aboutWords(schema)}`,
  exclusiveMaximum: ({ params, schema, value }) => `must be less than ${String(params.limit)}${given(value)}${aboutWords(schema)}`,
  multipleOf: ({ params, value }) => `must be a multiple of ${String(params.multipleOf)}${given(value)}`,
  not: () => 'is not allowed in this form',
  'false schema': () => 'is not allowed here',
}

/** The requirement that a value does not meet, as a sentence. */
export function sentence(found: ValidatorFault): string {
  return SENTENCES[found.keyword]?.(found) ?? found.message
}

function unknownField({ params, schema }: ValidatorFault): string {
  const name = String(params.additionalProperty ?? params.unevaluatedProperty)
  const known = namesOf(schema)
  if (known.length === 0) return 'this field is not known; no fields are accepted here'
  return `this field is not known${name.length > 100 ? '' : hint(name, known)}`
}

function choice(allowed: unknown, value: unknown): string {
  const values: readonly unknown[] = Array.isArray(allowed) ? allowed : []
  const texts = values.filter((each) => typeof each === 'string')
  const near = typeof value === 'string' && value.length <= 100 ? nearest(value, texts) : null
  const kind = typeof value === 'string' ? '' : `, not ${kindWords(value)}`
  return `must be one of ${valueWords(values)}${kind}${near === null ? '' : `; did you mean ${JSON.stringify(near)}?`}`
}

function patternSentence({ params, schema }: ValidatorFault): string {
  const own = ownWords(schema)
  if (own !== null) return own
  if (params.pattern === '\\S') return BLANK
  const { description } = schema
  return typeof description === 'string' ? `does not have the required form: ${description}` : `must match ${String(params.pattern)}`
}

function ownWords(schema: ValidatorFault['schema']): string | null {
  const words = schema[WORDS]
  return typeof words === 'string' ? words : null
}

function rangeSentence({ keyword, params, schema, value }: ValidatorFault): string {
  const { minimum, maximum } = schema
  const about = aboutWords(schema)
  if (typeof minimum === 'number' && typeof maximum === 'number') return `must be from ${minimum} to ${maximum}${given(value)}${about}`
  return `must be at ${keyword === 'minimum' ? 'least' : 'most'} ${String(params.limit)}${given(value)}${about}`
}

function given(value: unknown): string {
  return typeof value === 'number' ? `, not ${value}` : ''
}

function counted(value: unknown): string {
  if (Array.isArray(value)) return `, not ${value.length}`
  return typeof value === 'string' ? `, not ${[...value].length}` : ''
}

function namesOf({ properties }: ValidatorFault['schema']): string[] {
  return isRecord(properties) ? Object.keys(properties) : []
}

function oneFieldOf(schema: ValidatorFault['schema']): string {
  const names = namesOf(schema)
  return names.length === 0 ? 'must not be empty' : `must have at least one of the fields ${names.join(', ')}`
}

/** Most fields of an object to list. */
const MOST_NAMES = 12

/** The expected type of a value, and how to write what was probably meant. */
export function typeSentence({ params, schema, value, texts }: ValidatorFault): string {
  const types = (Array.isArray(params.type) ? params.type.map(String) : String(params.type).split(',')).filter((type) => type !== 'null')
  const numbers = types.includes('number') || types.includes('integer')
  const wanted = `must be ${typeWords(params.type)}${types.includes('object') ? fieldWords(schema) : ''}`
  if (texts) return `${wanted}${numbers ? aboutWords(schema) : ''}`
  const sent = typeof value === 'number' && numbers ? String(value) : kindWords(value)
  const instead = types.map((type) => insteadOf(type, value, schema)).find((words) => words !== null)
  return `${wanted}, not ${sent}${instead === undefined ? (numbers ? aboutWords(schema) : '') : ` (${instead})`}`
}

function fieldWords({ properties }: ValidatorFault['schema']): string {
  const names = isRecord(properties) ? Object.keys(properties) : []
  return names.length === 0 || names.length > MOST_NAMES ? '' : ` with ${names.join(', ')}`
}

/** Common mistakes: a value in quotes, JSON as a text, one entry instead of a list, and a list instead of one. */
function insteadOf(type: string, value: unknown, schema: ValidatorFault['schema']): string | null {
  if (Array.isArray(value)) return type === 'string' ? 'give one value without brackets' : null
  if (typeof value !== 'string') return null
  switch (type) {
    case 'number':
    case 'integer':
      return /^-?\d+(?:\.\d+)?$/.test(value) ? 'write it without quotes' : null
    case 'boolean':
      return /^(?:true|false)$/i.test(value) ? `write ${value.toLowerCase()} without quotes` : null
    case 'array':
      if (/^\s*\[/.test(value)) return 'send the list itself, not its JSON as a text'
      return takesTexts(schema.items) ? 'put it in brackets: ["..."]' : null
    case 'object':
      return /^\s*\{/.test(value) ? 'send the object itself, not its JSON as a text' : null
    default:
      return null
  }
}

function takesTexts(items: unknown): boolean {
  if (!isRecord(items)) return true
  return items.type === undefined || items.type === 'string' || (Array.isArray(items.type) && items.type.includes('string'))
}
