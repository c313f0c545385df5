import { valueAt } from '../../_shared/value-at.js'

const LONGEST = 2_000
const FIRST_YEAR = 1_000

/** Text with collapsed whitespace, at most 2,000 characters; null when empty or not a string. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value
    .slice(0, LONGEST * 2)
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
  return text === '' ? null : text
}

/** The text at a path; null when absent. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  return textOf(valueAt(value, ...path))
}

/** A finite number, also as text; null for anything else. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'number' ? value : typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : NaN
  return Number.isFinite(number) ? number : null
}

/** A whole number of at least 0. */
export function countOf(value: unknown): number | null {
  const number = numberOf(value)
  return number !== null && number >= 0 && number <= Number.MAX_SAFE_INTEGER ? Math.round(number) : null
}

/** A plausible year of foundation, also from the start of a date. */
export function yearOf(value: unknown, thisYear = new Date().getUTCFullYear()): number | null {
  const [digits] = /^\d{4}(?!\d)/.exec(typeof value === 'number' ? String(value) : (textOf(value) ?? '')) ?? []
  const year = Number(digits)
  return year >= FIRST_YEAR && year <= thisYear ? year : null
}

/** An http or https address; https is added when the scheme is missing; null for anything else. */
export function webAddress(value: unknown): string | null {
  const text = textOf(value)
  if (text === null || /\s/.test(text)) return null
  if (/^https?:\/\//i.test(text)) return text
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[/?#].*)?$/i.test(text) ? `https://${text}` : null
}

/** Parts of a place on one line; null when there are none. */
export function placeOf(...parts: readonly unknown[]): string | null {
  const texts = parts.flatMap((part) => textOf(part) ?? [])
  return texts.length === 0 ? null : [...new Set(texts)].join(', ')
}
