import { trusted } from 'mongoose'

/** A value that a filter may compare with: never an object, so outside input cannot become an operator. */
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

/** A comparison for a filter. Throws a TypeError when its value, or one in a list, is not plain. */
export function op(comparison: Partial<Record<Comparison, Plain | readonly Plain[]>>): Operator {
  for (const value of Object.values(comparison)) for (const one of Array.isArray(value) ? value : [value]) refuseObject(one, 'a comparison')
  return trusted({ ...comparison, [MARK]: true as const })
}

/** Matches null or a number greater than this one. */
export function nullOrAbove(value: number): Operator {
  refuseObject(value, 'a comparison')
  return trusted({ $not: { $lte: value }, [MARK]: true as const })
}

/** Matches null or a number not greater than this one. */
export function nullOrAtMost(value: number): Operator {
  refuseObject(value, 'a comparison')
  return trusted({ $not: { $gt: value }, [MARK]: true as const })
}

function refuseObject(value: unknown, where: string): void {
  if (!isPlain(value)) throw new TypeError(`${where} takes text, a number, true, false or null, not ${typeof value}`)
}

/** Returns a copy of the filter. Throws a TypeError when a value in it is neither plain nor made by `op`. */
export function plainFilter(filter: Filter): Record<string, unknown> {
  for (const [path, value] of Object.entries(filter)) {
    const isOperator = typeof value === 'object' && value !== null && MARK in value
    if (!isOperator) refuseObject(value, path)
  }
  return { ...filter }
}

/** Ids that may be field names: no dot, no dollar sign, no name of a JavaScript prototype such as `__proto__`. */
const FIELD_NAME = /^[A-Za-z0-9][A-Za-z0-9_:@ -]{0,127}$/

export function isFieldName(id: unknown): id is string {
  return typeof id === 'string' && FIELD_NAME.test(id)
}

/** Returns the id. Throws a RangeError when it may not be a field name. */
export function fieldName(id: unknown, what: string): string {
  if (!isFieldName(id)) throw new RangeError(`${what} must be 1 to 128 letters, digits, spaces or _ : @ - and begin with a letter or digit`)
  return id
}

/** Returns the value. Throws a TypeError when it is not text. */
export function plainText(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new TypeError(`${what} takes text, not ${typeof value}`)
  return value
}

/** Escapes any text into a field name, reversibly; no result begins with an underscore, as `__proto__` does. */
export function escaped(text: string): string {
  return text.replaceAll(/[%.$\0]|^_/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

export function unescaped(name: string): string {
  return name.replaceAll(/%([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}

/** One `_id` of several parts. Different parts never give the same one. */
export function idOf(...parts: readonly (string | number)[]): string {
  for (const part of parts) refuseObject(part, 'an id')
  return JSON.stringify(parts)
}
