import type { Facts } from './types.js'

/** Text that this store wrote itself with JSON.stringify, read back; the type is the one it was written with. */
function isWritten<T>(value: unknown): value is T {
  return value !== undefined
}

/** Reads a JSON column. Throws when the text is not JSON, which only a damaged file can hold. */
export function stored<T>(text: string): T {
  const value: unknown = JSON.parse(text)
  if (!isWritten<T>(value)) throw new Error('a stored value is empty')
  return value
}

/** Facts of an entry, null when it has none. */
export function storedFacts(text: string | null): Facts | null {
  return text === null ? null : stored<Facts>(text)
}
