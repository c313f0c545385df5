import { hint, nearest } from '../config/nearest.js'
import { WORDS } from '../sdk/index.js'
import { isRecord } from '../sdk/record.js'
import { formatWords, kindWords, typeWords, valueWords } from './words.js'

/** One fault as the validator reports it, with the schema whose keyword it is about and the value that was sent. */
interface Found {
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly schema: Readonly<Record<string, unknown>>
  readonly value: unknown
  readonly message: string
}

type Say = (found: Found) => string

const BLANK = 'must not be empty or blank'

/** What is wanted, in the caller's words, by the keyword that was not kept. */
const SENTENCES: Readonly<Record<string, Say>> = {
  required: () => 'this field is required',
  additionalProperties: unknownField,
  unevaluatedProperties: unknownField,
  propertyNames: ({ params }) => `has a name that is not allowed: ${String(params.propertyName).slice(0, 100)}`,
  type: ({ params, value }) => `must be ${typeWords(params.type)}, not ${kindWords(value)}${quoted(params.type, value)}`,
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
    return `must not hold the same entry twice (entries ${String(first)} and ${String(second)})`
  },
  contains: () => 'lacks an entry that it must hold',
  minProperties: ({ params }) => `must have at least ${String(params.limit)} fields`,
  maxProperties: ({ params }) => `must have at most ${String(params.limit)} fields`,
  dependentRequired: ({ params }) => `needs the field ${String(params.missingProperty)} beside ${String(params.property)}`,
  minimum: rangeSentence,
  maximum: rangeSentence,
  exclusiveMinimum: ({ params, value }) => `must be greater than ${String(params.limit)}${given(value)}`,
  exclusiveMaximum: ({ params, value }) => `must be less than ${String(params.limit)}${given(value)}`,
  multipleOf: ({ params, value }) => `must be a multiple of ${String(params.multipleOf)}${given(value)}`,
  not: () => 'is not allowed in this form',
  'false schema': () => 'is not allowed here',
}

/** Says what is wanted of a value that does not fit. */
export function sentence(found: Found): string {
  return SENTENCES[found.keyword]?.(found) ?? found.message
}

function unknownField({ params, schema }: Found): string {
  const name = String(params.additionalProperty ?? params.unevaluatedProperty)
  const known = isRecord(schema.properties) ? Object.keys(schema.properties) : []
  return `this field is not known${name.length > 100 ? '' : hint(name, known)}`
}

function choice(allowed: unknown, value: unknown): string {
  const values: readonly unknown[] = Array.isArray(allowed) ? allowed : []
  const texts = values.filter((each) => typeof each === 'string')
  const near = typeof value === 'string' && value.length <= 100 ? nearest(value, texts) : null
  return `must be one of ${valueWords(values)}${near === null ? '' : `; did you mean ${JSON.stringify(near)}?`}`
}

function patternSentence({ params, schema }: Found): string {
  const own = ownWords(schema)
  if (own !== null) return own
  if (params.pattern === '\\S') return BLANK
  const { description } = schema
  return typeof description === 'string' ? `does not have the form that is wanted: ${description}` : `must match ${String(params.pattern)}`
}

function ownWords(schema: Found['schema']): string | null {
  const words = schema[WORDS]
  return typeof words === 'string' ? words : null
}

function rangeSentence({ keyword, params, schema: { minimum, maximum }, value }: Found): string {
  if (typeof minimum === 'number' && typeof maximum === 'number') return `must be from ${minimum} to ${maximum}${given(value)}`
  return `must be at ${keyword === 'minimum' ? 'least' : 'most'} ${String(params.limit)}${given(value)}`
}

function given(value: unknown): string {
  return typeof value === 'number' ? `, not ${value}` : ''
}

function counted(value: unknown): string {
  if (Array.isArray(value)) return `, not ${value.length}`
  return typeof value === 'string' ? `, not ${[...value].length}` : ''
}

/** A number or a boolean in quotes is the commonest slip. */
function quoted(type: unknown, value: unknown): string {
  if (typeof value !== 'string') return ''
  const types = typeWords(type)
  const plain = /number/.test(types) ? /^-?\d+(?:\.\d+)?$/.test(value) : /true or false/.test(types) && /^(?:true|false)$/.test(value)
  return plain ? ' (write it without quotes)' : ''
}
