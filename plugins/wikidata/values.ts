import { isRecord } from '../../core/sdk/index.js'

export interface ItemValue {
  readonly type: 'item'
  /** Such as Q42. */
  readonly id: string
}

/** A date of the proleptic Gregorian or the Julian calendar, as written; unknown parts are null. */
export interface TimeValue {
  readonly type: 'time'
  /** Negative for years BC. */
  readonly year: number
  readonly month: number | null
  readonly day: number | null
}

export interface QuantityValue {
  readonly type: 'quantity'
  readonly amount: number
  /** The item of its unit, such as Q4917 for US dollars; null for a plain number. */
  readonly unit: string | null
}

export interface TextValue {
  readonly type: 'text'
  readonly text: string
  /** Null for a language-independent text, such as an address or an identifier. */
  readonly language: string | null
}

export type Value = ItemValue | TimeValue | QuantityValue | TextValue

/** Precision of a time: lower values are decades and centuries. */
const YEAR = 9
const MONTH = 10
const DAY = 11

/** The value of a snak; null for an unknown value, for none, and for an unsupported type. */
export function valueOf(snak: unknown): Value | null {
  if (!isRecord(snak) || snak['snaktype'] !== 'value' || !isRecord(snak['datavalue'])) return null
  const { type, value } = snak['datavalue']
  if (type === 'wikibase-entityid') return itemOf(value)
  if (type === 'time') return timeOf(value)
  if (type === 'quantity') return quantityOf(value)
  if (type === 'string') return text(value, null)
  if (type === 'monolingualtext' && isRecord(value))
    return text(value['text'], typeof value['language'] === 'string' ? value['language'] : null)
  return null
}

/** Year and month of a date, `2021-04`; only the year when the month is unknown; null for years BC and without a date. */
export function yearMonthOf(time: TimeValue | null): string | null {
  if (time === null || time.year < 1) return null
  const year = String(time.year).padStart(4, '0')
  return time.month === null ? year : `${year}-${String(time.month).padStart(2, '0')}`
}

/** Sorts later dates first; an unknown one is last. For `sort`. */
export function newest(one: TimeValue | null, other: TimeValue | null): number {
  return rank(other) - rank(one)
}

function rank(time: TimeValue | null): number {
  return time === null ? Number.MIN_SAFE_INTEGER : time.year * 10_000 + (time.month ?? 0) * 100 + (time.day ?? 0)
}

function itemOf(value: unknown): ItemValue | null {
  if (!isRecord(value)) return null
  const { id, 'numeric-id': number, 'entity-type': type } = value
  if (typeof id === 'string' && /^Q\d+$/.test(id)) return { type: 'item', id }
  return typeof number === 'number' && type === 'item' ? { type: 'item', id: `Q${String(number)}` } : null
}

function timeOf(value: unknown): TimeValue | null {
  if (!isRecord(value) || typeof value['time'] !== 'string' || typeof value['precision'] !== 'number') return null
  const { time, precision } = value
  const [, year = '', month = '', day = ''] = /^([+-]\d{1,16})-(\d\d)-(\d\d)T/.exec(time) ?? []
  if (year === '' || precision < YEAR || Number(year) === 0) return null
  const months = precision >= MONTH ? within(month, 12) : null
  return { type: 'time', year: Number(year), month: months, day: months !== null && precision >= DAY ? within(day, 31) : null }
}

/** Unknown parts are written 00. */
function within(digits: string, most: number): number | null {
  const number = Number(digits)
  return number >= 1 && number <= most ? number : null
}

function quantityOf(value: unknown): QuantityValue | null {
  if (!isRecord(value) || typeof value['amount'] !== 'string' || !/^[+-]?\d{1,300}(?:\.\d+)?$/.test(value['amount'])) return null
  const amount = Number(value['amount'])
  if (!Number.isFinite(amount)) return null
  const unit = typeof value['unit'] === 'string' ? /\/entity\/(Q\d+)$/.exec(value['unit'])?.[1] : undefined
  return { type: 'quantity', amount, unit: unit ?? null }
}

function text(value: unknown, language: string | null): TextValue | null {
  return typeof value === 'string' && value.trim() !== '' ? { type: 'text', text: value.trim(), language } : null
}
