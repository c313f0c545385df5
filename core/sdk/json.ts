import { overLimit } from './json-structure.js'

/** More than any vendor's reply or model's answer has, and built in some hundredths of a second. */
const LIMITS = { parts: 400_000, depth: 500 }

/**
 * A JSON value that something foreign wrote, such as a program or a model. Throws a SyntaxError when the text is not JSON or is of so many
 * values (400,000 containers and commas) or so deep (500) that building it would hold up the gateway; that is counted before.
 */
export function foreignJson(text: string | Uint8Array): unknown {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const over = overLimit(bytes, LIMITS)
  if (over !== null) throw new SyntaxError(over === 'depth' ? 'the JSON is too deep' : 'the JSON has too many values')
  const value: unknown = JSON.parse(typeof text === 'string' ? text : new TextDecoder().decode(bytes))
  return value
}
