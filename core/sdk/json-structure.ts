const QUOTE = 0x22
const BACKSLASH = 0x5c

/** What a byte outside strings means for the structure. */
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
 * What of a JSON text is over its limit, counted in its bytes (UTF-8) before anything is built of them: what a text of brackets builds takes
 * a hundred times its room, and seconds. Linear in the bytes, and the text need not be valid.
 */
export function overLimit(bytes: Uint8Array, limits: JsonLimits): 'parts' | 'depth' | null {
  // Each part and each level is a byte.
  if (bytes.length <= Math.min(limits.parts, limits.depth)) return null
  let parts = 0
  let depth = 0
  let strings = 0
  for (let at = 0; at < bytes.length; at++) {
    const kind = KINDS[bytes[at] ?? 0]
    if (kind === PLAIN) continue
    if (kind === STRING) {
      at = endOfString(bytes, at)
      // Each value has one key at most: more strings than that are no JSON.
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

/** Place of the quote that ends the string begun at `from`. Long strings are usually files in base64, without an escape. */
export function endOfString(bytes: Uint8Array, from: number): number {
  const quote = bytes.indexOf(QUOTE, from + 1)
  if (quote === -1) return bytes.length
  if (bytes[quote - 1] !== BACKSLASH) return quote
  let at = from + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}
