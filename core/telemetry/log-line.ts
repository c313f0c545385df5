import type { LogLevel } from '../runtime/log-events.js'

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
