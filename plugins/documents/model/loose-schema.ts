import { isRecord } from '../../../core/sdk/index.js'

type Schema = Readonly<Record<string, unknown>>

const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const INNER = ['items', 'additionalProperties', 'not', 'if', 'then', 'else']
const MAPS = ['properties', '$defs', 'definitions', 'patternProperties']
/** Keywords that a part of a document, or absent values, cannot satisfy. */
const COUNTS = new Set(['minItems', 'minProperties', 'minContains', 'contains'])

/**
 * The schema as sent to a model: each property may be null, so that none must be invented, and there are no minimum
 * counts. The answer is validated against the caller's own schema.
 */
export function looseSchema(schema: Schema): Record<string, unknown> {
  return { type: 'object', ...loosened(schema) }
}

function loosened(schema: Schema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !COUNTS.has(keyword))
      .map(([keyword, value]) => [keyword, inner(keyword, value)]),
  )
}

function inner(keyword: string, value: unknown): unknown {
  if (LISTS.includes(keyword) && Array.isArray(value)) return value.map(loosenedOr)
  if (INNER.includes(keyword)) return loosenedOr(value)
  if (!MAPS.includes(keyword) || !isRecord(value)) return value
  const each = keyword === 'properties' ? (one: unknown) => orNull(loosenedOr(one)) : loosenedOr
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, each(one)]))
}

function loosenedOr(value: unknown): unknown {
  return isRecord(value) ? loosened(value) : value
}

function orNull(schema: unknown): unknown {
  if (!isRecord(schema)) return schema
  const { type, enum: values } = schema
  const simple = typeof type === 'string' || Array.isArray(type)
  if (!simple || 'const' in schema || '$ref' in schema || LISTS.some((keyword) => keyword in schema))
    return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] }
  const types: readonly unknown[] = Array.isArray(type) ? type : [type]
  return {
    ...schema,
    type: types.includes('null') ? type : [...types, 'null'],
    ...(Array.isArray(values) && !values.includes(null) ? { enum: values.concat(null) } : {}),
  }
}
