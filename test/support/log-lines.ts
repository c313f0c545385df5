import { LOG_EVENTS, type Log, type LogEventName, type LogLevel } from '../../core/runtime/log-events.js'

/** A line as the log got it. */
export interface LogLine {
  readonly level: LogLevel
  readonly event: LogEventName
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** A log that keeps its lines. */
export function logInto(lines: LogLine[]): Log {
  return (event, message, fields = {}) => void lines.push({ level: LOG_EVENTS[event].level, event, message, fields })
}
