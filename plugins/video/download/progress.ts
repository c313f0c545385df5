import type { Services } from '../../../core/sdk/index.js'

/** `capstan INDEX DOWNLOADED TOTAL ESTIMATE SPEED REMAINING` of `fetch.py`; NA for unknown values. */
const LINE = /^capstan (\d{1,2}) ([\d.]{1,20}|NA) ([\d.]{1,20}|NA) ([\d.]{1,20}|NA) ([\d.]{1,30}|NA) ([\d.]{1,20}|NA)$/
const MIB = 1024 * 1024
/** Milliseconds between two reports. */
const REPORT_MS = 500

interface Stream {
  readonly done: number
  readonly total: number | null
  /** Bytes per second. */
  readonly speed: number | null
  /** Seconds. */
  readonly left: number | null
}

/**
 * A listener for `onLine` that reports the combined progress of all downloads: bytes, and in words percent, speed and
 * the remaining time. At most twice a second.
 */
export function downloadProgress(ctx: Pick<Services, 'progress' | 'timeLeft'>): (line: string) => void {
  const streams = new Map<string, Stream>()
  let reportedAt = Infinity
  return (line) => {
    const [, index, ...figures] = LINE.exec(line) ?? []
    if (index === undefined) return
    const [done, total, estimate, speed, left] = figures.map((text) => (text === 'NA' ? null : Number(text)))
    streams.set(index, { done: done ?? 0, total: total ?? estimate ?? null, speed: speed ?? null, left: left ?? null })
    const all = [...streams.values()]
    const sum = (of: (stream: Stream) => number | null): number => all.reduce((before, each) => before + (of(each) ?? 0), 0)
    const [bytes, whole] = [sum((each) => each.done), all.every((each) => each.total !== null) ? sum((each) => each.total) : null]
    const ended = whole !== null && bytes >= whole
    if (reportedAt - ctx.timeLeft() < REPORT_MS && !ended) return
    reportedAt = ctx.timeLeft()
    const remaining = Math.max(...all.map((each) => each.left ?? 0))
    const words = [
      ...(whole === null || whole === 0 ? [] : [`${String(Math.min(100, Math.floor((100 * bytes) / whole)))} %`]),
      `${(sum((each) => each.speed) / MIB).toFixed(1)} MiB/s`,
      ...(whole === null ? [] : [`${String(Math.round(remaining))} s left`]),
    ]
    const counted = Math.round(bytes)
    ctx.progress('downloading', words.join(', '), counted, whole === null ? undefined : Math.max(counted, Math.round(whole)))
  }
}
