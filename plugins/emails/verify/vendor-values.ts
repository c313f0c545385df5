/** What vendors give as text, or null for nothing and for an empty text. */
export function textOrNull(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** A correction as a whole address: some vendors name the domain alone. */
export function correctionOf(value: unknown, local: string): string | null {
  const text = textOrNull(value)
  return text === null || text.includes('@') ? text : `${local}@${text}`
}
