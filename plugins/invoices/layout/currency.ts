import { currencyOf } from './amount.js'
import type { Paper } from './document.js'
import { hitsOf, rightOf } from './labels.js'
import type { Sum } from './sums.js'
import type { Language } from './types.js'

/** Countries by the prefix of a tax number or bank account, with their currency. */
const COUNTRIES: Readonly<Record<string, string>> = {
  ...{ DE: 'EUR', AT: 'EUR', FR: 'EUR', ES: 'EUR', IT: 'EUR', NL: 'EUR', BE: 'EUR', LU: 'EUR', PT: 'EUR', IE: 'EUR', FI: 'EUR', GR: 'EUR' },
  ...{ PL: 'PLN', CH: 'CHF', CHE: 'CHF', GB: 'GBP', CZ: 'CZK', SE: 'SEK', DK: 'DKK' },
}

const KRONER: Readonly<Partial<Record<Language, string>>> = { no: 'NOK', da: 'DKK' }

/** The currency of most amounts, document totals first; or the currency declared for all amounts; or that of the bank account. */
export function currencyFor(paper: Paper, sums: readonly Sum[]): string | null {
  const votes = new Map<string, number>()
  const vote = (code: string | null, weight: number): void => {
    if (code !== null) votes.set(code, (votes.get(code) ?? 0) + weight)
  }
  for (const { currency } of sums) vote(currency, 5)
  for (const { amounts } of paper.rows) for (const { currency } of amounts) vote(currency, 1)
  for (const hit of hitsOf(paper, 'currency')) {
    const [first] = rightOf(hit)
    if (first !== undefined) vote(currencyOf(first.text), hit.length > 4 ? 12 : 4)
  }
  for (const { row } of paper.rows)
    for (const { text } of row.tokens) {
      const bare = text.replace(/[()[\]:,;.]/g, '')
      if (/^[A-Z]{3}$|^[€£$₹₺¥]$|^(?:zł|Kč|Ft|Rs|TL|грн)$/.test(bare)) vote(currencyOf(bare), 0.9)
    }
  const [best] = [...votes].sort((one, two) => two[1] - one[1])
  if (best === undefined) return byCountry(paper)
  const [code] = best
  // Several countries share the sign kr: the code or the language decides.
  const isNamed = paper.rows.some(({ row }) => row.tokens.some(({ text }) => text.includes('SEK')))
  return code === 'SEK' && !isNamed && paper.language !== null ? (KRONER[paper.language] ?? code) : code
}

function byCountry({ rows }: Paper): string | null {
  for (const { row } of rows)
    for (const [at, { text }] of row.tokens.entries()) {
      const joined = text + (row.tokens[at + 1]?.text ?? '')
      const [, country] = /^(DE|AT|FR|ES|IT|NL|BE|LU|PT|IE|PL|CHE?|GB)[- ]?[A-Z]?\d{2}/.exec(joined) ?? []
      if (country !== undefined && joined.replace(/\D/g, '').length >= 8) return COUNTRIES[country] ?? null
    }
  return null
}
