import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../../../core/sdk/json.js'
import { bytesFault, type FixtureBytes } from './fixture.js'

/** A value as it would be sent: without undefined fields. */
export function plain(value: unknown): unknown {
  return value === undefined ? null : parsed(JSON.stringify(value))
}

/** A file that an output names. */
export interface OutputFile {
  readonly bytes: Uint8Array
  /** Media type detected from its first bytes, or null. */
  readonly kind: string | null
}

/** The file that a value of an output refers to, one of the call or the link of a stored one; undefined for any other value. */
export type OutputFiles = (value: unknown) => OutputFile | undefined

const NO_FILES: OutputFiles = () => undefined

/**
 * The first difference between a value and what a fixture expects, as a sentence, or null. For values that vary between runs a fixture
 * may use `{"$type": "number"}` (a typeof word) or `{"$match": "^[0-9]+$"}` (a pattern for a string), for a file of the call or the link
 * of a stored one `{"$file": {…}}` with any of `size`, `sha256`, `kind` (a media type), `text`, `base64` and `file`.
 */
export function difference(expected: unknown, actual: unknown, path = '', files: OutputFiles = NO_FILES): string | null {
  if (isRecord(expected) && isRecord(expected.$file)) return fileDifference(expected.$file, files(actual), path)
  if (isRecord(expected) && typeof expected.$type === 'string')
    return typeof actual === expected.$type ? null : differs(path, expected.$type, actual)
  if (isRecord(expected) && typeof expected.$match === 'string')
    return typeof actual === 'string' && new RegExp(expected.$match, 'u').test(actual)
      ? null
      : differs(path, `/${expected.$match}/`, actual)
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const [index, item] of expected.entries()) {
      const found = difference(item, actual[index], `${path}/${String(index)}`, files)
      if (found !== null) return found
    }
    return null
  }
  if (isRecord(expected) && isRecord(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const found =
        key in expected && key in actual
          ? difference(expected[key], actual[key], `${path}/${key}`, files)
          : differs(`${path}/${key}`, expected[key], actual[key])
      if (found !== null) return found
    }
    return null
  }
  return isDeepStrictEqual(expected, actual) ? null : differs(path, expected, actual)
}

function fileDifference(expected: FixtureBytes & { kind?: unknown }, file: OutputFile | undefined, path: string): string | null {
  if (file === undefined) return `${path} is neither a file of the call nor a link of a stored one`
  const { kind, ...bytes } = expected
  if (kind !== undefined && kind !== file.kind) return differs(`${path}/$file/kind`, kind, file.kind)
  const known = Object.keys(bytes).find((name) => !['size', 'sha256', 'text', 'base64'].includes(name))
  if (known !== undefined) return `${path}/$file has the unknown field "${known}"`
  const found = kind !== undefined && Object.keys(bytes).length === 0 ? null : bytesFault(bytes, file.bytes)
  return found === null ? null : `${path}/$file is ${found}`
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

/** True when both are the same as JSON. */
export function same(expected: unknown, actual: unknown): boolean {
  return difference(plain(expected), plain(actual)) === null
}
