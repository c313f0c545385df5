/**
 * A CSS colour (#rgb, #rrggbb, rgb(), with or without #) as #rrggbb; null for any other text, including colour names.
 */
export function hexOf(text: string | null): string | null {
  const value = (text ?? '').trim().toLowerCase()
  const [, short] = /^#?([0-9a-f]{3})$/.exec(value) ?? []
  if (short !== undefined) return `#${[...short].map((digit) => digit + digit).join('')}`
  const [, long] = /^#?([0-9a-f]{6})(?:ff)?$/.exec(value) ?? []
  if (long !== undefined) return `#${long}`
  const [, ...parts] = /^rgb\(\s*(\d{1,3})(?:\s*,\s*|\s+)(\d{1,3})(?:\s*,\s*|\s+)(\d{1,3})\s*\)$/.exec(value) ?? []
  if (parts.length !== 3 || parts.some((part) => Number(part) > 255)) return null
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`
}

/** White, black or grey, which are rarely brand colours. */
export function isNeutral(hex: string): boolean {
  const [red, green, blue] = channels(hex)
  return Math.max(red, green, blue) - Math.min(red, green, blue) < 24
}

/** The first colour, chromatic ones before neutral ones, and the next one that is visibly different. White alone is not a brand colour. */
export function brandColours(colours: readonly string[]): readonly [string | null, string | null] {
  const all = [...new Set(colours.flatMap((colour) => hexOf(colour) ?? []))].filter((hex) => Math.min(...channels(hex)) < 240)
  const [first = null, ...rest] = [...all.filter((hex) => !isNeutral(hex)), ...all.filter(isNeutral)]
  return [first, first === null ? null : (rest.find((hex) => distance(hex, first) > 60) ?? null)]
}

function distance(one: string, other: string): number {
  const [a, b] = [channels(one), channels(other)]
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

function channels(hex: string): readonly [number, number, number] {
  const number = Number.parseInt(hex.slice(1), 16)
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255]
}
