import { checkCitations, type CitedSource, type StruckSentence } from '../../_shared/citations.js'

/** An answer with its markers, and its sources. */
export interface CheckInput {
  readonly text: string
  readonly sources: readonly CitedSource[]
}

export interface CheckOutput {
  readonly text: string
  readonly struck: readonly StruckSentence[]
}

/** Checks an answer against its sources. Runs in a worker thread, since adversarial texts take about 100 ms. */
export default function check({ text, sources }: CheckInput): CheckOutput {
  const { text: held, struck } = checkCitations(text, sources)
  return { text: held, struck }
}
