import { isRecord } from '../sdk/json.js'
import type { Facts } from './types.js'

type FieldCheck = (value: unknown) => boolean

const isText: FieldCheck = (value) => typeof value === 'string'
const isNumber: FieldCheck = (value) => typeof value === 'number'
const isTextOrNull: FieldCheck = (value) => value === null || isText(value)
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText)

/** The check of each field; the compiler requires one for a new field. */
const FACTS: { readonly [Name in keyof Required<Facts>]: FieldCheck } = {
  endpoint: isText,
  capability: isText,
  mode: isTextOrNull,
  product: isText,
  key_id: isText,
  request_id: isText,
  status: isNumber,
  ms: isNumber,
  provider_used: isTextOrNull,
  providers_tried: isTexts,
  error: isTextOrNull,
  via: (value) => value === undefined || isText(value),
  aborted: (value) => value === undefined || value === true,
}
const FACT_CHECKS = Object.entries(FACTS)

/** Unknown fields come from a later version and are kept. */
function isFacts(value: unknown): value is Facts {
  return isRecord(value) && FACT_CHECKS.every(([name, check]) => check(value[name]))
}

function isTextRecord(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every(isText)
}

/** A list of texts, such as scopes. Like the functions below, throws for any other content. */
export function storedTexts(text: string): readonly string[] {
  const value: unknown = JSON.parse(text)
  return isTexts(value) ? value : refuse('a list of texts')
}

/** The headers of an answer. */
export function storedHeaders(text: string): Readonly<Record<string, string>> {
  const value: unknown = JSON.parse(text)
  return isTextRecord(value) ? value : refuse('headers')
}

/** An object whose fields no code relies on, such as the detail of an audit entry. */
export function storedRecord(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text)
  return isRecord(value) ? value : refuse('an object')
}

/** Facts of a call. */
export function storedFacts(text: string): Facts {
  const value: unknown = JSON.parse(text)
  return isFacts(value) ? value : refuse('the facts of a call')
}

/** The same, null where an entry has none. */
export function factsOrNull(text: string | null): Facts | null {
  return text === null ? null : storedFacts(text)
}

function refuse(what: string): never {
  throw new Error(`the database holds something else where this version expects ${what}`)
}
