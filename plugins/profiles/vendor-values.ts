import { parseUrl } from '../../core/sdk/index.js'
import { canonicalLinkedIn } from './linkedin.js'

/** Trimmed text; null when empty. */
export function textOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? null : text
}

export function textsOf(values: readonly unknown[]): string[] {
  return values.flatMap((value) => textOf(value) ?? [])
}

/** Texts joined by commas; null for none. */
export function joined(...values: readonly unknown[]): string | null {
  return textOf([...new Set(textsOf(values))].join(', '))
}

/** Year and month of a date written as `2021-04-01`, `2021-04` or `2021`, with or without a time. */
export function yearMonth(value: unknown): string | null {
  const [, year, month] = typeof value === 'string' ? (/^(\d{4})(?:-(\d\d)(?:-\d\d(?:[T ].*)?)?)?$/.exec(value.trim()) ?? []) : []
  return year === undefined ? null : yearMonthOf(Number(year), month === undefined ? null : Number(month))
}

/** The same from numbers; null without a year. */
export function yearMonthOf(year: unknown, month: unknown): string | null {
  if (typeof year !== 'number' || !Number.isInteger(year) || year < 1 || year > 9999) return null
  const known = typeof month === 'number' && Number.isInteger(month) && month >= 1 && month <= 12
  return `${String(year).padStart(4, '0')}${known ? `-${String(month).padStart(2, '0')}` : ''}`
}

/** Address of a picture; null for anything else. */
export function pictureOf(value: unknown): string | null {
  const url = typeof value === 'string' ? parseUrl(value) : null
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null
}

/** The canonical form of a vendor's LinkedIn address, also without a scheme; null for none. */
export function linkedInOf(value: unknown): string | null {
  return typeof value === 'string' ? canonicalLinkedIn(value) : null
}
