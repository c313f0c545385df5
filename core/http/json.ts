import { overLimit } from '../sdk/json-structure.js'
import { Problem } from '../problems/problem.js'

const DEEPEST = 64
const MOST_NODES = 50_000
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * The JSON object of a request body. Refuses what parses but harms later: deep nesting, very many values, keys that reach
 * prototypes, numbers that are not finite. Throws `malformed-request`.
 */
export function parseObject(bytes: Buffer): Record<string, unknown> {
  const over = overLimit(bytes, { parts: 2 * MOST_NODES, depth: DEEPEST })
  if (over !== null) throw over === 'depth' ? tooDeep() : tooMany()
  const text = decode(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Problem(
      'malformed-request',
      `The body is not valid JSON: ${error instanceof SyntaxError ? position(error) : 'it could not be parsed'}.`,
      { cause: error },
    )
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Problem('malformed-request', 'The body must be a JSON object.')
  inspect(value)
  return { ...value }
}

/** Walks without recursion, because the depth is not yet known to be small. */
function inspect(root: object): void {
  let nodes = 0
  let level: object[] = [root]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > DEEPEST) throw tooDeep()
    const below: object[] = []
    for (const container of level) {
      nodes += inspectOne(container, below)
      if (nodes > MOST_NODES) throw tooMany()
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

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new Problem('malformed-request', 'The body is not valid UTF-8.', { cause: error })
  }
}

function tooDeep(): Problem {
  return new Problem('malformed-request', `The body is nested deeper than ${DEEPEST} levels.`)
}

function tooMany(): Problem {
  return new Problem('malformed-request', `The body has more than ${MOST_NODES} values.`)
}

/** The parser's own sentence quotes the body; only the position is passed on. */
function position(error: SyntaxError): string {
  const at = /position (\d+)/.exec(error.message)?.[1]
  return at === undefined ? 'it ends too early or is empty' : `unexpected character at position ${at}`
}
