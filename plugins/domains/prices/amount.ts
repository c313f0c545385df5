/** A higher price for an ordinary name is an error. */
const MOST = 100_000

/** The price of one premium name, as number or text, with at most four decimals; null for an invalid amount and for 0. */
export function premiumAmountOf(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  if (!/^\d{1,9}(?:\.\d{1,8})?$/.test(text)) return null
  const amount = Math.round(Number(text) * 10_000) / 10_000
  return amount > 0 ? amount : null
}

/** The price of an ordinary name: the same, but null for implausibly high amounts. */
export function amountOf(value: unknown): number | null {
  const amount = premiumAmountOf(value)
  return amount === null || amount > MOST ? null : amount
}

/** An ISO 4217 currency code; null for anything else. */
export function currencyOf(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value.trim().toUpperCase()) ? value.trim().toUpperCase() : null
}
