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
/** Control characters, line and paragraph separators, and what turns the direction of text: they could forge lines or drive a terminal. Tabs are harmless. */
const CONTROL = /(?!\t)[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
/** Most texts hold nothing of either, and one look is cheaper than two replacements. */
const SUSPECT = /(?!\t)[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]|cap_|adm_|Bearer/u
/** Names that a line has of its own. */
const OWN_FIELDS = new Set(['level', 'time', 'event', 'msg', 'repeated', 'lasted_ms'])

/** Puts something harmless in the place of a control character. */
type Replacement = (character: string) => string

export const blank: Replacement = () => ' '

/** As it is written in JSON and JavaScript. */
export const escaped: Replacement = (character) => {
  const known = new Map([
    ['\n', '\\n'],
    ['\r', '\\r'],
  ])
  return known.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** A text without secrets and control characters. */
export function clean(text: string, replacement: Replacement): string {
  return SUSPECT.test(text) ? text.replace(SECRET_TEXT, '[secret]').replace(CONTROL, replacement) : text
}

/** The fields of a line, clean at any depth. One that is named like a part of the line itself is put behind an underscore. */
export function cleanFields(fields: Readonly<Record<string, unknown>>, replacement: Replacement): Record<string, unknown> {
  const cleaned: Record<string, unknown> = {}
  for (const name in fields) {
    const value = fields[name]
    if (value === undefined) continue
    cleaned[OWN_FIELDS.has(name) ? `_${name}` : clean(name, replacement)] = cleanField(name, value, 0, replacement)
  }
  return cleaned
}

function cleanField(name: string, value: unknown, depth: number, replacement: Replacement): unknown {
  return SECRET_FIELDS.has(name.toLowerCase()) ? '[secret]' : cleanValue(value, depth, replacement)
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
