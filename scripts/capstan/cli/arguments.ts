import { InvalidArgumentError } from 'commander'
import { toMilli } from '../../../core/store/amount.js'
import { parseRange } from '../../../core/runtime/address-range.js'

/** The format of an amount of credits. */
const AMOUNT = 'such as 1000 or 12.5, without sign and unit and with at most three decimals'

/** Parses a whole number from 1 to `most`. */
export function fromOne(most: number): (text: string) => number {
  return (text) => whole(text, 1, most)
}

/** The same from 0. */
export function fromZero(most: number): (text: string) => number {
  return (text) => whole(text, 0, most)
}

function whole(text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}, without a unit.`)
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
