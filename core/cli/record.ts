/** An object with unknown fields. */
export type Fields = Readonly<Record<string, unknown>>

/** True for an object that is no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field of something that may be an object. */
export function fieldOf(value: unknown, name: string): unknown {
  return isFields(value) ? value[name] : undefined
}

/** A text field, or null. */
export function textOf(value: unknown, name: string): string | null {
  const field = fieldOf(value, name)
  return typeof field === 'string' && field !== '' ? field : null
}
