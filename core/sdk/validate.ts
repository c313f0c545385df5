import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { absentNulls } from './absent-nulls.js'
import type { Static, TSchema } from './schema.js'

/** Words of a schema's own for a value that its pattern or format refuses, beside `pattern` or `format`: `must be two letters such as DE`. */
export const WORDS = 'x-says'

/** A schema compiled once. `check` fills in defaults in place. */
export interface Validator<S extends TSchema> {
  readonly schema: S
  check(value: unknown): value is Static<S>
  /** Faults of the last failed check. */
  errors(): readonly ErrorObject[]
  /** The faults of the last failed check in one line, for logs. */
  explain(): string
}

/** Compiles schemas; one for all of a load, so that equal formats and keywords are prepared once. */
export class SchemaCompiler {
  readonly #ajv: Ajv2020
  readonly #byObject = new WeakMap<TSchema, Validator<TSchema>>()
  readonly #inputs = new WeakMap<TSchema, Validator<TSchema>>()

  /** `allErrors`: a check finds every fault, which takes long where there are many; else the first. */
  constructor({ allErrors = true }: { readonly allErrors?: boolean } = {}) {
    this.#ajv = new Ajv2020({
      allErrors,
      useDefaults: true,
      coerceTypes: false,
      strict: true,
      strictTypes: false,
      allowUnionTypes: true,
      // Without the pass over its code a schema takes up to half as long to compile; a check takes as long as with it.
      code: { optimize: false },
    })
    formats.default(this.#ajv)
    this.#ajv.addKeyword(WORDS)
  }

  /** Compiles a schema, once for each schema object; throws with the schema's own fault when it is not valid in strict mode. */
  compile<S extends TSchema>(schema: S): Validator<S> {
    const known = this.#byObject.get(schema)
    if (known !== undefined) return known as Validator<S>
    const validate = this.#ajv.compile(schema)
    const errors = (): readonly ErrorObject[] => validate.errors ?? []
    const validator: Validator<S> = {
      schema,
      check: (value): value is Static<S> => validate(value),
      errors,
      explain: () =>
        errors()
          .map((error) => `${error.instancePath || '/'} ${error.message ?? 'does not fit'}`)
          .join('; '),
    }
    this.#byObject.set(schema, validator)
    return validator
  }

  /** The same for what callers send: null for an optional property that does not take it means absent, and is taken out in place. */
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
