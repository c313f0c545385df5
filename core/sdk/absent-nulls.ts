import { isRecord } from './record.js'
import type { TSchema } from './schema.js'

/** Takes properties that are null and may not be out of a value, in place. */
type Drop = (value: unknown) => void

interface NullableProperties {
  /** Optional ones that do not take null. */
  readonly optional: readonly string[]
  readonly parts: readonly (readonly [string, Drop])[]
}

/**
 * Prepares what makes null for an optional property of an input mean that it is absent. A property that is required, or whose schema takes
 * null, keeps it. Where schemas are combined (`anyOf`, `oneOf`, `allOf`), a property is taken out if no part that lists it requires it or takes
 * null. Null when the schema has no such property.
 */
export function absentNulls(schema: TSchema): Drop | null {
  return dropOf([schema])
}

function dropOf(schemas: readonly unknown[]): Drop | null {
  const views = schemas.flatMap(alternatives)
  if (views.length === 0) return null
  const { optional, parts } = propertiesOf(views)
  const items = dropOf(views.flatMap(({ items: each }) => (each === undefined ? [] : [each])))
  const others = dropOf(views.flatMap(({ additionalProperties: each }) => (isRecord(each) ? [each] : [])))
  if (optional.length === 0 && parts.length === 0 && items === null && others === null) return null
  const listed = new Set(views.flatMap(({ properties }) => (isRecord(properties) ? Object.keys(properties) : [])))
  return (value) => {
    if (Array.isArray(value)) {
      if (items !== null) for (const each of value) items(each)
      return
    }
    if (!isRecord(value)) return
    for (const name of optional) if (value[name] === null) Reflect.deleteProperty(value, name)
    for (const [name, drop] of parts) drop(value[name])
    if (others !== null) for (const name of Object.keys(value)) if (!listed.has(name)) others(value[name])
  }
}

function propertiesOf(views: readonly Readonly<Record<string, unknown>>[]): NullableProperties {
  const schemas = new Map<string, unknown[]>()
  const kept = new Set<string>()
  for (const { properties, required } of views) {
    for (const [name, schema] of isRecord(properties) ? Object.entries(properties) : []) {
      schemas.set(name, [...(schemas.get(name) ?? []), schema])
      if (takesNull(schema)) kept.add(name)
    }
    if (Array.isArray(required)) for (const name of required) kept.add(String(name))
  }
  const parts = [...schemas].flatMap(([name, of]): [string, Drop][] => {
    const drop = dropOf(of)
    return drop === null ? [] : [[name, drop]]
  })
  return { optional: [...schemas.keys()].filter((name) => !kept.has(name)), parts }
}

/** A schema and those that it is combined of. */
function alternatives(schema: unknown): Readonly<Record<string, unknown>>[] {
  if (!isRecord(schema)) return []
  const combined = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
  return [schema, ...combined.flatMap(alternatives)]
}

function takesNull(schema: unknown): boolean {
  if (!isRecord(schema)) return schema !== false
  const { type, anyOf, oneOf, allOf } = schema
  if (Array.isArray(type) ? !type.includes('null') : type !== undefined && type !== 'null') return false
  if ('const' in schema && schema.const !== null) return false
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) return false
  const some = [anyOf, oneOf].every((list) => !Array.isArray(list) || list.some(takesNull))
  return some && (!Array.isArray(allOf) || allOf.every(takesNull))
}
