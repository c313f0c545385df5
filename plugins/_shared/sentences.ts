import { folded, monthOf } from './claims/months.js'

/** Ends of sentences and lines, with trailing source markers. The bounds keep the search linear; Intl.Segmenter took 100 times longer. */
const ENDS =
  /[.!?…]{1,4}["'”’)\]]{0,3}(?:[ \t]?[[【][^[\]【】\n]{1,40}[\]】]){0,9}(?:[ \t]{1,4}|(?=\n)|$)|[。！？]{1,4}["'”’」』）]{0,3}(?:[[【][^[\]【】\n]{1,40}[\]】]){0,9}|\n/gu
const ABBREVIATION =
  /(?:^|[\s(])(?:[A-Za-z]|[A-Za-z]\.[A-Za-z]|mr|mrs|ms|dr|st|prof|vs|no|fig|approx|ca|bzw|vgl|nr|sr|jr|inc|ltd|co|mio|mrd)\.[ \t]*$/i
/** A day before its month, as in `5. März`. */
const DAY = /(?:^|[\s(])\d{1,2}\.[ \t]*$/

/**
 * The ends of the sentences of a text, in UTF-16 units, including the end of the text: line by line; a full stop
 * after an abbreviation or a day of the month, or before a lowercase letter, is not an end. Trailing blanks and
 * markers such as `[2]` belong to the sentence.
 */
export function sentenceEnds(text: string): number[] {
  const found: number[] = []
  let from = 0
  for (const { 0: end, index } of text.matchAll(ENDS)) {
    const to = index + end.length
    if (end.startsWith('.') && goesOn(text, from, index, to)) continue
    found.push(to)
    from = to
  }
  if (from < text.length) found.push(text.length)
  return found
}

/** The sentences of a text, trimmed, without empty ones. */
export function sentences(text: string): string[] {
  let from = 0
  const found: string[] = []
  for (const to of sentenceEnds(text)) {
    const sentence = text.slice(from, to).trim()
    if (sentence !== '') found.push(sentence)
    from = to
  }
  return found
}

function goesOn(text: string, from: number, at: number, to: number): boolean {
  const next = text.slice(to, to + 16)
  if (/^\p{Ll}/u.test(next)) return true
  const before = text.slice(Math.max(from, at - 15), at + 1)
  return ABBREVIATION.test(before) || (DAY.test(before) && monthOf(folded(/^\p{L}{3,12}/u.exec(next)?.[0] ?? '')) !== undefined)
}
