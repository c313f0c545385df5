import { isRecord } from './json.js'
import type { Static, TSchema } from './schema.js'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/** Removes properties that are null and may not be, in place. */
type Drop = (value: unknown) => void

interface NullableProperties {
  /** Optional properties that do not accept null. */
  readonly optional: readonly string[]
  readonly parts: readonly (readonly [string, Drop])[]
}

/**
 * Prepares the removal of nulls: null for an optional property of an input means that it is absent. A property that is
 * required, or whose schema accepts null, keeps it. Where schemas are combined (`anyOf`, `oneOf`, `allOf`), a property
 * is removed if no part that lists it requires it or accepts null. Null when the schema has no such property.
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

/** A schema and the schemas that it combines. */
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

/** A schema's own message for a value that its `pattern` or `format` rejects: `must be two letters such as DE`. */
export const WORDS = 'x-says'

/** A compiled schema. `check` fills in defaults in place. */
export interface Validator<S extends TSchema> {
  readonly schema: S
  check(value: unknown): value is Static<S>
  /** Faults of the last failed check. */
  errors(): readonly ErrorObject[]
  /** The faults of the last failed check in one line, for logs. */
  explain(): string
}

/**
 * Compiles schemas; one compiler for a whole load, so that equal formats and keywords are prepared once. A schema is
 * compiled at its first check: all of them take a second of processor time, and most are not used in the first minutes.
 */
export class SchemaCompiler {
  readonly #ajv: Ajv2020
  readonly #byObject = new WeakMap<TSchema, Validator<TSchema>>()
  readonly #inputs = new WeakMap<TSchema, Validator<TSchema>>()

  /** `allErrors`: a check finds every fault, which is slow where there are many; otherwise only the first. */
  constructor({ allErrors = true }: { readonly allErrors?: boolean } = {}) {
    this.#ajv = ajvWith(allErrors)
  }

  /** The validator of a schema, one for each schema object. One that does not compile throws at the first check. */
  compile<S extends TSchema>(schema: S): Validator<S> {
    const known = this.#byObject.get(schema)
    if (known !== undefined) return known as Validator<S>
    let validate: ValidateFunction | null = null
    const errors = (): readonly ErrorObject[] => validate?.errors ?? []
    const validator: Validator<S> = {
      schema,
      check: (value): value is Static<S> => (validate ??= this.#ajv.compile(schema))(value),
      errors,
      explain: () =>
        errors()
          .map((error) => `${error.instancePath || '/'} ${error.message ?? 'does not fit'}`)
          .join('; '),
    }
    this.#byObject.set(schema, validator)
    return validator
  }

  /** Throws the schema's fault when it is invalid in strict mode. */
  assertValid(schema: TSchema): void {
    void this.#ajv.validateSchema(schema, true)
    this.#ajv.compile(schema)
  }

  /** The same for input of callers: null for an optional property that does not accept it is removed in place. */
  compileInput<S extends TSchema>(schema: S): Validator<S> {
    const known = this.#inputs.get(schema)
    if (known !== undefined) return known as Validator<S>
    const validator = this.compile(schema)
    const drop = absentNulls(schema)
    const input: Validator<S> = {
      ...validator,
      check: (value): value is Static<S> => {
        drop?.(value)
        return validator.check(value)
      },
    }
    this.#inputs.set(schema, input)
    return input
  }
}

function ajvWith(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    useDefaults: true,
    coerceTypes: false,
    strict: true,
    strictTypes: false,
    allowUnionTypes: true,
    // Without its optimisation of code a schema compiles up to twice as fast; checks take the same time.
    code: { optimize: false },
    // Would compile the schema of schemas first, 11 ms in each compiler: only `assertValid` does.
    validateSchema: false,
  })
  formats.default(ajv)
  ajv.addKeyword(WORDS)
  return ajv
}
