import type { Violation, Static, TSchema, Validator } from '../sdk/index.js'
import { Problem, type ValidationItem } from '../problems/problem.js'
import { schemaFaults } from '../schema-faults/faults.js'

/** How faults are called where that is not the keyword that was not kept. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['required', 'missing'],
  ['additionalProperties', 'extra_forbidden'],
  ['unevaluatedProperties', 'extra_forbidden'],
])
/** Characters of a field's name that are quoted. */
const LONGEST_NAME = 200

/** The value, checked and with defaults filled in. Throws `validation-failed` with its faults; `root` begins each `loc`. */
export function validated<S extends TSchema>(validator: Validator<S>, value: unknown, root: readonly string[]): Static<S> {
  if (validator.check(value)) return value
  throw validationFailed(
    schemaFaults(validator, value).map(({ path, keyword, says }) => ({
      loc: [...root, ...path.map(place)],
      msg: says,
      type: TYPES.get(keyword) ?? keyword,
    })),
  )
}

/** The problem for a list of faults. */
export function validationFailed(items: readonly ValidationItem[]): Problem {
  const unique = [...new Map(items.map((entry) => [JSON.stringify(entry.loc) + entry.msg, entry])).values()]
  const first = unique.slice(0, 3).map((entry) => `${entry.loc.slice(1).join('.') || String(entry.loc[0])}: ${entry.msg}`)
  const more = unique.length > 3 ? ` (and ${unique.length - 3} more)` : ''
  return new Problem('validation-failed', `${first.join('; ')}${more}.`, { validation: unique.slice(0, 100) })
}

/** Violations of rules over several fields, as validation items. */
export function violationItems(violations: readonly Violation[], root: readonly string[]): ValidationItem[] {
  return violations.map(({ loc, msg, type }) => ({ loc: [...root, ...loc], msg, type: type ?? 'value_error' }))
}

function place(part: string): string | number {
  const name = shortened(part)
  return /^\d+$/.test(name) ? Number(name) : name
}

/** A caller's own name of a field goes back to him, and into logs, at a length that can be read. */
function shortened(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}…`
}
