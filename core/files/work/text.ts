// eslint-disable-next-line no-control-regex -- text does not contain them
const CONTROL = /[\0-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]/
/** Most bytes missing from the last character of a cut text. */
const LONGEST_REST = 3

/** Bytes as text without its byte order mark: UTF-8, or UTF-16 with a mark, without control characters. Null for anything else. */
export function textOf(bytes: Uint8Array, whole: boolean): string | null {
  const [first, second] = bytes
  const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  // The last character may have been cut.
  for (let end = bytes.length; end >= Math.max(1, bytes.length - (whole ? 0 : LONGEST_REST)); end--) {
    const text = decoded(bytes.subarray(0, end), encoding)
    if (text !== null) return CONTROL.test(text) ? null : text
  }
  return null
}

function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
