/** Characters that take two columns: of East Asian scripts, their punctuation and full-width forms, and pictures shown in colour (Unicode UAX 11). */
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\ufe0f/u
/** Characters that take none: marks over or under another, joiners, control characters. */
const NONE = /^[\p{Mn}\p{Me}\p{Cc}\p{Cf}]+$/u

/** Columns that a text without control characters takes on a terminal. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes(text)) width += widthOf(segment)
  return width
}

/** Not once for all: a gateway loads this module too, and never asks for a width. */
function graphemes(text: string): Intl.Segments {
  return new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)
}

function widthOf(grapheme: string): number {
  return NONE.test(grapheme) ? 0 : WIDE.test(grapheme) ? 2 : 1
}

/** The text in at most so many columns; what is cut ends with `…`. */
export function cutTo(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const { segment } of graphemes(text)) {
    width += widthOf(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** The text with spaces up to so many columns. */
export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)))
}

/** The text in lines of at most so many columns, broken at spaces; a longer word, such as an address, stays whole. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && displayWidth(longer) > columns) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line]
}
