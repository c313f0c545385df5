import { isAscii, isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { endOfString } from '../../sdk/json-structure.js'
import { Problem } from '../../problems/problem.js'
import { assertStructure, decode, MOST_VALUES, objectOf, parsed } from '../json.js'

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c
/** Strings of more bytes are decoded separately. */
const LONG = 64 * 1024
/** Longest field name in bytes: the size of a whole small body. */
const LONGEST_NAME = 1024 * 1024
// eslint-disable-next-line no-control-regex -- they are what JSON forbids in a string
const CONTROL = /[\0-\x1f]/

/** A long string: its bytes between the quotes. */
interface LongString {
  readonly from: number
  readonly to: number
}

/**
 * As `parseObject`, in less memory: long strings are decoded one by one from the bytes, without a text of the whole
 * body. `release` is called when the bytes are no longer needed. Throws `malformed-request`.
 */
export function parseLarge(bytes: Buffer, release: () => void = () => undefined): Record<string, unknown> {
  assertStructure(bytes, MOST_VALUES)
  // Throws the same message as for a small body.
  if (!isUtf8(bytes)) decode(bytes)
  const long = longStrings(bytes)
  const parts = long.length === 0 ? null : partsOf(bytes, long)
  if (parts === null) {
    const text = withoutMark(textAt(bytes, 0, bytes.length))
    release()
    return objectOf(parsed(text), MOST_VALUES)
  }
  release()
  const value = objectOf(parts.outline, MOST_VALUES)
  putBack(value, parts.mark, parts.texts)
  return value
}

/** A body with its long strings extracted. */
interface ApartBody {
  /** The value with a placeholder and a number for each long string. */
  readonly outline: unknown
  readonly mark: string
  readonly texts: readonly string[]
}

/** Null for invalid JSON: the caller then reports the position in the whole text. */
function partsOf(bytes: Buffer, long: readonly LongString[]): ApartBody | null {
  const mark = randomUUID()
  const pieces: string[] = []
  let at = 0
  for (const [index, { from, to }] of long.entries()) {
    pieces.push(bytes.toString('utf8', at, from), `${mark}${index}`)
    at = to
  }
  pieces.push(bytes.toString('utf8', at))
  const outline = jsonOf(withoutMark(pieces.join('')))
  if (outline === undefined) return null
  const texts: string[] = []
  for (const string of long) {
    const text = stringAt(bytes, string)
    if (text === null) return null
    texts.push(text)
  }
  return { outline, mark, texts }
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Decodes valid UTF-8; ASCII as latin1, which takes no more memory than its bytes. */
function textAt(bytes: Buffer, from: number, to: number): string {
  return bytes.toString(isAscii(bytes.subarray(from, to)) ? 'latin1' : 'utf8', from, to)
}

/** Without the byte order mark. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** Long strings other than field names. */
function longStrings(bytes: Buffer): LongString[] {
  const found: LongString[] = []
  for (let quote = bytes.indexOf(QUOTE); quote !== -1;) {
    const end = endOfString(bytes, quote)
    if (end - quote > LONG) {
      if (!isName(bytes, end)) found.push({ from: quote + 1, to: end })
      else if (end - quote > LONGEST_NAME)
        throw new Problem('malformed-request', `The body has a field whose name is longer than ${LONGEST_NAME} bytes.`)
    }
    quote = bytes.indexOf(QUOTE, end + 1)
  }
  return found
}

function isName(bytes: Buffer, end: number): boolean {
  let at = end + 1
  while (at < bytes.length && (bytes[at] ?? 0) <= 0x20) at++
  return bytes[at] === COLON
}

/** Decodes a string, or returns null for an invalid one. */
function stringAt(bytes: Buffer, { from, to }: LongString): string | null {
  if (!bytes.subarray(from, to).includes(BACKSLASH)) {
    const text = textAt(bytes, from, to)
    return CONTROL.test(text) ? null : text
  }
  // Includes the quotes, since adding them would copy the string.
  const value = jsonOf(textAt(bytes, from - 1, to + 1))
  return typeof value === 'string' ? value : null
}

function putBack(root: object, mark: string, texts: readonly string[]): void {
  const open: object[] = [root]
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    for (const [name, inner] of Object.entries(container)) {
      const value: unknown = inner
      if (typeof value === 'object' && value !== null) open.push(value)
      else if (typeof value === 'string' && value.startsWith(mark)) Reflect.set(container, name, texts[Number(value.slice(mark.length))])
    }
  }
}
