const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

export interface JsonLimits {
  /** Containers and commas together: at least the number of values, and at most twice as many. */
  readonly parts: number
  readonly depth: number
}

/**
 * What of a JSON text is over its limit, counted in its bytes (UTF-8) before anything is built of them: what a text of brackets builds takes
 * a hundred times its room, and seconds. Linear in the bytes, and the text need not be valid.
 */
export function overLimit(bytes: Buffer, limits: JsonLimits): 'parts' | 'depth' | null {
  let parts = 0
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === COMMA) parts++
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      parts++
      if (++depth > limits.depth) return 'depth'
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
    if (parts > limits.parts) return 'parts'
  }
  return null
}

/** Place of the quote that ends the string begun at `from`. Long strings are usually files in base64, without an escape. */
function endOfString(bytes: Buffer, from: number): number {
  const quote = bytes.indexOf(QUOTE, from + 1)
  if (quote === -1) return bytes.length
  if (bytes[quote - 1] !== BACKSLASH) return quote
  let at = from + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}
