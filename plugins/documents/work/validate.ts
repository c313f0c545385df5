import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'
import type { SchemaViolation } from '../schema/caller-schema.js'
import type { PlacedPattern } from '../schema/checked-schema.js'

/** A checked schema and a value to validate, both as JSON text, which is fastest to pass to a thread. */
export interface Question {
  readonly schema: string
  readonly patterns: readonly PlacedPattern[]
  /** Null to compile only. */
  readonly value: string | null
}

/** Why the schema cannot be used, or the violations of the value. */
export type Verdict =
  | { readonly refused: { readonly loc: readonly (string | number)[]; readonly message: string } }
  | { readonly violations: readonly SchemaViolation[] }

/** Compiled schemas cached per thread. */
const KEPT = 16
const MOST_VIOLATIONS = 20
const LONGEST_PLACE = 200

const patternEngine = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    // The compiler merges patterns whose texts are equal.
    return { test: (text: string): boolean => compiled.test(text), toString: (): string => `re2:${pattern}` }
  },
  { code: 're2' },
)

/** Compiles with a separate Ajv, so that schemas do not share names or ids. */
function compiled(schema: string): ValidateFunction {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    validateSchema: false,
    meta: false,
    inlineRefs: false,
    ownProperties: true,
    logger: false,
    code: { regExp: patternEngine },
  })
  formats.default(ajv)
  // A format named like a member of Object.prototype is unknown.
  Object.setPrototypeOf(ajv.formats, null)
  const content: unknown = JSON.parse(schema)
  return ajv.compile(typeof content === 'object' && content !== null ? content : {})
}

/** The first pattern that cannot be used, or null. */
function badPattern(patterns: readonly PlacedPattern[]): Verdict | null {
  for (const { loc, pattern } of patterns) {
    try {
      patternEngine(pattern)
    } catch (error) {
      const reason = error instanceof Error ? error.message.slice(0, LONGEST_PLACE) : 'unknown'
      const message = `The pattern at ${loc.join('.')} cannot be used (${reason}). Look-around and back references are not supported.`
      return { refused: { loc, message } }
    }
  }
  return null
}

/** Validates values, and caches compiled schemas by their text. */
function validating(kept: LRUCache<string, ValidateFunction>) {
  return ({ schema, patterns, value }: Question): Verdict => {
    try {
      const bad = kept.has(schema) ? null : badPattern(patterns)
      if (bad !== null) return bad
      const validate = kept.get(schema) ?? compiled(schema)
      kept.set(schema, validate)
      if (value === null || validate(JSON.parse(value))) return { violations: [] }
      const violations = (validate.errors ?? []).slice(0, MOST_VIOLATIONS).map(({ instancePath, message = 'does not fit', params }) => {
        const name: unknown = params.additionalProperty ?? params.unevaluatedProperty
        const about = typeof name === 'string' ? `${message} ("${name.slice(0, LONGEST_PLACE)}")` : message
        return { at: instancePath === '' ? '/' : instancePath.slice(0, LONGEST_PLACE), message: about.slice(0, 2 * LONGEST_PLACE) }
      })
      validate.errors = null
      return { violations }
    } catch (error) {
      if (error instanceof RangeError) return { refused: { loc: [], message: 'The schema refers to itself too often to be used.' } }
      const reason = error instanceof Error ? error.message.slice(0, LONGEST_PLACE) : 'unknown'
      return { refused: { loc: [], message: `The schema cannot be used: ${reason}.` } }
    }
  }
}

export default validating(new LRUCache({ max: KEPT }))
