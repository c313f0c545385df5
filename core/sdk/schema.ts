import type { Static, TObject, TOptional, TSchema, TUnsafe, Type as TypeBox } from 'typebox'
import { packageAtUse } from './package-at-use.js'

export type { Static, TObject, TSchema }

type HiddenKeyword = '~kind' | '~optional' | '~unsafe'

/** Marks are not enumerable: a schema with them is plain JSON Schema. */
function marked<T extends object>(schema: T, mark: HiddenKeyword, value: unknown): T {
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
  Literal: (value: unknown, options?: object) => builder('Literal', { type: typeof value, const: value })(options),
  Null: builder('Null', { type: 'null' }),
  Number: builder('Number', { type: 'number' }),
  Object: (properties: Readonly<Record<string, object>>, options?: object) => {
    const required = Object.keys(properties).filter((name) => !('~optional' in (properties[name] ?? {})))
    return builder('Object', { type: 'object', ...(required.length > 0 ? { required } : {}), properties })(options)
  },
  Optional: (schema: object) => marked(copy(schema), '~optional', true),
  Record: (key: TSchema, value: object, options?: object) => {
    const isText = '~kind' in key && key['~kind'] === 'String' && !('pattern' in key)
    if (!isText) return whole().Record(key, value, { ...options })
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
})

/** Marks a property that has a default, in the type system only. */
declare const defaulted: unique symbol

/** A property that callers may omit and that handlers always have. */
export type Defaulted<S extends TSchema> = S & { readonly [defaulted]?: true }

/**
 * Gives a property a default: optional for callers, in OpenAPI and in tool definitions, always present for the handler.
 * The default must be a value of the schema.
 */
export function or<S extends TSchema>(schema: S, value: Static<S>): Defaulted<S> {
  const optional: unknown = Type.Optional({ ...schema, default: value })
  return optional as Defaulted<S>
}

/** A string that is one of the listed values. */
export function oneOf<const T extends readonly [string, ...string[]]>(...values: T): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values] })
}

/** A value or null; response fields without a value are null, never absent. */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  const { type, enum: values } = schema as { type?: unknown; enum?: unknown[] }
  if (values !== undefined && typeof type === 'string')
    return Type.Unsafe<Static<S> | null>({ ...schema, type: [type, 'null'], enum: [...values, null] })
  if (typeof type === 'string' && values === undefined && !('const' in schema))
    return Type.Unsafe<Static<S> | null>({ ...schema, type: [type, 'null'] })
  return Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] })
}

type Properties<I> = I extends TObject<infer P> ? P : never
type OptionalKeys<P> = {
  [K in keyof P]: P[K] extends { readonly [defaulted]?: true }
    ? undefined extends P[K][typeof defaulted]
      ? typeof defaulted extends keyof P[K]
        ? K
        : P[K] extends TOptional<TSchema>
          ? K
          : never
      : never
    : never
}[keyof P]

/** The caller's view of an input: properties with a default are optional. */
export type Given<I extends TSchema> = I extends TObject
  ? Omit<Static<I>, OptionalKeys<Properties<I>> & keyof Static<I>> & Partial<Pick<Static<I>, OptionalKeys<Properties<I>> & keyof Static<I>>>
  : Static<I>

/** The defaults of an object's properties, new for each call. */
export function defaultsOf({ properties }: TObject): Record<string, unknown> {
  const given = Object.entries(properties).filter(([, schema]) => 'default' in schema)
  return Object.fromEntries(given.map(([name, schema]) => [name, structuredClone(Reflect.get(schema, 'default'))]))
}
