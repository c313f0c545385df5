/** Currencies whose smallest unit is not a hundredth (ISO 4217). */
const WHOLE = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ')
const THOUSANDTHS = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

/** Half of the smallest coin, for currencies with cash rounding. */
const COINS: Readonly<Record<string, number>> = { CHF: 0.025, DKK: 0.25, NOK: 0.5, SEK: 0.5, CZK: 0.5, HUF: 2.5 }

/** Decimal places of an amount; two when the currency is unknown. */
export function decimalsOf(currency: string | null): number {
  if (currency === null) return 2
  return WHOLE.includes(currency) ? 0 : THOUSANDTHS.includes(currency) ? 3 : 2
}

/** The smallest amount of a currency. */
export const unitOf = (currency: string | null): number => 10 ** -decimalsOf(currency)

/** Tolerance of a total that was rounded to a coin. */
export const coinOf = (currency: string | null): number => (currency === null ? 0 : (COINS[currency] ?? 0))
