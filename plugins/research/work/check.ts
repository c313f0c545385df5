import { checkCitations, type CitedSource, type StruckSentence } from '../../_shared/citations.js'

/** The parts of a report, and the content of each numbered source, from 1. */
export interface CheckInput {
  readonly parts: readonly string[]
  readonly headings: readonly string[]
  readonly query: string
  readonly sources: readonly CitedSource[]
}

export interface CheckOutput {
  /** The parts without unsupported sentences. */
  readonly parts: readonly string[]
  /** Whether a source or the question supports the figures and names of each heading. */
  readonly headings: readonly boolean[]
  readonly kept: number
  readonly struck: readonly StruckSentence[]
}

/** A line that cannot occur in a part: lines of a report start with words. */
const BORDER = '====='
const WORD = /[\p{L}\p{N}]+/gu

/** Checks all parts of a report at once, so that the sources are read once. */
export default function check({ parts, headings, query, sources }: CheckInput): CheckOutput {
  const whole = parts
    .map((part) =>
      part
        .split('\n')
        .filter((row) => row !== BORDER)
        .join('\n'),
    )
    .join(`\n${BORDER}\n`)
  const { text, kept, struck } = checkCitations(whole, sources)
  const found: string[][] = [[]]
  for (const row of text.split('\n')) {
    if (row.trim() === BORDER) found.push([])
    else found.at(-1)?.push(row)
  }
  const words = new Set(
    [query, ...sources.flatMap(({ passages }) => passages)].flatMap((passage) => passage.toLowerCase().match(WORD) ?? []),
  )
  return {
    parts: parts.map((_, at) => (found[at] ?? []).join('\n').trim()),
    headings: headings.map((heading) => claimsIn(heading).every((word) => words.has(word))),
    kept,
    struck,
  }
}

/** The words of a heading with a digit or, except the first, with a capital. */
function claimsIn(heading: string): string[] {
  const words = heading.match(WORD) ?? []
  return words.filter((word, at) => /\p{N}/u.test(word) || (at > 0 && /^\p{Lu}/u.test(word))).map((word) => word.toLowerCase())
}
