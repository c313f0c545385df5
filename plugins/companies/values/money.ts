import type { Money } from '../record.js'

const STEPS: readonly (readonly [number, string])[] = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
]

/** A readable amount with its currency: `12.5M USD`. */
export function printed(amount: number, currency: string): string {
  const [unit, letter] = STEPS.find(([least]) => Math.abs(amount) >= least) ?? [1, '']
  return `${String(Number((amount / unit).toPrecision(3)))}${letter} ${currency}`
}

/** An amount in US dollars, with the vendor's own abbreviated form if any; null when it is not an amount. */
export function dollars(amount: number | null, short: string | null = null): Money | null {
  const form = short === null ? null : withCurrency(short)
  if (amount === null || !Number.isFinite(amount) || amount < 0) return form === null ? null : { amount: null, printed: form }
  return { amount, printed: form ?? printed(amount, 'USD') }
}

/** `$10M-$25M`, `10m-50m`, `over-1b` and `12M` as `10M-25M USD` and so on; null for a text without a number. */
export function withCurrency(short: string): string | null {
  const bare = short
    .replace(/\$/g, '')
    .replace(/^(under|over)-/i, '$1 ')
    .trim()
  if (!/\d/.test(bare) || bare.length > 40) return null
  const form = bare.replace(/(\d)\s*([kmbt])\b/gi, (_all, digit: string, letter: string) => `${digit}${letter.toUpperCase()}`)
  return /[A-Z]{3}$/.test(form) ? form : `${form} USD`
}

/** The lower end of a band such as `10m-50m` or `over-1b`; null without one. */
export function lowerEnd(band: string): number | null {
  const [, figure, letter = ''] = /^(?:over-)?(\d+(?:\.\d+)?)([kmbt])?/i.exec(band) ?? []
  if (figure === undefined) return null
  return Number(figure) * (STEPS.find(([, each]) => each === letter.toUpperCase())?.[0] ?? 1)
}
