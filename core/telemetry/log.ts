import type { Writable } from 'node:stream'
import { pino } from 'pino'
import { LOG_EVENTS, type Log, type LogLevel } from '../runtime/log-events.js'
import { blank, clean, cleanFields, escaped } from './clean.js'
import { LastingStates } from './lasting-states.js'
import { LogStream } from './log-stream.js'
import { textLine } from './text-line.js'

/** `auto`: readable lines on a terminal, JSON elsewhere. */
export type LogFormat = 'auto' | 'text' | 'json'

interface LogOptions {
  /** Least severe line that is written; `silent` writes none. */
  readonly level: string
  readonly format: LogFormat
  /** Standard error by default. */
  readonly destination?: Writable & { readonly isTTY?: boolean }
  readonly monotonic?: () => number
}

/** The open log, and how many of its lines could not be written. */
interface OpenLog {
  readonly log: Log
  readonly dropped: () => number
}

/**
 * Opens the log: one line for each event, without secrets by field name and by pattern, and without control characters. States that last have
 * a line when they begin, at most one a minute, and one when they end.
 */
export function openLog({ level, format, destination = process.stderr, monotonic = () => performance.now() }: LogOptions): OpenLog {
  const stream = new LogStream(destination)
  if (destination === process.stderr) process.once('exit', () => stream.flush())
  const states = new LastingStates(monotonic)
  let later = false
  const write = (line: string): void => (later ? stream.writeLater(line) : stream.write(line))
  const logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    { write },
  )
  const asText = format === 'text' || (format === 'auto' && destination.isTTY === true)
  const replacement = asText ? escaped : blank
  const writeText = (at: LogLevel, event: string, message: string, fields: Record<string, unknown>): void =>
    write(textLine({ at: Date.now(), level: at, event, message, fields }))
  const writeJson = (at: LogLevel, event: string, message: string, fields: Record<string, unknown>): void =>
    logger[at]({ event, ...fields }, message)
  const put = asText ? writeText : writeJson
  const log: Log = (event, message, fields = {}) => {
    const at = LOG_EVENTS[event].level
    const about = states.look(event, fields)
    if (about === null || !logger.isLevelEnabled(at)) return
    // The most frequent lines go out a few at a time; any other takes along what waits.
    later = event === 'request'
    put(at, event, clean(message, replacement), Object.assign(cleanFields(fields, replacement), about))
  }
  return { log, dropped: () => stream.dropped }
}
