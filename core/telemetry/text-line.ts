import type { LogLevel } from '../runtime/log-events.js'

/** A line of the log, cleaned. */
interface LogLine {
  /** Unix milliseconds. */
  readonly at: number
  readonly level: LogLevel
  readonly event: string
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** What of a request its message says already. */
const IN_MESSAGE = new Set(['method', 'path', 'status'])
/** Text that needs no quotes around it. */
const PLAIN = /^[^\s"=]+$/

/** A line for people: time, level, event, sentence, and the fields as `name=value`. */
export function textLine({ at, level, event, message, fields }: LogLine): string {
  const time = new Date(at).toISOString().replace('T', ' ').replace('Z', '')
  const isRequest = 'method' in fields && 'path' in fields
  const rest = Object.entries(fields).flatMap(([name, value]) => (isRequest && IN_MESSAGE.has(name) ? [] : [`${name}=${valueText(value)}`]))
  return `${time} ${level.toUpperCase().padEnd(5)} ${event}: ${[message, ...rest].join(' ')}\n`
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return PLAIN.test(value) ? value : `"${value.replaceAll('"', '\\"')}"`
  return JSON.stringify(value) ?? String(value)
}
