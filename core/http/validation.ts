import type { Violation, Static, TSchema, Validator } from '../sdk/index.js'
import { Problem, type ValidationItem } from '../problems/problem.js'

/** Faults that are looked at: a hostile body has as many as it has values. */
const MOST_FAULTS = 1_000
/** Characters of a field's name that are quoted. */
const LONGEST_NAME = 200

type Fault = ReturnType<Validator<TSchema>['errors']>[number]

/** The value, checked and with defaults filled in. Throws `validation-failed` with its faults, the first 1,000; `root` begins each `loc`. */
export function validated<S extends TSchema>(validator: Validator<S>, value: unknown, root: readonly string[]): Static<S> {
  if (validator.check(value)) return value
  const faults = validator.errors().slice(0, MOST_FAULTS)
  throw validationFailed(faults.map((fault) => item(fault, root)))
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

function item(fault: Fault, root: readonly string[]): ValidationItem {
  const path = fault.instancePath.split('/').slice(1).map(unescape)
  const params: Record<string, unknown> = fault.params
  switch (fault.keyword) {
    case 'required':
      return { loc: [...root, ...path, String(params.missingProperty)], msg: 'this field is required', type: 'missing' }
    case 'additionalProperties':
      return {
        loc: [...root, ...path, shortened(String(params.additionalProperty))],
        msg: 'this field is not known',
        type: 'extra_forbidden',
      }
    case 'enum':
      return { loc: [...root, ...path], msg: `must be one of ${listed(params.allowedValues)}`, type: 'enum' }
    default:
      return { loc: [...root, ...path], msg: fault.message ?? 'does not fit', type: fault.keyword }
  }
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => (value === null ? 'null' : `"${String(value)}"`)).join(', ') : 'the listed values'
}

function unescape(part: string): string | number {
  const name = shortened(part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return /^\d+$/.test(name) ? Number(name) : name
}

/** A caller's own name of a field goes back to him, and into logs, at a length that can be read. */
function shortened(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}…`
}
