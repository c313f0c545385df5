const C1 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'

/** Code unit of each byte of windows-1252. */
const WINDOWS_1252 = Array.from({ length: 256 }, (_, byte) => (byte >= 0x80 && byte < 0xa0 ? C1.charCodeAt(byte - 0x80) : byte))

/** Text of bytes in the set of a label of the WHATWG Encoding Standard. Throws RangeError for a label that is none. */
export function decodeAs(bytes: Uint8Array, label: string): string {
  return label === 'windows-1252' ? windows1252(bytes) : new TextDecoder(label).decode(bytes)
}

/** Node 20 itself decodes windows-1252 as latin1, without the letters and quotes at 0x80 to 0x9f. */
function windows1252(bytes: Uint8Array): string {
  const units = Buffer.allocUnsafe(bytes.length * 2)
  let at = 0
  for (const byte of bytes) at = units.writeUInt16LE(WINDOWS_1252[byte] ?? byte, at)
  return units.toString('utf16le')
}
