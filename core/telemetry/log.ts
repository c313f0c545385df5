import type { Writable } from 'node:stream'
import { pino } from 'pino'
import type { Log } from '../dispatch/environment.js'
import { LogStream } from './log-stream.js'

/** Fields whose values never reach a log line, at any depth and in any case. */
const SECRET_FIELDS = new Set([
  'authorization',
  'key',
  'api_key',
  'token',
  'admin_token',
  'secret',
  'password',
  'cookie',
  'set-cookie',
  'x-api-key',
])
const DEEPEST = 6
/** What looks like one of our keys, or like a bearer credential, wherever it stands. */
const SECRET_TEXT = /\b(?:cap|adm)_[0-9A-Za-z_-]{20,}|\bBearer\s+[^\s"']{8,}/g
/** Control characters, line and paragraph separators: they could forge lines or drive a terminal. Tabs are harmless. */
const CONTROL = /(?!\t)[\p{Cc}\u2028\u2029]/gu

/**
 * JSON logs on stderr, one object a line, without secrets by field name and by pattern, and without control characters. `dropped` counts
 * the lines that could not be written.
 */
export function openLog(level: string, destination: Writable = process.stderr): { log: Log; dropped: () => number } {
  const stream = new LogStream(destination)
  const logger = pino({ level, base: null }, stream)
  const log: Log = (at, message, fields) => {
    if (!logger.isLevelEnabled(at)) return
    logger[at](fields === undefined ? {} : cleanFields(fields), clean(message))
  }
  return { log, dropped: () => stream.dropped }
}

function clean(text: string): string {
  return text.replace(SECRET_TEXT, '[secret]').replace(CONTROL, ' ')
}

function cleanFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => cleanEntry(name, value, 0)))
}

function cleanEntry(name: string, value: unknown, depth: number): [string, unknown] {
  return [clean(name), SECRET_FIELDS.has(name.toLowerCase()) ? '[secret]' : cleanValue(value, depth)]
}

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return clean(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return '[deep]'
  if (value instanceof Error) return clean(value.stack ?? value.message)
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, depth + 1))
  if ('toJSON' in value && typeof value.toJSON === 'function') return cleanValue(Reflect.apply(value.toJSON, value, []), depth + 1)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => cleanEntry(name, inner, depth + 1)))
}
