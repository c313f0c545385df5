import type { Services } from '../../core/sdk/index.js'

/** Between two reports, in milliseconds. */
const REPORT_MS = 250
const MOST_CHARACTERS = 4_000

/**
 * Reports the lines that a program prints as progress of the step `output`, several at once and at most four times a second: for `onLine` of
 * `ctx.exec`. What comes after the last report stands in the answer alone.
 */
export function printedLines(context: Pick<Services, 'progress' | 'timeLeft'>): (line: string) => void {
  let waiting = ''
  let reportedLeft = Infinity
  return (line) => {
    if (waiting.length < MOST_CHARACTERS) waiting += `${waiting === '' ? '' : '\n'}${line}`
    const left = context.timeLeft()
    if (reportedLeft - left < REPORT_MS) return
    context.progress('output', waiting.slice(0, MOST_CHARACTERS))
    waiting = ''
    reportedLeft = left
  }
}
