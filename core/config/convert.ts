import type { Definition } from '../../config/default.js'
import { formFault } from './forms.js'
import { homeFault } from './paths.js'

/** A value in the setting's unit, or the fault of the text: null where `expectation` suffices. */
type Converted = { readonly ok: true; readonly value: string | number | boolean } | { readonly ok: false; readonly fault: string | null }

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }
const BYTES: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
}

/** A boolean in common spellings, or undefined. */
export function toBoolean(text: string): boolean | undefined {
  if (/^(?:true|yes|on|1)$/i.test(text)) return true
  if (/^(?:false|no|off|0)$/i.test(text)) return false
  return undefined
}

/** A finite decimal number, or undefined. */
export function toNumber(text: string): number | undefined {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

function measured(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text) ?? []
  const factor = units[(unit ?? '').toLowerCase()]
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor
}

function range({ min, max }: Definition): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  return min === undefined ? (max === undefined ? '' : ` of at most ${max}`) : ` of at least ${min}`
}

/** The accepted values of a setting, in words. */
export function expectation(definition: Definition): string {
  switch (definition.type) {
    case 'integer':
      return `a whole number${range(definition)}`
    case 'number':
      return `a number${range(definition)}`
    case 'boolean':
      return 'true or false'
    case 'duration':
      return `seconds${range(definition)}, or a time such as 90s, 15m or 2h`
    case 'bytes':
      return `bytes${range(definition)}, or a size such as 512KiB, 32MiB or 1GiB`
    case 'enum':
      return `one of ${(definition.values ?? []).join(', ')}`
    case 'list':
      return `a list, each entry ${definition.form?.says ?? (definition.packages === true ? 'a folder or an installed package' : 'a text')}`
    case 'lists':
      return 'names with a list each'
    case 'string':
      return definition.form?.says ?? 'a text'
  }
}

/** Parses a text, for a list one item, as the setting's type. */
export function convert(definition: Definition, text: string): Converted {
  const given = pasteFault(text) ?? (definition.path === true ? homeFault(text.trim()) : null)
  if (given !== null) return { ok: false, fault: given }
  const value = read(definition, text.trim())
  const good =
    value !== undefined &&
    (typeof value !== 'number' || (value >= (definition.min ?? -Infinity) && value <= (definition.max ?? Infinity))) &&
    (typeof value !== 'string' || (value !== '' && (definition.form?.pattern.test(value) ?? true)))
  if (!good) return { ok: false, fault: null }
  const kind = definition.form?.kind
  const fault = kind === undefined || typeof value !== 'string' ? null : formFault(kind, value)
  return fault === null ? { ok: true, value } : { ok: false, fault: fault === '' ? null : fault }
}

function read({ type, values }: Definition, text: string): string | number | boolean | undefined {
  switch (type) {
    case 'integer':
      return whole(toNumber(text))
    case 'number':
      return toNumber(text)
    case 'boolean':
      return toBoolean(text)
    case 'duration':
      return measured(text, SECONDS)
    case 'bytes':
      return whole(measured(text, BYTES))
    case 'enum':
      return values?.find((value) => value === text.toLowerCase())
    case 'list':
    case 'lists':
    case 'string':
      return text
  }
}

function whole(value: number | undefined): number | undefined {
  return value !== undefined && Number.isSafeInteger(value) ? value : undefined
}

/** The fault of a value pasted with quotes or control characters, in words that follow its name, or null. */
export function pasteFault(text: string): string | null {
  const value = text.trim()
  if (/^(?:"[^]*"|'[^]*'|“[^]*”|‘[^]*’)$/.test(value)) return 'is in quotes, which would be part of it: write it without them'
  // Credentials may be the text of a file.
  if (/\p{Cc}/u.test(value) && !/^(?:\{|\[|-----BEGIN )/.test(value))
    return 'contains a line break or another control character: write it in one line'
  return null
}
