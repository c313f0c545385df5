import type { Share, Sum } from './sums.js'

/** What the lines add up to, each way that their columns allow. */
export interface LineSums {
  readonly net: readonly number[]
  readonly gross: readonly number[]
}

interface Solution {
  readonly subtotal: number | null
  readonly tax: number | null
  readonly total: number | null
  readonly shares: readonly Share[]
  readonly score: number
}

interface Candidate {
  readonly value: number | null
  readonly weight: number
}

/** Candidates of each amount that are combined: at most their third power of steps. */
const MOST = 14
const TOLERANCE = 0.021

/** The combination of subtotal, tax and total that adds up best with itself, the rates and the lines. */
export function solved(sums: readonly Sum[], shares: readonly Share[], lines: LineSums): Solution {
  const taxes = sharesTotals(shares)
  const subtotals = candidates(
    sums,
    ['subtotal'],
    [
      ...lines.net.map((value) => ({ value, weight: 0.45 })),
      ...taxes.flatMap(({ base }) => (base === null ? [] : [{ value: base, weight: 0.6 }])),
    ],
  )
  const parts = shares.length > 1 ? shares.map(({ amount }) => amount) : []
  const whole = sums.map((sum) =>
    sum.field === 'tax' && sum.rate !== null && parts.includes(sum.value) ? { ...sum, weight: sum.weight * 0.4 } : sum,
  )
  const amounts = candidates(
    whole,
    ['tax'],
    taxes.map(({ amount, weight }) => ({ value: amount, weight })),
  )
  const totals = candidates(
    sums,
    ['total', 'payable'],
    lines.gross.map((value) => ({ value, weight: 0.4 })),
  )
  let best: Solution = { subtotal: null, tax: null, total: null, shares, score: -Infinity }
  const consider = (subtotal: Candidate, tax: Candidate, total: Candidate): void => {
    const score = scoreOf({ subtotal, tax, total }, { sums, shares, lines })
    if (score > best.score + 1e-9) best = { subtotal: subtotal.value, tax: tax.value, total: total.value, shares, score }
  }
  const nothing = { value: null, weight: 0 }
  for (const subtotal of [...subtotals, nothing])
    for (const tax of [...amounts, nothing]) {
      for (const total of [...totals, nothing]) consider(subtotal, tax, total)
      // What follows from two of them repairs the third.
      if (subtotal.value !== null && tax.value !== null) consider(subtotal, tax, { value: cents(subtotal.value + tax.value), weight: 0.1 })
    }
  for (const total of totals) {
    if (total.value === null) continue
    for (const tax of amounts) if (tax.value !== null) consider({ value: cents(total.value - tax.value), weight: 0.1 }, tax, total)
    for (const subtotal of subtotals)
      if (subtotal.value !== null) consider(subtotal, { value: cents(total.value - subtotal.value), weight: 0.05 }, total)
  }
  return best
}

function scoreOf(
  { subtotal, tax, total }: { subtotal: Candidate; tax: Candidate; total: Candidate },
  { sums, shares, lines }: { sums: readonly Sum[]; shares: readonly Share[]; lines: LineSums },
): number {
  const [s, t, g] = [subtotal.value, tax.value, total.value]
  let score = subtotal.weight + tax.weight + 1.3 * total.weight
  if (s !== null && t !== null && g !== null) {
    const rounding = sums.filter(({ field }) => field === 'rounding').some(({ value }) => near(s + t + value, g))
    if (near(s + t, g) || rounding) score += 2.5
    else score -= 2
    if (t !== 0 && s !== 0 && t * s < 0) score -= 3
  }
  if (s !== null && t !== null && s !== 0) {
    const ratio = (t / s) * 100
    if (ratio > 30 || ratio < -0.01) score -= 2
    if (shares.some(({ rate }) => Math.abs((s * rate) / 100 - t) <= TOLERANCE + Math.abs(s) * 1e-5)) score += 0.6
  }
  if (s !== null && lines.net.some((value) => near(value, s))) score += 1
  else if (g !== null && lines.gross.some((value) => near(value, g))) score += 0.9
  if (g !== null && s !== null && Math.abs(g) < Math.abs(s) - TOLERANCE) score -= 2
  if (t !== null && g !== null && t !== 0 && Math.abs(t) >= Math.abs(g)) score -= 2
  return score
}

/** Distinct values, the best weight of each; what several places name is surer. */
function candidates(
  sums: readonly Sum[],
  fields: readonly Sum['field'][],
  more: readonly { value: number; weight: number }[],
): Candidate[] {
  const weights = new Map<number, number>()
  for (const { field, value, weight } of sums) {
    if (!fields.includes(field)) continue
    const own = field === 'payable' ? weight * 0.75 : weight
    weights.set(value, Math.max(own, weights.get(value) ?? 0) + (weights.has(value) ? 0.1 : 0))
  }
  for (const { value, weight } of more) weights.set(value, Math.max(weight, (weights.get(value) ?? 0) + 0.3 * weight))
  return [...weights]
    .map(([value, weight]) => ({ value, weight }))
    .sort((one, two) => two.weight - one.weight)
    .slice(0, MOST)
}

/** Sums over rates: of all, and of those with a base. */
function sharesTotals(shares: readonly Share[]): { base: number | null; amount: number; weight: number }[] {
  if (shares.length === 0) return []
  const full = shares.filter(({ base }) => base !== null)
  const one = (list: readonly Share[], weight: number): { base: number | null; amount: number; weight: number } => ({
    base: list.some(({ base }) => base === null) ? null : cents(list.reduce((sum, { base }) => sum + (base ?? 0), 0)),
    amount: cents(list.reduce((sum, { amount }) => sum + amount, 0)),
    weight,
  })
  const found = [one(shares, shares.length > 1 ? 1.3 : 0.9)]
  if (full.length > 0 && full.length < shares.length) found.push(one(full, 0.8))
  return found
}

export function cents(value: number): number {
  return Math.round(value * 100) / 100
}

export function near(one: number, two: number): boolean {
  return Math.abs(one - two) <= TOLERANCE
}
