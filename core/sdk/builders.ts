import type { TSchema, Type as TypeBox } from 'typebox'
import { packageAtUse } from './package-at-use.js'

type Mark = '~kind' | '~optional' | '~unsafe'

/** Marks are not enumerable: a schema with them is plain JSON Schema. */
function marked<T extends object>(schema: T, mark: Mark, value: unknown): T {
  return Object.defineProperty(schema, mark, { value, configurable: true, writable: true })
}

function builder(kind: string, schema: object = {}) {
  return (options?: object) => marked({ ...schema, ...options }, '~kind', kind)
}

/** A copy with its marks. */
function copy(schema: object): object {
  return Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))
}

/** The keys of a record are strings, whatever they are. */
const ANY_KEY = '^.*$'

/** The builders that almost all schemas consist of; they return what those of TypeBox do. */
const own = {
  Array: (items: object, options?: object) => builder('Array', { type: 'array', items })(options),
  Boolean: builder('Boolean', { type: 'boolean' }),
  Integer: builder('Integer', { type: 'integer' }),
  Literal: (value: string | number | boolean, options?: object) => builder('Literal', { type: typeof value, const: value })(options),
  Null: builder('Null', { type: 'null' }),
  Number: builder('Number', { type: 'number' }),
  Object: (properties: Readonly<Record<string, object>>, options?: object) => {
    const required = Object.keys(properties).filter((name) => !('~optional' in (properties[name] ?? {})))
    return builder('Object', { type: 'object', ...(required.length > 0 ? { required } : {}), properties })(options)
  },
  Optional: (schema: object) => marked(copy(schema), '~optional', true),
  Record: (key: TSchema, value: object, options?: object) => {
    if (!('~kind' in key) || key['~kind'] !== 'String' || 'pattern' in key) return whole().Record(key, value, options)
    return builder('Record', { type: 'object', patternProperties: { [ANY_KEY]: value } })(options)
  },
  String: builder('String', { type: 'string' }),
  Union: (anyOf: readonly object[], options?: object) => builder('Union', { anyOf })(options),
  Unknown: builder('Unknown'),
  Unsafe: (schema: object) => marked(copy(schema), '~unsafe', null),
}

const typebox = packageAtUse<{ readonly Type: typeof TypeBox }>('typebox')

function whole(): typeof TypeBox {
  return typebox().Type
}

/**
 * The builders of TypeBox, which is 370 modules: it is loaded at the first use of another builder than the usual ones.
 * Types: typebox.
 */
export const Type = new Proxy(own as unknown as typeof TypeBox, {
  get: (usual, name) => Reflect.get(Object.hasOwn(usual, name) ? usual : whole(), name) as unknown,
  has: (_usual, name) => name in whole(),
  ownKeys: () => Reflect.ownKeys(whole()),
})
