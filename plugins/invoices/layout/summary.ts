import type { Field } from './lexicon/labels.js'
import type { Read } from './document.js'

const SUMS: readonly Field[] = ['subtotal', 'tax', 'total', 'payable', 'prepaid', 'withheld', 'rounding']
const ADJUSTMENTS: readonly Field[] = ['discount', 'shipping']

/**
 * Whether a row is a total of the document or a page rather than an item: its words are such a label; `totals`
 * excludes charges and discounts.
 */
export function isSummary({ labels, row, amounts }: Read, kind: 'carried' | 'sums' | 'totals' = 'sums'): boolean {
  const money = amounts.filter(({ percent }) => !percent)
  const match = labels.find(({ meaning }) =>
    kind === 'carried'
      ? meaning.has('carried')
      : (money.length === 1 && kind === 'sums' ? [...SUMS, ...ADJUSTMENTS] : SUMS).some((field) => meaning.has(field)),
  )
  if (match === undefined) return false
  const letters = row.tokens.map(({ folded, text }, at) => {
    const isFigure =
      amounts.some(({ from, to }) => at >= from && at < to) ||
      /^[\d.,%()€$£₹¥₺+-]+$|^(?:kr|rs|inr|eur|usd|cad|chf|sek|nok|dkk|czk|kč|ft|lei|tl|zł|pln)\.?$/i.test(text)
    return isFigure ? 0 : /^\(|\)$/.test(text) ? 0 : folded.replace(/[^\p{L}]/gu, '').length
  })
  const all = letters.reduce((sum, count) => sum + count, 0)
  const own = labels
    .filter(({ meaning }) => !meaning.has('other'))
    .reduce((sum, { from, to }) => sum + letters.slice(from, to).reduce((one, two) => one + two, 0), 0)
  const isNamed = (at: number): boolean => labels.some(({ from, to, length }) => length > 3 && at >= from && at < to)
  const before = letters.slice(0, match.from).reduce((sum, count, at) => sum + (isNamed(at) ? 0 : count), 0)
  const sums = labels.filter(({ meaning }) => SUMS.some((field) => meaning.has(field))).length
  if (kind === 'carried') return own >= 0.5 * all
  return own >= 0.55 * all && before <= 0.3 * all && (money.length > 0 || match.length >= 9 || sums >= 2)
}
