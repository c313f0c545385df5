import type { Services } from '../../core/sdk/index.js'

/** Between two reports, in milliseconds. */
const REPORT_MS = 250
const MOST_CHARACTERS = 4_000

/**
 * Sends the lines that a program prints as partial results of the step `output`, several at once and at most four times a second: for `onLine` of
 * `ctx.exec`. Lines after the last one sent are in the answer alone.
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
