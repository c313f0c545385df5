import { isRecord } from '../../../../core/sdk/json.js'

const BY_FORMAT: Readonly<Record<string, string>> = {
  uri: 'https://example.com/',
  email: 'first.last@example.com',
  date: '2030-01-01',
  'date-time': '2030-01-01T00:00:00.000Z',
}

/** A plain value of a JSON Schema, with defaults and first choices. It may not match patterns; the caller checks it. */
export function sampleOf(schema: unknown): unknown {
  if (!isRecord(schema)) return null
  if ('default' in schema) return schema.default
  if ('const' in schema) return schema.const
  const { enum: values, anyOf, oneOf, type, examples } = schema
  if (Array.isArray(examples) && examples.length > 0) return first(examples)
  if (Array.isArray(values)) return first(values)
  const choices = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : null
  if (choices !== null) return sampleOf(choices[0])
  const single: unknown = Array.isArray(type) ? type.find((each) => each !== 'null') : type
  if (Array.isArray(type) && 'pattern' in schema) return null
  if (single === 'object') return objectOf(schema)
  if (single === 'array') return Array.from({ length: Math.max(1, Number(schema.minItems ?? 1)) }, () => sampleOf(schema.items))
  if (single === 'string') return stringOf(schema)
  if (single === 'boolean') return true
  return single === 'integer' || single === 'number' ? numberOf(schema) : null
}

function objectOf({ properties, required }: Record<string, unknown>): unknown {
  if (!isRecord(properties)) return {}
  const wanted = Array.isArray(required) ? required : []
  return Object.fromEntries(Object.entries(properties).flatMap(([name, part]) => (wanted.includes(name) ? [[name, sampleOf(part)]] : [])))
}

function stringOf({ format, minLength }: Record<string, unknown>): string {
  const text = (typeof format === 'string' ? BY_FORMAT[format] : undefined) ?? 'example'
  return text.padEnd(Number(minLength ?? 0), '.')
}

function numberOf({ minimum, maximum, exclusiveMinimum }: Record<string, unknown>): number {
  const least = Number(minimum ?? (exclusiveMinimum === undefined ? 1 : Number(exclusiveMinimum) + 1))
  return Math.min(Math.max(1, least), Number(maximum ?? Infinity))
}

function first(values: readonly unknown[]): unknown {
  return values[0]
}
