import { kindWords } from '../problems/schema-faults/words.js'
import { overLimit } from '../sdk/json-structure.js'
import { Problem } from '../problems/problem.js'
import { jsonFault, placed } from './json-fault.js'

const DEEPEST = 64
/** Most values in the body of a capability. */
export const MOST_VALUES = 50_000
/** A body above one of these is read in a worker: more would block the event loop for too long. */
const SMALL = { bytes: 1024 * 1024, parts: 4_000 }
const OBJECT = 'Send the object itself, such as {"name": "value"}, not within a list or as a string.'
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/** True for a body that takes too long to parse on the main thread. */
export function isLarge(bytes: Uint8Array): boolean {
  if (bytes.length > SMALL.bytes) return true
  return bytes.length > SMALL.parts && overLimit(bytes, { parts: SMALL.parts, depth: DEEPEST }) === 'parts'
}

/**
 * Parses a request body to a JSON object. Refuses valid JSON that is harmful: deep nesting, too many values, keys that
 * reach prototypes, numbers that are not finite. Throws `malformed-request`.
 */
export function parseObject(bytes: Uint8Array, mostValues = MOST_VALUES): Record<string, unknown> {
  assertStructure(bytes, mostValues)
  return objectOf(parsed(decode(bytes)), mostValues)
}

/** Throws `malformed-request` for a text with more than `mostValues` values or 64 levels, counted in its bytes. */
export function assertStructure(bytes: Uint8Array, mostValues: number): void {
  const over = overLimit(bytes, { parts: 2 * mostValues, depth: DEEPEST })
  if (over !== null) throw over === 'depth' ? tooDeep() : tooMany(mostValues)
}

/** Parses a JSON text. Throws `malformed-request` with the position of the fault. */
export function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch (error) {
    throw new Problem(
      'malformed-request',
      `The body is not valid JSON${error instanceof SyntaxError ? faultOf(text) : ': it could not be parsed'}.`,
      { cause: error },
    )
  }
}

/** Checks that a value is a harmless object. Throws `malformed-request`. */
export function objectOf(value: unknown, mostValues: number): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Problem('malformed-request', `The body must be a JSON object, not ${kindWords(value)}.`, { action: OBJECT })
  inspect(value, mostValues)
  return { ...value }
}

/** Without recursion, because the depth is not yet bounded. */
function inspect(root: object, mostValues: number): void {
  let nodes = 0
  let level: object[] = [root]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > DEEPEST) throw tooDeep()
    const below: object[] = []
    for (const container of level) {
      nodes += inspectOne(container, below)
      if (nodes > mostValues) throw tooMany(mostValues)
    }
    level = below
  }
}

function inspectOne(container: object, below: object[]): number {
  const values: unknown[] = Array.isArray(container) ? container : Object.values(container)
  if (!Array.isArray(container)) {
    for (const key of Object.keys(container))
      if (FORBIDDEN.has(key)) throw new Problem('malformed-request', `The body has a field named "${key}", which is not accepted.`)
  }
  for (const value of values) {
    if (typeof value === 'object' && value !== null) below.push(value)
    else if (typeof value === 'number' && !Number.isFinite(value))
      throw new Problem('malformed-request', 'The body has a number that is too large.')
  }
  return values.length
}

/** Decodes a body, without a byte order mark. Throws `malformed-request` if it is not UTF-8. */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new Problem('malformed-request', 'The body is not valid UTF-8.', { cause: error })
  }
}

function tooDeep(): Problem {
  return new Problem('malformed-request', `The body is nested deeper than ${DEEPEST} levels.`)
}

function tooMany(most: number): Problem {
  return new Problem('malformed-request', `The body has more than ${most} values.`)
}

/** Replaces the parser's message, which quotes the body and does not always contain the position. */
function faultOf(text: string): string {
  const fault = jsonFault(text)
  return fault === null ? '' : placed(text, fault)
}
