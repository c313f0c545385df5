import { overLimit } from './json-structure.js'

/** True for an object that is not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** More than any reply of a vendor or a model has; parsed in some hundredths of a second. */
const LIMITS = { parts: 400_000, depth: 500 }

/**
 * Parses JSON from a foreign source, such as a program or a model. Throws a SyntaxError when the text is invalid, or
 * has so many values (400,000 containers and commas) or levels (500) that parsing would block the gateway; these are
 * counted first.
 */
export function foreignJson(text: string | Uint8Array): unknown {
  assertBuildable(typeof text === 'string' ? new TextEncoder().encode(text) : text)
  const value: unknown = JSON.parse(typeof text === 'string' ? text : new TextDecoder().decode(text))
  return value
}

/** Throws a SyntaxError for JSON that `foreignJson` would reject, before a library parses it. */
export function assertBuildable(bytes: Uint8Array): void {
  const over = overLimit(bytes, LIMITS)
  if (over !== null) throw new SyntaxError(over === 'depth' ? 'the JSON is too deep' : 'the JSON has too many values')
}
