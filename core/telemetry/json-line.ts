import { pino } from 'pino'
import { blank, clean, fieldCleaner } from './clean.js'
import type { LogLine } from './log-line.js'

/** Formats JSON lines: level, time, event, the fields and the message `msg`. */
export function jsonLines(): (line: LogLine) => string {
  let moment = 0
  let text = ''
  const write = (line: string): void => void (text = line)
  const logger = pino(
    { level: 'debug', base: null, timestamp: isoTime(() => moment), formatters: { level: (label) => ({ level: label }) } },
    { write },
  )
  const cleanInto = fieldCleaner(blank)
  return ({ at, level, event, message, fields, about }) => {
    const line: Record<string, unknown> = { event }
    cleanInto(fields, line)
    for (const name in about) line[name] = about[name]
    moment = at
    logger[level](line, clean(message, blank))
    return text
  }
}

/** The time of a line, ISO 8601 in UTC. The date is formatted once a second, since that takes longer than all the rest. */
function isoTime(now: () => number): () => string {
  let second = -1
  let begin = ''
  return () => {
    const ms = now() % 1000
    if (now() - ms !== second) {
      second = now() - ms
      begin = `,"time":"${new Date(second).toISOString().slice(0, -4)}`
    }
    return `${begin}${String(ms).padStart(3, '0')}Z"`
  }
}
