import { valueAt } from '../_shared/value-at.js'

/** The text (or number, as text) at a path of an untyped reply, or an empty string. Constant time for replies of any size. */
export function textAt(body: unknown, ...path: readonly string[]): string {
  const value = valueAt(body, ...path)
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
