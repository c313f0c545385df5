const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The structural meaning of a byte outside strings. */
const PLAIN = 0
const STRING = 1
const COMMA = 2
const OPEN = 3
const CLOSE = 4
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  if (character === '"') return STRING
  if (character === ',') return COMMA
  if ('[{'.includes(character)) return OPEN
  return ']}'.includes(character) ? CLOSE : PLAIN
})

export interface JsonLimits {
  /** Containers and commas together: at least the number of values, and at most twice as many. */
  readonly parts: number
  readonly depth: number
}

/**
 * Which limit a JSON text exceeds, counted in its bytes (UTF-8) before it is parsed: a text of brackets needs a hundred
 * times its size and seconds to parse. Linear in the bytes; the text may be invalid.
 */
export function overLimit(bytes: Uint8Array, limits: JsonLimits): 'parts' | 'depth' | null {
  // Each part and each level takes at least one byte.
  if (bytes.length <= Math.min(limits.parts, limits.depth)) return null
  let parts = 0
  let depth = 0
  let strings = 0
  for (let at = 0; at < bytes.length; at++) {
    const kind = KINDS[bytes[at] ?? 0]
    if (kind === PLAIN) continue
    if (kind === STRING) {
      at = endOfString(bytes, at)
      // A value has at most one key: a text with more strings is not JSON.
      if (++strings > 2 * limits.parts + 1) return 'parts'
    } else if (kind === COMMA) parts++
    else if (kind === CLOSE) depth--
    else {
      parts++
      if (++depth > limits.depth) return 'depth'
    }
    if (parts > limits.parts) return 'parts'
  }
  return null
}

/** Position of the quote that ends the string begun at `from`. Long strings are usually base64, without escapes. */
export function endOfString(bytes: Uint8Array, from: number): number {
  const quote = bytes.indexOf(QUOTE, from + 1)
  if (quote === -1) return bytes.length
  if (bytes[quote - 1] !== BACKSLASH) return quote
  let at = from + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}
