import type { InvoiceLine } from '../record.js'
import { all, attribute, ownText, text, type Element } from './xml.js'

/** A decimal number in XML Schema notation; null for anything else. */
export function numberOf(written: string | null): number | null {
  return written !== null && /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(written) ? Number(written) : null
}

export const number = (from: Element | undefined, path: string): number | null => numberOf(text(from, path))

/** The amount in a currency, among several in different ones; one without a currency also matches. */
export function amountIn(currency: string | null, elements: readonly Element[]): number | null {
  const fitting = (wanted: string | null) => elements.find((element) => attribute(element, 'currencyID') === wanted)
  const element = (currency === null ? undefined : fitting(currency)) ?? fitting(null)
  return element === undefined ? null : numberOf(ownText(element))
}

/** YYYYMMDD (format 102 of UN/EDIFACT 2379) or YYYY-MM-DD with or without a time or zone, as YYYY-MM-DD; null for an invalid date. */
export function dateOf(written: string | null): string | null {
  const [, year = '', month = '', day = ''] = /^(\d{4})-?(\d\d)-?(\d\d)(?!\d)/.exec(written ?? '') ?? []
  const iso = `${year}-${month}-${day}`
  const time = Date.parse(`${iso}T00:00:00Z`)
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso ? null : iso
}

/** Discounts (negative) and charges (positive) together; null when there are none. */
export function adjustmentOf(elements: readonly Element[], { indicator, amount }: { indicator: string; amount: string }): number | null {
  const signed = elements.flatMap((element) => {
    const value = number(element, amount)
    return value === null ? [] : [/^(?:true|1)$/.test(text(element, indicator) ?? '') ? value : 0 - value]
  })
  return signed.length === 0 ? null : exact(signed.reduce((sum, value) => sum + value, 0))
}

/** Every text at a path, joined by a blank. */
export function joined(from: Element | undefined, paths: readonly string[], separator = ' '): string | null {
  const texts = paths.flatMap((path) => all(from, path).flatMap((element) => ownText(element) ?? []))
  const different = texts.filter((each, index) => texts.indexOf(each) === index)
  return different.length === 0 ? null : different.join(separator)
}

/** The present parts of an address, in order. */
export function addressOf(parts: readonly (string | null)[]): string | null {
  const there = parts.filter((part) => part !== null && part !== '')
  return there.length === 0 ? null : there.join(', ')
}

export const together = (...parts: readonly (string | null)[]): string | null => {
  const there = parts.filter((part) => part !== null)
  return there.length === 0 ? null : there.join(' ')
}

/** The unit price, when it is stated for a number of units. A number that contradicts the line total is ignored. */
export function priceOfOne(line: Omit<InvoiceLine, 'unit_price'>, price: number | null, base: number | null): number | null {
  if (price === null || base === null || base === 0 || base === 1) return price
  const { quantity, total_amount: total } = line
  if (quantity === null || total === null) return exact(price / base)
  const net = total - (line.adjustment ?? 0)
  const fits = (one: number) => Math.abs(quantity * one - net) <= 0.01 + Math.abs(net) * 1e-4
  if (fits(price / base)) return exact(price / base)
  if (fits(price)) return price
  return quantity === 0 ? exact(price / base) : exact(net / quantity)
}

/** Rounds off binary floating-point noise. */
export const exact = (value: number): number => Number(value.toFixed(8))
