import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../sdk/record.js'

/** A value as it would be sent: undefined fields gone. */
export function plain(value: unknown): unknown {
  return value === undefined ? null : parsed(JSON.stringify(value))
}

/**
 * Where a value differs from what a fixture expects, as a sentence, or null. For values that differ from run to run a fixture
 * may say `{"$type": "number"}` (a typeof word) or `{"$match": "^[0-9]+$"}` (a pattern for a string).
 */
export function difference(expected: unknown, actual: unknown, path = ''): string | null {
  if (isRecord(expected) && typeof expected.$type === 'string')
    return typeof actual === expected.$type ? null : differs(path, expected.$type, actual)
  if (isRecord(expected) && typeof expected.$match === 'string')
    return typeof actual === 'string' && new RegExp(expected.$match, 'u').test(actual)
      ? null
      : differs(path, `/${expected.$match}/`, actual)
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const [index, item] of expected.entries()) {
      const found = difference(item, actual[index], `${path}/${String(index)}`)
      if (found !== null) return found
    }
    return null
  }
  if (isRecord(expected) && isRecord(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const found =
        key in expected && key in actual
          ? difference(expected[key], actual[key], `${path}/${key}`)
          : differs(`${path}/${key}`, expected[key], actual[key])
      if (found !== null) return found
    }
    return null
  }
  return isDeepStrictEqual(expected, actual) ? null : differs(path, expected, actual)
}

function differs(path: string, expected: unknown, actual: unknown): string {
  return `${path === '' ? 'it' : path} is ${format(actual)}, expected ${typeof expected === 'string' && expected.startsWith('/') ? expected : format(expected)}`
}

function format(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

function parsed(text: string): unknown {
  return JSON.parse(text)
}
