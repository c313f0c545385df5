import { isUtf8 } from 'node:buffer'

/** A code page that names in an archive may be in when nothing says which. */
interface CodePage {
  /** As iconv names it. */
  readonly id: string
  readonly title: string
  /** Bytes of a letter that begins with this one, from 0x80 on. */
  readonly size: (first: number) => 1 | 2
  readonly read: (letter: Uint8Array) => string
  /** How likely a letter is, by its bytes as one number: 2 for most letters of text in this code page, 0 for rare ones. */
  readonly likely: (letter: string, code: number) => number
}

/** Characters of the bytes from 0x80 on (https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/PC/). */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'

const KANA = /[\u3041-\u3096\u30a1-\u30fc]/
const SYLLABLES =
  /[가각간감강개거건것결경계고공과관교구국권규그금급기까나남내년는능니다단달당대더도동되된드들등디라래량력련령로록료류르른를름리린립마만말면명모목무문물미민바반발방배번법변보복본부분불비사산상새생서석선설성세소속송수순술스시식신실심아안않알양어업에여역연영예오외요용우운원월위유으은을음의이인일임입있자작장재저적전정제조종주중증지진차참채책처천첨청체초총최추출치카크타통트특파판편평표품하학한합해행향현형호화확환회후]/
const CYRILLIC = /[\u0410-\u044f\u0401\u0451]/
const LATIN = /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]/

const wide = (id: string, title: string, label: string, likely: CodePage['likely'], size: CodePage['size'] = () => 2): CodePage => {
  const decoder = new TextDecoder(label)
  return { id, title, size, read: (letter) => decoder.decode(letter), likely }
}
const western = (id: string, letters: string): CodePage => ({
  ...{ id, title: 'Western European', size: () => 1, read: ([byte = 0x80]) => letters[byte - 0x80] ?? '' },
  likely: (letter) => (LATIN.test(letter) ? 1.5 : -1),
})
/** Whether a letter is in the rows from one first byte to another, by its second byte within a row. */
const rows = (code: number, first: number, last: number, second = 0x40): boolean =>
  code >> 8 >= first && code >> 8 <= last && (code & 0xff) >= second

/** Frequent letters are level 1 of JIS X 0208, of GB 2312 and of Big5, and the commonest syllables of Korean. */
const PAGES: readonly CodePage[] = [
  wide(
    ...(['CP932', 'Japanese', 'shift_jis'] as const),
    (letter, code) => (KANA.test(letter) ? 3 : rows(code, 0x88, 0x97) ? 2 : 0),
    (first) => (first >= 0xa1 && first <= 0xdf ? 1 : 2),
  ),
  wide('CP936', 'simplified Chinese', 'gbk', (_, code) => (rows(code, 0xb0, 0xd7, 0xa1) ? 2 : 0)),
  wide('CP949', 'Korean', 'euc-kr', (letter, code) => (SYLLABLES.test(letter) ? 3 : rows(code, 0xb0, 0xc8, 0xa1) ? 1.5 : 0)),
  wide('CP950', 'traditional Chinese', 'big5', (_, code) => (rows(code, 0xa4, 0xc6) ? 1.9 : 0)),
  wide(
    'CP866',
    'Cyrillic',
    'ibm866',
    (letter) => (CYRILLIC.test(letter) ? 1.9 : -1),
    () => 1,
  ),
  western('CP437', CP437),
  western('CP850', CP850),
]

/**
 * The code page that names are most likely in; null when all of them are UTF-8. CP437, which ZIP had first (APPNOTE, appendix D), reads any bytes. Of
 * code pages that fit alike the first is taken.
 */
export function codePageOf(names: readonly Uint8Array[]): Pick<CodePage, 'id' | 'title'> | null {
  const foreign = names.filter((name) => !isUtf8(name))
  if (foreign.length === 0) return null
  const scored = PAGES.map((codePage) => ({ codePage, score: scoreOf(codePage, foreign) }))
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).codePage
}

/** Mean likelihood of the letters beyond ASCII. Beside a small letter of ASCII only letters of Western Europe are likely. */
function scoreOf({ size, read, likely }: CodePage, names: readonly Uint8Array[]): number {
  let [sum, count] = [0, 0]
  for (const name of names) {
    for (let at = 0; at < name.length; at += 1) {
      const first = name[at] ?? 0
      if (first < 0x80) continue
      const letter = name.subarray(at, at + size(first))
      const text = read(letter)
      if (text.includes('\ufffd') || text.length > 1) return -Infinity
      const touches = isSmall(name[at - 1]) || isSmall(name[at + letter.length])
      sum +=
        likely(
          text,
          letter.reduce((code, byte) => code * 256 + byte, 0),
        ) - (touches && !LATIN.test(text) ? 1.5 : 0)
      count += 1
      at += letter.length - 1
    }
  }
  return sum / Math.max(1, count)
}

function isSmall(byte = 0): boolean {
  return byte >= 0x61 && byte <= 0x7a
}
