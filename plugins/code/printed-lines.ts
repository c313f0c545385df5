import type { Services } from '../../core/sdk/index.js'

/** Milliseconds between two reports. */
const REPORT_MS = 250
const MOST_CHARACTERS = 4_000

/**
 * Sends the lines that a program prints as partial results of the step `output`, batched, at most four times a
 * second: for `onLine` of `ctx.exec`. Lines after the last batch are only in the answer.
 */
export function printedLines(context: Pick<Services, 'partialResult' | 'timeLeft'>): (line: string) => void {
  let waiting = ''
  let reportedLeft = Infinity
  return (line) => {
    if (waiting.length < MOST_CHARACTERS) waiting += `${waiting === '' ? '' : '\n'}${line}`
    const left = context.timeLeft()
    if (reportedLeft - left < REPORT_MS) return
    context.partialResult('output', waiting.slice(0, MOST_CHARACTERS))
    waiting = ''
    reportedLeft = left
  }
}
