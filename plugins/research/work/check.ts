import { checkCitations, type CitedSource, type StruckSentence } from '../../_shared/citations.js'

/** The parts of a report, and what the source of each number holds, from 1. */
export interface CheckInput {
  readonly parts: readonly string[]
  readonly sources: readonly CitedSource[]
}

export interface CheckOutput {
  /** The parts without what their sources do not hold. */
  readonly parts: readonly string[]
  readonly kept: number
  readonly struck: readonly StruckSentence[]
}

/** A line that no part has: lines of a report begin with words. */
const BORDER = '====='

/** Holds all parts of a report against their sources at once, so that the sources are read once. */
export default function check({ parts, sources }: CheckInput): CheckOutput {
  const whole = parts.map((part) => part.split('\n').filter((row) => row !== BORDER).join('\n')).join(`\n${BORDER}\n`)
  const { text, kept, struck } = checkCitations(whole, sources)
  const found: string[][] = [[]]
  for (const row of text.split('\n')) {
    if (row.trim() === BORDER) found.push([])
    else found.at(-1)?.push(row)
  }
  return { parts: parts.map((_, at) => (found[at] ?? []).join('\n').trim()), kept, struck }
}
