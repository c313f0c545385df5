import { isAscii, isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { endOfString } from '../../sdk/json-structure.js'
import { Problem } from '../../problems/problem.js'
import { assertStructure, decode, MOST_VALUES, objectOf, parsed } from '../json.js'

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c
/** Bytes of a string that is read by itself. */
const LONG = 64 * 1024
/** Bytes of the longest name of a field, that is of the whole of a small body. */
const LONGEST_NAME = 1024 * 1024
// eslint-disable-next-line no-control-regex -- they are what JSON forbids in a string
const CONTROL = /[\0-\x1f]/

/** A long string: its bytes between the quotes. */
interface LongString {
  readonly from: number
  readonly to: number
}

/**
 * The same as `parseObject`, with the same refusals, in less memory: long strings are read one by one from the bytes, so that no text of
 * the whole body is made beside them. Throws `malformed-request`.
 */
export function parseLarge(bytes: Buffer): Record<string, unknown> {
  assertStructure(bytes, MOST_VALUES)
  // Refused with the sentence of a small body.
  if (!isUtf8(bytes)) decode(bytes)
  const long = longStrings(bytes)
  const texts: string[] = []
  for (const string of long) {
    const text = textOf(bytes, string)
    // Said with its place in the whole body.
    if (text === null) return objectOf(parsed(decode(bytes)), MOST_VALUES)
    texts.push(text)
  }
  const mark = randomUUID()
  const outline = outlineOf(bytes, long, mark)
  if (outline === null) return objectOf(parsed(decode(bytes)), MOST_VALUES)
  const value = objectOf(outline, MOST_VALUES)
  putBack(value, mark, texts)
  return value
}

/** Long strings that are no names of fields. */
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

/** The string that stands there, or null when it is none. */
function textOf(bytes: Buffer, { from, to }: LongString): string | null {
  const part = bytes.subarray(from, to)
  const encoding = isAscii(part) ? 'latin1' : 'utf8'
  if (!part.includes(BACKSLASH)) {
    const text = part.toString(encoding)
    return CONTROL.test(text) ? null : text
  }
  try {
    // With its quotes as they stand, because putting them around would copy it.
    const value: unknown = JSON.parse(bytes.toString(encoding, from - 1, to + 1))
    return typeof value === 'string' ? value : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** The value with a mark and a number in place of each long string, or undefined when the text is not JSON. */
function outlineOf(bytes: Buffer, long: readonly LongString[], mark: string): unknown {
  const parts: string[] = []
  let at = 0
  for (const [index, { from, to }] of long.entries()) {
    parts.push(bytes.toString('utf8', at, from), `${mark}${index}`)
    at = to
  }
  parts.push(bytes.toString('utf8', at))
  const text = parts.join('')
  try {
    const value: unknown = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text)
    // A body of `null` is refused by either way of reading.
    return value
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
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
