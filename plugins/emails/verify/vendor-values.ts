/** A vendor's text value, or null for none and for an empty text. */
export function textOrNull(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** A suggested correction as a full address: some vendors return only the domain. */
export function correctionOf(value: unknown, local: string): string | null {
  const text = textOrNull(value)
  return text === null || text.includes('@') ? text : `${local}@${text}`
}
