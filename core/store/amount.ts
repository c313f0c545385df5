import type { Milli } from './types.js'

const MOST_CREDITS = 1_000_000_000

/** Credits as thousandths. Throws a RangeError unless it is a finite multiple of 0.001 within the limit. */
export function toMilli(credits: number): Milli {
  const milli = Math.round(credits * 1000)
  if (
    !Number.isFinite(credits) ||
    Math.abs(credits) > MOST_CREDITS ||
    Math.abs(credits - milli / 1000) > 1e-9 + 4 * Number.EPSILON * Math.abs(credits)
  )
    throw new RangeError(`${credits} is not an amount of credits: use at most three decimals and at most ${MOST_CREDITS}`)
  return milli
}

/** Thousandths as credits, exact in three decimals. */
export function toCredits(milli: Milli): number {
  return milli / 1000
}
