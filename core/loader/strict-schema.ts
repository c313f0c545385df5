import type { Port, SchemaCompiler, TObject, TSchema } from '../sdk/index.js'
import { isRecord } from '../sdk/json.js'
import { messageOf, PluginError } from './plugin-error.js'
import type { PluginExports } from './plugin-exports.js'

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

/** Throws PluginError when a schema of a plugin's settings, ports, capabilities or lists is not valid in strict mode. */
export function assertSchemas(compiler: SchemaCompiler, { manifest, ports, capabilities }: PluginExports): void {
  const assert = (schemas: readonly unknown[], file: string, what: string): void => {
    try {
      for (const schema of schemas) if (isSchema(schema)) compiler.assertValid(schema)
    } catch (error) {
      throw new PluginError(manifest.name, file, `${what} not compile: ${messageOf(error)}`, error)
    }
  }
  const assertPort = ({ id, input, output }: Port, file: string): void => assert([input, output], file, `a schema of ${id} does`)
  assert([manifest.settings], 'index', 'its settings do')
  for (const { file, value } of ports) assertPort(value, file)
  for (const { file, value } of capabilities) {
    assertPort(value, file)
    if (value.vendors !== undefined) assertPort(value.vendors, file)
    for (const [name, list] of Object.entries(value.lists ?? {}))
      assert([list.query, list.response], file, `a schema of the list "${name}" of ${value.id} does`)
  }
}

/** A plugin in JavaScript may pass any value; what is no schema is refused where it is registered. */
function isSchema(value: unknown): value is TSchema {
  return isRecord(value)
}
