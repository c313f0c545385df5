import { pino } from 'pino'
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
/** Matches API keys, admin tokens and bearer credentials anywhere in a text. */
const SECRET_TEXT = /\b(?:cap|adm)_[0-9A-Za-z_-]{20,}|\bBearer\s+[^\s"']{8,}/g
/** Control characters, separators and bidirectional controls, which could forge lines or control a terminal. Tabs are harmless. */
const CONTROL = /(?!\t)[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
/** Quick test for either: cheaper than two replacements; without the flag `u` it takes half the time. */
// eslint-disable-next-line no-control-regex -- the pattern matches control characters
const SUSPECT = /[\0-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]|cap_|adm_|Bearer/
/** Reserved field names of a line. */
const OWN_FIELDS = new Set(['level', 'time', 'event', 'msg', 'repeated', 'lasted_ms'])
/** Most cached field names; the code uses some hundred. */
const MOST_NAMES = 1000

/** Replaces a control character by a harmless text. */
type Replacement = (character: string) => string

const blank: Replacement = () => ' '

/** As an escape of JSON and JavaScript. */
const escaped: Replacement = (character) => {
  const known = new Map([
    ['\n', '\\n'],
    ['\r', '\\r'],
  ])
  return known.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Removes secrets and control characters from a text. */
function clean(text: string, replacement: Replacement): string {
  return SUSPECT.test(text) ? text.replace(SECRET_TEXT, '[secret]').replace(CONTROL, replacement) : text
}

/** A field's name as written in a line. */
interface FieldName {
  readonly written: string
  readonly secret: boolean
}

/** Adds cleaned fields to a line. */
type FieldCleaner = (fields: Readonly<Record<string, unknown>>, line: Record<string, unknown>) => void

/** Cleans the fields of a line at any depth. A reserved name gets an underscore prefix. Names are cached. */
function fieldCleaner(replacement: Replacement): FieldCleaner {
  const names = new Map<string, FieldName>()
  const nameOf = (name: string): FieldName => {
    const known = names.get(name)
    if (known !== undefined) return known
    const read = { written: OWN_FIELDS.has(name) ? `_${name}` : clean(name, replacement), secret: isSecret(name) }
    if (names.size < MOST_NAMES) names.set(name, read)
    return read
  }
  return (fields, line) => {
    for (const name in fields) {
      const value = fields[name]
      if (value === undefined) continue
      const { written, secret } = nameOf(name)
      line[written] = secret ? '[secret]' : cleanValue(value, 0, replacement)
    }
  }
}

function isSecret(name: string): boolean {
  return SECRET_FIELDS.has(name.toLowerCase())
}

function cleanField(name: string, value: unknown, depth: number, replacement: Replacement): unknown {
  return isSecret(name) ? '[secret]' : cleanValue(value, depth, replacement)
}

function cleanValue(value: unknown, depth: number, replacement: Replacement): unknown {
  if (typeof value === 'string') return clean(value, replacement)
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return '[deep]'
  if (value instanceof Error) return clean(value.stack ?? value.message, replacement)
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, depth + 1, replacement))
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return cleanValue(Reflect.apply(value.toJSON, value, []), depth + 1, replacement)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [clean(name, replacement), cleanField(name, inner, depth + 1, replacement)]),
  )
}
