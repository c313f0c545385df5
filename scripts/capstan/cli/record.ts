import { isRecord } from '../../../core/sdk/json.js'

/** An object with unknown fields. */
export type Fields = Readonly<Record<string, unknown>>

/** A field of a value that may be an object. */
export function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}

/** A text field, or null. */
export function textOf(value: unknown, name: string): string | null {
  const field = fieldOf(value, name)
  return typeof field === 'string' && field !== '' ? field : null
}
