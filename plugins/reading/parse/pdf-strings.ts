/** Characters of PDFDocEncoding that differ from Latin-1: from 0x18 and from 0x80 on (ISO 32000-1, annex D.2). */
const SPECIAL = [
  [0x18, '˘ˇˆ˙˝˛˚˜'],
  [0x80, '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž�€'],
] as const

/**
 * A text string of a PDF (ISO 32000-2, 7.9.2.2): UTF-16 or UTF-8 with a byte order mark, else PDFDocEncoding.
 * Language escapes are left out.
 */
export function textString(bytes: Buffer): string {
  const [first, second, third] = bytes
  const text =
    first === 0xfe && second === 0xff
      ? new TextDecoder('utf-16be').decode(bytes)
      : first === 0xff && second === 0xfe
        ? new TextDecoder('utf-16le').decode(bytes)
        : first === 0xef && second === 0xbb && third === 0xbf
          ? new TextDecoder().decode(bytes)
          : [...bytes.toString('latin1')].map(special).join('')
  // A language code is enclosed in escape characters.
  return text
    .split('\u001b')
    .filter((part, at) => at % 2 === 0 || !/^[a-z]{2,3}(?:[A-Z]{2})?$/.test(part))
    .join('')
}

function special(letter: string): string {
  const code = letter.charCodeAt(0)
  const [from, letters] = SPECIAL.find(([start, { length }]) => code >= start && code < start + length) ?? [code, letter]
  return letters[code - from] ?? letter
}
