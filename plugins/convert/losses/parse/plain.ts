import { nothing, type Content, type Kind } from './content.js'

const TARGET = /\]\([^()\s]{0,2000}(?:\s+"[^"]{0,500}")?\)|<(?:https?|mailto):[^<>\s]{1,2000}>/g
const DEFINED = /^\s{0,3}\[[^\]]{1,200}\]:\s/
const TAG = /<\/?[A-Za-z][^<>]{0,2000}>|<!--/g
const LIST = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/
const NOTE = /^\[\^[^\]]{1,100}\]:/
const FRONT = /^---\r?\n[^]*?\n(?:---|\.\.\.)\r?\n/
const DATA = /data:image\/(?!svg)/g

/** Plain text, where each line is a paragraph; text tables have rows. */
export function linesOf(text: string, kind: Kind): Content {
  return { ...nothing(), pictures: dataPictures(text), blocks: text.split(/\r\n|\r|\n/).map((line) => ({ kind, text: line })) }
}

/** Pictures embedded in the addresses of a text (RFC 2397). */
export function dataPictures(text: string): number {
  return text.match(DATA)?.length ?? 0
}

/** Markdown, line by line: items, cells, notes and paragraphs, without link addresses and, as a source, without document metadata. */
export function markdownOf(source: string, role: 'source' | 'result'): Content {
  const content = nothing()
  content.pictures = dataPictures(source)
  const text = role === 'source' ? source.replace(FRONT, '') : source
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (role === 'source' && DEFINED.test(line) && !NOTE.test(line)) continue
    const plain = role === 'source' ? line.replace(TARGET, ' ').replace(TAG, ' ') : line
    if (/^\s*\|/.test(plain)) for (const cell of plain.split(/(?<!\\)\|/)) content.blocks.push({ kind: 'cells', text: cell })
    else content.blocks.push({ kind: NOTE.test(line) ? 'notes' : LIST.test(line) ? 'items' : 'paragraphs', text: plain })
  }
  return content
}

/** Groups without text: optional groups except notes and text boxes, and the tables at the start. */
const GROUP_SKIPPED =
  /^(?:\\\*\\(?!footnote|annotation|shpinst|shptxt)|\\(?:fonttbl|colortbl|stylesheet|info|pict|filetbl|listtable|listoverridetable|rsidtbl|themedata))/
const TOKEN = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)/gi

/** The text of Rich Text Format (1.9.1), as needed for comparing words. */
export function richText(source: string): string {
  const windows = new TextDecoder('windows-1252')
  const parts: string[] = []
  let [depth, skipped, follow] = [0, 0, 0]
  for (const match of source.matchAll(TOKEN)) {
    const [, word, value, hex, symbol, brace, plain] = match
    if (brace === '{') {
      depth++
      if (skipped === 0 && GROUP_SKIPPED.test(source.slice(match.index + 1, match.index + 40))) skipped = depth
    } else if (brace === '}') {
      if (skipped === depth) skipped = 0
      depth--
    } else if (skipped > 0) continue
    else if (word === 'u' && value !== undefined) {
      parts.push(String.fromCharCode(Number(value) & 0xffff))
      follow = 1
    } else if (hex !== undefined || plain !== undefined) {
      const text = hex === undefined ? (plain ?? '') : windows.decode(Uint8Array.of(Number.parseInt(hex, 16)))
      parts.push(follow > 0 ? text.slice(1) : text)
      follow = 0
    } else if (word !== undefined && /^(?:par|pard|tab|line|cell|row|sect|page)$/.test(word)) parts.push(' ')
    else if (symbol === '~' || symbol === '\n' || symbol === '\r') parts.push(' ')
  }
  return parts.join('')
}
