import { Type, type Static, type TObject, type TOptional, type TSchema, type TUnsafe } from 'typebox'

export { Type, type Static, type TObject, type TSchema }

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
