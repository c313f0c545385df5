import { overLimit } from './json-structure.js'

/** True for a plain object whose fields may be looked at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** More than any vendor's reply or model's answer has, and built in some hundredths of a second. */
const LIMITS = { parts: 400_000, depth: 500 }

/**
 * A JSON value that something foreign wrote, such as a program or a model. Throws a SyntaxError when the text is not JSON or is of so many
 * values (400,000 containers and commas) or so deep (500) that building it would hold up the gateway; that is counted before.
 */
export function foreignJson(text: string | Uint8Array): unknown {
  assertBuildable(typeof text === 'string' ? new TextEncoder().encode(text) : text)
  const value: unknown = JSON.parse(typeof text === 'string' ? text : new TextDecoder().decode(text))
  return value
}

/** Throws a SyntaxError for JSON that `foreignJson` would not build, for those who hand foreign JSON to a library that parses it. */
export function assertBuildable(bytes: Uint8Array): void {
  const over = overLimit(bytes, LIMITS)
  if (over !== null) throw new SyntaxError(over === 'depth' ? 'the JSON is too deep' : 'the JSON has too many values')
}
