import type { Writable } from 'node:stream'
import { pino } from 'pino'
import { type Log, LOG_EVENTS, type LogEvent, type LogEventName } from '../runtime/log-events.js'
import { jsonLines, type LogLine, textLines } from './log-line.js'

/** Most bytes of unread lines. */
const MOST_WAITING_BYTES = 1024 * 1024

/**
 * The stream of log lines. Lines that cannot be written, or that arrive while a mebibyte waits, are dropped and
 * counted. Never throws, and handles every `error` event: a log line about a failed log line would fail again.
 */
export class LogStream {
  readonly #stream: Writable
  #dropped = 0

  constructor(stream: Writable) {
    this.#stream = stream
    stream.on('error', () => undefined)
  }

  /** Lines dropped since the start. */
  get dropped(): number {
    return this.#dropped
  }

  /** Writes a text of `lines` lines. */
  write(text: string, lines: number): void {
    if (this.#stream.writableLength >= MOST_WAITING_BYTES) this.#dropped += lines
    else
      this.#stream.write(text, (error) => {
        if (error !== undefined && error !== null) this.#dropped += lines
      })
  }
}

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

/** The open log, and its number of dropped lines. */
interface OpenLog {
  readonly log: Log
  readonly dropped: () => number
}

/** Lines of requests are buffered for `WAIT_MS` milliseconds or up to `MOST_WAITING` lines. */
const WAIT_MS = 20
const MOST_WAITING = 64

/**
 * Opens the log: one line for each event, without secrets (by field name and pattern) and control characters. Lasting
 * states are logged when they begin, at most once a minute, and when they end. Lines of requests are written in
 * batches, which takes half the time; any other line flushes them.
 */
export function openLog({ level, format, destination = process.stderr, monotonic = () => performance.now() }: LogOptions): OpenLog {
  const stream = new LogStream(destination)
  const states = new LastingStates(monotonic)
  const lineOf = format === 'text' || (format === 'auto' && destination.isTTY === true) ? textLines() : jsonLines()
  const least = severity(level)
  const waiting: LogLine[] = []
  const flush = (): void => {
    const lines = waiting.splice(0)
    if (lines.length > 0) stream.write(lines.map(lineOf).join(''), lines.length)
  }
  if (destination === process.stderr) process.once('exit', flush)
  const log: Log = (name, message, fields = {}) => {
    const event: LogEvent = LOG_EVENTS[name]
    const silent = severity(event.level) < least
    // Lasting states are tracked at any level.
    if (silent && event.lasts === undefined && event.ends === undefined) return
    const about = states.track(name, fields)
    if (about === null || silent) return
    waiting.push({ at: Date.now(), level: event.level, event: name, message, fields, about })
    if (name !== 'request' || waiting.length >= MOST_WAITING) flush()
    else if (waiting.length === 1) setTimeout(flush, WAIT_MS).unref()
  }
  return { log, dropped: () => stream.dropped }
}

function severity(level: string): number {
  return pino.levels.values[level] ?? Infinity
}

/** Interval between two lines of a lasting state, in milliseconds. */
const AGAIN_MS = 60_000
/** Most tracked states; far more than one gateway can have. */
const MOST = 10_000

interface LastingState {
  readonly began: number
  written: number
  /** Reports since the last line. */
  repeated: number
}

/**
 * Lasting states, such as an unavailable database: logged when they begin, at most once a minute while reported again,
 * and when they end. Several parts of the gateway may report the same state.
 */
export class LastingStates {
  readonly #monotonic: () => number
  readonly #states = new Map<string, LastingState>()

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** Additional fields of a line, or null when it is not to be written. */
  track(name: LogEventName, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> | null {
    const event: LogEvent = LOG_EVENTS[name]
    if (event.ends !== undefined) return this.#end(event.ends, fields)
    return event.lasts === undefined ? {} : this.#report(idOf(name, event.lasts, fields))
  }

  #report(id: string): Readonly<Record<string, number>> | null {
    const now = this.#monotonic()
    const state = this.#states.get(id)
    if (state === undefined) {
      if (this.#states.size >= MOST) this.#states.clear()
      this.#states.set(id, { began: now, written: now, repeated: 0 })
      return {}
    }
    state.repeated++
    if (now - state.written < AGAIN_MS) return null
    const { repeated } = state
    Object.assign(state, { written: now, repeated: 0 })
    return { repeated, lasted_ms: Math.round(now - state.began) }
  }

  #end(begun: string, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> | null {
    const lasts = isEvent(begun) ? (eventOf(begun).lasts ?? []) : []
    const id = idOf(begun, lasts, fields)
    const state = this.#states.get(id)
    if (state === undefined) return null
    this.#states.delete(id)
    return { lasted_ms: Math.round(this.#monotonic() - state.began) }
  }
}

function eventOf(name: LogEventName): LogEvent {
  return LOG_EVENTS[name]
}

function isEvent(name: string): name is LogEventName {
  return Object.hasOwn(LOG_EVENTS, name)
}

function idOf(name: string, by: readonly string[], fields: Readonly<Record<string, unknown>>): string {
  return [name, ...by.map((field) => String(fields[field]))].join('\n')
}
