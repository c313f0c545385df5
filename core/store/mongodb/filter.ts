import { trusted } from 'mongoose'

/** What may be compared with: never an object, so nothing from outside can become an operator. */
export type Plain = string | number | boolean | null

const MARK: unique symbol = Symbol('operator of this store')

/** A comparison made by `op`, recognised by its mark. */
export interface Operator {
  readonly [MARK]: true
}

export type Filter = Readonly<Record<string, Plain | Operator>>

type Comparison = '$gt' | '$gte' | '$lt' | '$lte' | '$ne' | '$in' | '$nin' | '$exists'

function isPlain(value: unknown): value is Plain {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** A comparison for a filter. Throws a TypeError when its value, or one of a list, is no plain value. */
export function op(comparison: Partial<Record<Comparison, Plain | readonly Plain[]>>): Operator {
  for (const value of Object.values(comparison)) for (const one of Array.isArray(value) ? value : [value]) refuseObject(one, 'a comparison')
  return trusted({ ...comparison, [MARK]: true as const })
}

/** Matches what is not a number up to this one: null, or larger. */
export function notUpTo(value: number): Operator {
  refuseObject(value, 'a comparison')
  return trusted({ $not: { $lte: value }, [MARK]: true as const })
}

/** Matches what is not a number beyond this one: null, or up to it. */
export function notBeyond(value: number): Operator {
  refuseObject(value, 'a comparison')
  return trusted({ $not: { $gt: value }, [MARK]: true as const })
}

function refuseObject(value: unknown, where: string): void {
  if (!isPlain(value)) throw new TypeError(`${where} takes text, a number, true, false or null, not ${typeof value}`)
}

/** The filter, when every value in it is plain or made by `op`; a TypeError otherwise. */
export function plainFilter(filter: Filter): Record<string, unknown> {
  for (const [path, value] of Object.entries(filter)) {
    const made = typeof value === 'object' && value !== null && MARK in value
    if (!made) refuseObject(value, path)
  }
  return { ...filter }
}

/** Ids that become field names: no dot, no dollar sign, nothing that JavaScript knows. */
const FIELD_NAME = /^[A-Za-z0-9][A-Za-z0-9_:@ -]{0,127}$/

export function isFieldName(id: unknown): id is string {
  return typeof id === 'string' && FIELD_NAME.test(id)
}

/** The id, when it may be a field name; a RangeError otherwise. */
export function fieldName(id: unknown, what: string): string {
  if (!isFieldName(id)) throw new RangeError(`${what} must be 1 to 128 letters, digits, spaces or _ : @ - and begin with a letter or digit`)
  return id
}

/** The value, when it is text; a TypeError otherwise. */
export function plainText(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new TypeError(`${what} takes text, not ${typeof value}`)
  return value
}

/** Any text as a field name, reversibly; none begins with an underscore, as `__proto__` does. */
export function escaped(text: string): string {
  return text.replaceAll(/[%.$\0]|^_/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

export function unescaped(name: string): string {
  return name.replaceAll(/%([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}

/** One `_id` of several deps that no other deps make. */
export function idOf(...deps: readonly (string | number)[]): string {
  for (const part of deps) refuseObject(part, 'an id')
  return JSON.stringify(deps)
}
