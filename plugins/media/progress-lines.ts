import type { Services } from '../../core/sdk/index.js'

/** Progress lines of a program. */
export interface ProgressLines {
  /** The reported step, such as `converting`. */
  readonly step: string
  readonly detail?: string
  /**
   * Matches the numbers in a line by named groups: `done` and optionally `total`; or `percent`. Other lines are
   * ignored. Without the flags `g` and `y`.
   */
  readonly line: RegExp
  /** Factor from the line's unit to the reported one, default 1: for microseconds reported as seconds, 1e-6. */
  readonly scale?: number
  /** The total in the reported unit, if the lines do not have it; null or Infinity when unknown. */
  readonly total?: number | null
}

/** Milliseconds between two reports. */
const REPORT_MS = 500

/**
 * A listener for `ctx.exec(…, { onLine })` that reports a program's progress: at most twice a second, always the end
 * of each run to its total, never the same value twice. Percentages have the total 100.
 */
export function progressLines(
  context: Pick<Services, 'progress' | 'timeLeft'>,
  { step, detail, line, scale = 1, total: whole }: ProgressLines,
): (text: string) => void {
  let reported = { done: -1, total: -1, left: Infinity }
  return (text) => {
    const figures = figuresOf(line.exec(text)?.groups, scale)
    if (figures === null) return
    const { done } = figures
    const total = figures.total ?? (Number.isFinite(whole) ? whole : null) ?? undefined
    // The remaining time follows the clock of the call.
    const left = context.timeLeft()
    const ended = total !== undefined && done >= total
    if ((reported.done === done && reported.total === (total ?? -1)) || (reported.left - left < REPORT_MS && !ended)) return
    if (ended && reported.done >= total && reported.total === total) return
    reported = { done, total: total ?? -1, left }
    context.progress(step, detail, total === undefined ? done : Math.min(done, total), total)
  }
}

interface Figures {
  readonly done: number
  readonly total?: number
}

function figuresOf(groups: Readonly<Record<string, string | undefined>> | undefined, scale: number): Figures | null {
  const percent = numberOf(groups?.['percent'])
  if (percent !== null) return { done: percent, total: 100 }
  const done = numberOf(groups?.['done'])
  if (done === null) return null
  const total = numberOf(groups?.['total'])
  return { done: done * scale, ...(total === null ? {} : { total: total * scale }) }
}

function numberOf(text: string | undefined): number | null {
  const number = text === undefined || text.trim() === '' ? NaN : Number(text)
  return Number.isFinite(number) && number >= 0 ? number : null
}
