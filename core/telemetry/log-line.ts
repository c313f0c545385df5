import type { LogLevel } from '../runtime/log-events.js'
import { pino } from 'pino'
import { blank, clean, escaped, fieldCleaner } from './clean.js'

/** One line of the log, before cleaning. */
export interface LogLine {
  /** Unix milliseconds. */
  readonly at: number
  readonly level: LogLevel
  readonly event: string
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
  /** How often a state was reported, and how long it lasted. */
  readonly about: Readonly<Record<string, number>>
}

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

/** The time of a line, ISO 8601 in UTC. The date is formatted once a second, since that takes the longest. */
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

/** Fields of a request that its message contains. */
const IN_MESSAGE = new Set(['method', 'path', 'status'])
/** Text that needs no quotes around it. */
const PLAIN = /^[^\s"=]+$/

/** Formats readable lines: time, level, event, message, and the fields as `name=value`. */
export function textLines(): (line: LogLine) => string {
  const cleanInto = fieldCleaner(escaped)
  return ({ at, level, event, message, fields, about }) => {
    const line: Record<string, unknown> = {}
    cleanInto(fields, line)
    Object.assign(line, about)
    const time = new Date(at).toISOString().replace('T', ' ').replace('Z', '')
    const isRequest = 'method' in line && 'path' in line
    const rest = Object.entries(line).flatMap(([name, value]) => (isRequest && IN_MESSAGE.has(name) ? [] : [`${name}=${valueText(value)}`]))
    return `${time} ${level.toUpperCase().padEnd(5)} ${event}: ${[clean(message, escaped), ...rest].join(' ')}\n`
  }
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return PLAIN.test(value) ? value : `"${value.replaceAll('"', '\\"')}"`
  return JSON.stringify(value) ?? String(value)
}
