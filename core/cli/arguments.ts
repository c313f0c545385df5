import { InvalidArgumentError } from 'commander'
import { toMilli } from '../credits/amount.js'
import { parseRange } from '../limits/address-range.js'

/** How credits are written. */
const AMOUNT = 'such as 1000 or 12.5, without sign and unit and with at most three decimals'

/** Parses a positive whole number. */
export function positive(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : 0
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number above 0, without a unit.')
  return value
}

/** Parses a whole number, 0 included. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(Number(text))) throw new InvalidArgumentError('It must be a whole number, 0 or more, without a unit.')
  return Number(text)
}

/** Parses an amount of credits above 0, with at most three decimals; the answer is in credits. */
export function credits(text: string): number {
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  try {
    if (toMilli(value) > 0) return value
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  throw new InvalidArgumentError(`It must be credits above 0, ${AMOUNT}.`)
}

/** Parses an amount of credits as `credits` does, 0 included. */
export function creditsOrNone(text: string): number {
  if (/^0+(?:\.0{1,3})?$/.test(text)) return 0
  try {
    return credits(text)
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    throw new InvalidArgumentError(`It must be credits, 0 or more, ${AMOUNT}.`)
  }
}

/** Parses a comma-separated list of addresses and networks. */
export function addressList(text: string): string[] {
  const list = commaList(text)
  for (const entry of list)
    try {
      parseRange(entry)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw new InvalidArgumentError(`${error.message}, such as 203.0.113.7 or 2001:db8::/32.`)
    }
  return list
}

/** Parses a comma-separated list. */
export function commaList(text: string): string[] {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  if (items.length === 0 || items.some((item) => /\s/.test(item)))
    throw new InvalidArgumentError('It must be a comma-separated list, without spaces in its entries.')
  return items
}
