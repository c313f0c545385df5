import { clean, escaped, fieldCleaner } from './clean.js'
import type { LogLine } from './log-line.js'

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
