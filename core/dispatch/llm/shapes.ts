import { Fault, SchemaCompiler, type Static, type TSchema, type Validator } from '../../sdk/index.js'

/** Schemas of vendor replies and model answers, compiled once for each schema object. */
export class Shapes {
  readonly #compiler = new SchemaCompiler()
  /** Stops at the first fault, since only that is shown. */
  readonly #first = new SchemaCompiler({ allErrors: false })

  /** Returns the value if it fits the schema. Throws a `broken` Fault otherwise. */
  read<S extends TSchema>(schema: S, value: unknown): Static<S> {
    const validator = this.#first.compile(schema)
    if (validator.check(value)) return value
    throw new Fault('broken', 'The provider replied in a form that was not understood.', { internal: validator.explain() })
  }

  /** Checks a shape and explains its first fault. */
  validator<S extends TSchema>(schema: S): Validator<S> {
    return this.#first.compile(schema)
  }

  /** Why a value does not fit, or null when it does. */
  violation(schema: TSchema, value: unknown): string | null {
    const validator = this.#compiler.compile(schema)
    return validator.check(value) ? null : validator.explain()
  }
}
