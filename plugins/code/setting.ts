/** A whole number among a vendor's settings; `otherwise` where there is none. */
export function integerSetting(settings: Readonly<Record<string, unknown>>, name: string, otherwise: number): number {
  const value = settings[name]
  return typeof value === 'number' ? value : otherwise
}

/** A text among a vendor's settings; null where there is none. */
export function textSetting(settings: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = settings[name]
  return typeof value === 'string' && value !== '' ? value : null
}
