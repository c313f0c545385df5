import { isUtf8 } from 'node:buffer'

/** A candidate code page for undeclared names in an archive. */
interface CodePage {
  /** Name in iconv. */
  readonly id: string
  readonly title: string
  /** Bytes of the character that starts with this byte, from 0x80 on. */
  readonly size: (first: number) => 1 | 2
  /**
   * Likelihood of a character, by its bytes as one number: about 2 for most letters of text in this code page, 0 for
   * rare ones; null for an invalid one.
   */
  readonly likely: (code: number) => number | null
}

/** Characters of the bytes from 0x80 on (https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/PC/). */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'
const LATIN = /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]/

/** The most common Korean syllables in KS X 1001. */
const SYLLABLES: ReadonlySet<number> = new Set(
  'b0a1b0a2b0a3b0a8b0adb0b3b0c5b0c7b0cdb0e1b0e6b0e8b0edb0f8b0fab0fcb1b3b1b8b1b9b1c7b1d4b1d7b1ddb1deb1e2b1eeb3aab3b2b3bbb3e2b4c2b4c9b4cfb4d9b4dcb4deb4e7b4ebb4f5b5b5b5bfb5c7b5c8b5e5b5e9b5eeb5f0b6f3b7a1b7aeb7c2b7c3b7c9b7ceb7cfb7e1b7f9b8a3b8a5b8a6b8a7b8aeb8b0b8b3b8b6b8b8b8bbb8e9b8edb8f0b8f1b9abb9aeb9b0b9ccb9ceb9d9b9ddb9dfb9e6b9e8b9f8b9fdbaafbab8bab9babbbacebad0bad2baf1bbe7bbeabbf3bbf5bbfdbcadbcaebcb1bcb3bcbabcbcbcd2bcd3bcdbbcf6bcf8bcfabdbabdc3bdc4bdc5bdc7bdc9bec6bec8becabecbbee7beeebef7bfa1bfa9bfaabfacbfb5bfb9bfc0bfdcbfe4bfebbfecbfeebff8bff9c0a7c0afc0b8c0bac0bbc0bdc0c7c0ccc0cec0cfc0d3c0d4c0d6c0dac0dbc0e5c0e7c0fac0fbc0fcc1a4c1a6c1b6c1bec1d6c1dfc1f5c1f6c1f8c2f7c2fcc3a4c3a5c3b3c3b5c3b7c3bbc3bcc3cac3d1c3d6c3dfc3e2c4a1c4abc5a9c5b8c5ebc6aec6afc6c4c6c7c6edc6f2c7a5c7b0c7cfc7d0c7d1c7d5c7d8c7e0c7e2c7f6c7fcc8a3c8adc8aec8afc8b8c8c4'
    .match(/.{4}/g)
    ?.map((code) => parseInt(code, 16)),
)

/** Bytes of names that are sampled. */
const SAMPLE = 16_384

const one = (): 1 => 1
const two = (): 2 => 2
/** Whether a character is in the rows between two first bytes, from a second byte on. */
const rows = (code: number, first: number, last: number, second = 0x40): boolean =>
  code >> 8 >= first && code >> 8 <= last && (code & 0xff) >= second && (code & 0xff) !== 0x7f && (code & 0xff) !== 0xff
const western = (id: string, letters: string): CodePage => ({
  ...{ id, title: 'Western European', size: one },
  likely: (code) => (LATIN.test(letters[code - 0x80] ?? '') ? 1.5 : -1),
})

/**
 * Frequent characters are kana and level 1 of JIS X 0208, level 1 of GB 2312 and of Big5, and common Korean
 * syllables.
 */
const PAGES: readonly CodePage[] = [
  {
    ...{ id: 'CP932', title: 'Japanese', size: (first) => (first >= 0xa1 && first <= 0xdf ? 1 : 2) },
    likely: (code) => {
      if ((code >= 0x829f && code <= 0x82f1) || (code >= 0x8340 && code <= 0x8396) || code === 0x815b) return 3
      if (code < 0x100) return 0
      return rows(code, 0x88, 0x97) ? 2 : rows(code, 0x81, 0x9f) || rows(code, 0xe0, 0xfc) ? 0 : null
    },
  },
  {
    ...{ id: 'CP936', title: 'simplified Chinese', size: two },
    likely: (code) => (rows(code, 0xb0, 0xd7, 0xa1) ? 2 : rows(code, 0x81, 0xfe) ? 0 : null),
  },
  {
    ...{ id: 'CP949', title: 'Korean', size: two },
    likely: (code) => (SYLLABLES.has(code) ? 3 : rows(code, 0xb0, 0xc8, 0xa1) ? 1.5 : rows(code, 0x81, 0xfe, 0x41) ? 0 : null),
  },
  {
    ...{ id: 'CP950', title: 'traditional Chinese', size: two },
    likely: (code) => {
      if ((code & 0xff) > 0x7e && (code & 0xff) < 0xa1) return null
      return rows(code, 0xa4, 0xc6) ? 1.9 : rows(code, 0xa1, 0xf9) ? 0 : null
    },
  },
  { ...{ id: 'CP866', title: 'Cyrillic', size: one }, likely: (code) => (code < 0xb0 || (code >= 0xe0 && code <= 0xf1) ? 1.9 : -1) },
  western('CP437', CP437),
  western('CP850', CP850),
]

/**
 * The most likely code page of names; null when all of them are UTF-8. CP437, the default of ZIP (APPNOTE, appendix
 * D), accepts any bytes. Among equally likely code pages the first is chosen.
 */
export function codePageOf(names: readonly Uint8Array[]): Pick<CodePage, 'id' | 'title'> | null {
  const foreign: Uint8Array[] = []
  let bytes = 0
  for (const name of names) {
    if (bytes > SAMPLE) break
    if (isUtf8(name)) continue
    foreign.push(name)
    bytes += name.length
  }
  if (foreign.length === 0) return null
  const scored = PAGES.map((codePage) => ({ codePage, score: scoreOf(codePage, foreign) }))
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).codePage
}

/** Mean likelihood of the non-ASCII characters. Beside a lowercase ASCII letter only letters of Western Europe are likely. */
function scoreOf({ title, size, likely }: CodePage, names: readonly Uint8Array[]): number {
  let [sum, count] = [0, 0]
  for (const name of names) {
    for (let at = 0; at < name.length; at += 1) {
      const first = name[at] ?? 0
      if (first < 0x80) continue
      const bytes = size(first)
      const found = likely(bytes === 1 ? first : first * 256 + (name[at + 1] ?? 0))
      if (found === null) return -Infinity
      const touches = title !== 'Western European' && (isSmall(name[at - 1]) || isSmall(name[at + bytes]))
      sum += found - (touches ? 1.5 : 0)
      count += 1
      at += bytes - 1
    }
  }
  return sum / Math.max(1, count)
}

function isSmall(byte = 0): boolean {
  return byte >= 0x61 && byte <= 0x7a
}
