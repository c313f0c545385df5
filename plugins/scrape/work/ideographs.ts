/** Characters of scripts that put no space between words, and their punctuation; not Hangul, which does. */
const WIDE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\u30fc\\uff01-\\uff60'
const BREAK = new RegExp(`(?<=[${WIDE}])[ \\t]*\\r?\\n[ \\t\\r\\n]*(?=[${WIDE}])`, 'gu')

/** Lines broken between ideographs become one without a space, as browsers show them (CSS Text 3, 4.1.3). */
export function joinIdeographs(text: string): string {
  return text.includes('\n') ? text.replace(BREAK, '') : text
}
