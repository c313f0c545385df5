/** Characters of scripts without spaces between words, and their punctuation; not Hangul, which has spaces. */
const WIDE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\u30fc\\uff01-\\uff60'
const BREAK = new RegExp(`(?<=[${WIDE}])[ \\t]*\\r?\\n[ \\t\\r\\n]*(?=[${WIDE}])`, 'gu')

/** A fast check before the slow one. */
const FAR = /[\u2e80-\uffff]/

/** Joins lines broken between ideographs without a space, as browsers display them (CSS Text 3, 4.1.3). */
export function joinIdeographs(text: string): string {
  return text.includes('\n') && FAR.test(text) ? text.replace(BREAK, '') : text
}
