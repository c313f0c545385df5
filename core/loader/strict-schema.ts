import type { TObject } from '../sdk/index.js'
import { isRecord } from '../sdk/json.js'

const COMBINATORS = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else']
const MAPS = ['properties', 'patternProperties', '$defs']

/**
 * Copies an input schema so that every object with listed properties, at any depth, refuses others; plugin authors need
 * not write `additionalProperties: false`. An object with its own `additionalProperties` stays unchanged. Output and
 * reply schemas stay lenient. Parts of a combined object are closed as a whole (JSON Schema 2020-12, 11.3).
 */
export function closedInput(schema: TObject): TObject {
  const copy = close(schema, true)
  if (!isObjectSchema(copy)) throw new TypeError('an input schema is a Type.Object')
  return copy
}

function isObjectSchema(value: unknown): value is TObject {
  return isRecord(value) && value.type === 'object' && isRecord(value.properties)
}

function close(schema: unknown, whole: boolean): unknown {
  if (!isRecord(schema)) return schema
  const listed = isRecord(schema.properties) && (schema.type === 'object' || (Array.isArray(schema.type) && schema.type.includes('object')))
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) copy[key] = closeKeyword(key, value, whole && !listed)
  const declared = schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined
  const joined = Array.isArray(schema.allOf)
  if (!whole || declared || !(listed || joined)) return copy
  const combined = COMBINATORS.some((key) => key in schema)
  copy[combined ? 'unevaluatedProperties' : 'additionalProperties'] = false
  return copy
}

function closeKeyword(key: string, value: unknown, alternativesAreWhole: boolean): unknown {
  if (MAPS.includes(key) && isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, close(part, true)]))
  if (COMBINATORS.includes(key)) {
    const whole = alternativesAreWhole && (key === 'anyOf' || key === 'oneOf')
    return Array.isArray(value) ? value.map((part) => close(part, whole)) : close(value, whole)
  }
  if (key === 'items' || key === 'additionalProperties') return close(value, true)
  if (key === 'prefixItems' && Array.isArray(value)) return value.map((part) => close(part, true))
  return value
}
