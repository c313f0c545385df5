import { checkedSchema } from './checked-schema.js'
import type { Violation } from './port.js'

/** A place where a value does not fit a schema. */
export interface SchemaViolation {
  /** JSON pointer into the value, `/` for the value itself. */
  readonly at: string
  readonly message: string
}

/** A JSON Schema of a caller that was checked and can be used. */
export interface CallerSchema {
  /** A copy with the keywords that are read, and nothing else. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Where the schema stands in the input. */
  readonly loc: readonly (string | number)[]
  /**
   * Where a JSON value does not fit, at most 20 places. Runs beside the event loop with 1 s and 128 MiB; a schema that needs more is an `invalid`
   * Fault that counts against the caller.
   */
  violations(value: unknown): Promise<readonly SchemaViolation[]>
}

/**
 * What is wrong with the form of a caller's JSON Schema (draft 2020-12), for `check` of a capability, so that it is said before anything is held
 * or asked. At most 32,768 characters, 12 schemas deep, no reference to the outside. `loc` names the field, such as `['schema']`. What only compiling
 * shows, such as a bad pattern, is said by `callerSchema` of the context.
 */
export function callerSchemaViolations(schema: unknown, loc: readonly (string | number)[]): readonly Violation[] {
  return checkedSchema(schema, loc).violations
}
