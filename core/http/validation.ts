import type { LoadedCapability } from '../loader/types.js'
import { finished, Problem, type ProblemOptions, type ValidationItem } from '../problems/problem.js'
import { schemaFaults } from '../problems/schema-faults/faults.js'
import { normalised, type Static, type TObject, type TSchema, type Validator, type Violation, violations } from '../sdk/index.js'

/** Fault types that differ from the violated keyword. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['required', 'missing'],
  ['additionalProperties', 'extra_forbidden'],
  ['unevaluatedProperties', 'extra_forbidden'],
])
/** Most faults in the message. */
const SHOWN_FAULTS = 4
/** Most characters quoted of a field's name. */
const LONGEST_NAME = 200

/** Checks a value and fills in defaults. Throws `validation-failed` with its faults; `root` begins each `loc`. */
export function validated<S extends TSchema>(validator: Validator<S>, value: unknown, root: readonly string[]): Static<S> {
  if (validator.check(value)) return value
  throw validationFailed(
    schemaFaults(validator, value, { texts: root[0] === 'query' }).map(({ path, keyword, says }) => ({
      loc: [...root, ...path.map(place)],
      msg: says,
      type: TYPES.get(keyword) ?? keyword,
    })),
  )
}

/** Checks the parameters by schema, fills in defaults, and applies the rules over several fields. Throws all faults of a stage at once. */
export function checkedInput(loaded: LoadedCapability, given: unknown, root: readonly string[]): unknown {
  return withRules(loaded, validated(loaded.input, given, root), root)
}

/** Normalises an input that fits its schema, and applies the rules over several fields. Throws `validation-failed`. */
export function withRules({ capability }: LoadedCapability, given: unknown, root: readonly string[]): unknown {
  const input = normalised(capability, given)
  const found = violations(capability, input)
  if (found.length > 0) throw validationFailed(violationItems(found, root))
  return input
}

/** The problem for a list of faults. */
export function validationFailed(items: readonly ValidationItem[], options: Pick<ProblemOptions, 'action'> = {}): Problem {
  const unique = [...new Map(items.map((entry) => [JSON.stringify(entry.loc) + entry.msg, entry])).values()]
  const shown = unique.slice(0, SHOWN_FAULTS)
  const fields = new Map<string, string[]>()
  for (const { loc, msg } of shown) fields.set(msg, [...(fields.get(msg) ?? []), loc.slice(1).join('.') || String(loc[0])])
  const said = [...fields].map(
    ([msg, names]) => `${names.join(', ')}: ${names.length === 1 ? msg : msg.replace(/^this field is/, 'these fields are')}`,
  )
  const more = unique.length > shown.length ? ` (and ${unique.length - shown.length} more)` : ''
  return new Problem('validation-failed', finished(`${said.join('; ')}${more}`), { ...options, validation: unique.slice(0, 100) })
}

/** Violations of rules over several fields, as validation items. */
function violationItems(violations: readonly Violation[], root: readonly string[]): ValidationItem[] {
  return violations.map(({ loc, msg, type }) => ({ loc: [...root, ...loc], msg, type: type ?? 'value_error' }))
}

function place(part: string): string | number {
  const name = shortened(part)
  return /^\d+$/.test(name) ? Number(name) : name
}

/** Shortens a caller's field name for messages and logs. */
function shortened(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}…`
}

const INTEGER = /^-?(0|[1-9]\d{0,14})$/
const NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/

/** Parses the query string by the types of a schema. Throws `validation-failed` for a repeated field. */
export function readQuery(schema: TObject, query: URLSearchParams): Record<string, unknown> {
  const values = new Map<string, unknown>()
  const faults: ValidationItem[] = []
  for (const name of new Set(query.keys())) {
    const given = query.getAll(name)
    const [text = ''] = given
    if (given.length > 1) faults.push({ loc: ['query', name], msg: 'this field was given more than once', type: 'multiple' })
    else values.set(name, convert(typeOf(schema, name), text))
  }
  if (faults.length > 0) throw validationFailed(faults)
  return Object.fromEntries(values)
}

function typeOf(schema: TObject, name: string): unknown {
  const property: unknown = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
  return typeof property === 'object' && property !== null && 'type' in property ? property.type : undefined
}

/** A value that does not parse stays a string, which the schema then refuses. */
function convert(type: unknown, text: string): unknown {
  const types: unknown[] = Array.isArray(type) ? type : [type]
  if (types.includes('integer') && INTEGER.test(text)) return Number(text)
  if (types.includes('number') && NUMBER.test(text)) return Number(text)
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
