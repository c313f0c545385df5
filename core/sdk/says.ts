/** Whether a value says something: null, undefined, the empty string, empty lists and objects of which no field does say nothing. */
export function says(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  return isPlain(value) ? Object.values(value).some(says) : true
}

/** True for an object that is nothing but its fields. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
