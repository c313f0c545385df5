import { valueAt } from '../_shared/value-at.js'

/** The text (or number, as text) at a path of a reply whose shape nobody promises, or an empty string. Takes the same time for replies of any size. */
export function textAt(body: unknown, ...path: readonly string[]): string {
  const value = valueAt(body, ...path)
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
