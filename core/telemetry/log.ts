import { pino, type Logger } from 'pino'
import type { Log } from '../dispatch/environment.js'

/** Paths whose values never reach a log line. */
const SECRET_FIELDS = ['authorization', 'key', 'api_key', 'token', 'admin_token', 'secret', 'password', 'cookie', 'x-api-key']
/** What looks like one of our keys, or like a bearer credential, wherever it stands. */
const SECRET_TEXT = /\b(?:cap|adm)_[0-9A-Za-z_-]{20,}|\bBearer\s+[^\s"']{8,}/g
/** Control characters, line and paragraph separators: they could forge lines or drive a terminal. Tabs are harmless. */
const CONTROL = /(?!\t)[\p{Cc}\u2028\u2029]/gu

/** JSON logs on stderr, one object a line, without secrets by field name and by pattern, and without control characters. */
export function openLog(level: string, destination: NodeJS.WritableStream = process.stderr): { log: Log; logger: Logger } {
  const redact = SECRET_FIELDS.flatMap((field) => [quoted(field), `*.${quoted(field)}`.replace('.[', '[')])
  const logger = pino({ level, base: null, redact: { paths: redact, censor: '[secret]' } }, destination)
  const log: Log = (at, message, fields) => {
    if (!logger.isLevelEnabled(at)) return
    logger[at](fields === undefined ? {} : cleanFields(fields), clean(message))
  }
  return { log, logger }
}

function quoted(field: string): string {
  return field.includes('-') ? `["${field}"]` : field
}

function clean(text: string): string {
  return text.replace(SECRET_TEXT, '[secret]').replace(CONTROL, ' ')
}

function cleanFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? clean(value) : value]))
}
