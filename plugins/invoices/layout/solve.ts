import type { Share, Sum } from './sums.js'

/** The sums of the lines, for each possible amount column. */
export interface LineSums {
  readonly net: readonly number[]
  readonly gross: readonly number[]
}

interface Solution {
  readonly subtotal: number | null
  readonly tax: number | null
  readonly total: number | null
  /** Total of charges and deductions after the subtotal. */
  readonly between: number
  readonly shares: readonly Share[]
  readonly score: number
}

interface Candidate {
  readonly value: number | null
  readonly weight: number
}

/** Candidates per amount that are combined: at most their third power of steps. */
const MOST = 14
const TOLERANCE = 0.021

/** Printed data of the document beside its labelled amounts. */
export interface Print {
  /** All printed amounts. A number that is not printed is not used. */
  readonly all: ReadonlySet<number>
  /** The text comes from recognition, so a printed amount may be misread. */
  readonly recognised: boolean
  /** Amounts between subtotal and total with unlisted labels. */
  readonly unknown: readonly number[]
}

/** The combination of subtotal, tax and total that is most consistent with itself, charges and deductions, the rates and the lines. */
export function solved(read: readonly Sum[], shares: readonly Share[], lines: LineSums, print: Print): Solution {
  const sums = read.map((sum) => (containsTax(sum, read, shares) ? { ...sum, field: 'total' as const } : sum))
  const isPrinted = ({ value }: { value: number }): boolean => print.recognised || print.all.has(cents(Math.abs(value)))
  const isTotal = (value: number): boolean => sums.some((sum) => (sum.field === 'total' || sum.field === 'payable') && sum.value === value)
  const taxes = sharesTotals(shares)
  const several = severalTaxes(sums)
  const subtotals = candidates(
    sums,
    ['subtotal'],
    [
      ...lines.net
        .map((value) => ({ value, weight: 0.45 }))
        .filter((each) => isPrinted(each) && (each.value === 0 || !isTotal(each.value))),
      ...taxes.flatMap(({ base }) => (base === null ? [] : [{ value: base, weight: 0.6 }])),
    ],
  )
  const parts = [...(shares.length > 1 ? shares.map(({ amount }) => amount) : []), ...(several?.parts ?? [])]
  const whole = sums.map((sum) =>
    sum.field === 'tax' && (sum.rate !== null || several !== null) && parts.includes(sum.value)
      ? { ...sum, weight: sum.weight * 0.4 }
      : sum,
  )
  const amounts = candidates(
    whole,
    ['tax'],
    [
      ...taxes.map(({ amount, weight }) => ({ value: amount, weight })),
      ...(several === null ? [] : [{ value: several.value, weight: 1.2 }]),
    ],
  )
  const hasTotal = sums.some(({ field }) => field === 'total' || field === 'payable')
  // Without a total label the lines do not sum to a total, but to the amount of a bare label such as Summe.
  const totals = candidates(
    sums,
    ['total', 'payable'],
    lines.gross
      .map((value) => ({ value, weight: 0.4 }))
      .filter(({ value }) => (hasTotal ? print.recognised : sums.some((sum) => sum.only && sum.value === value))),
  )
  const adjustments = adjustmentsOf(sums, print.unknown)
  let best: Solution = { subtotal: null, tax: null, total: null, between: 0, shares, score: -Infinity }
  const consider = (subtotal: Candidate, tax: Candidate, total: Candidate): void => {
    const [s, t, g] = [subtotal.value, tax.value, total.value]
    const between = g === null || s === null ? null : betweenOf(cents(g - s - (t ?? 0)), adjustments, t === null)
    const score = scoreOf({ subtotal, tax, total }, { shares, lines, between, adjusted: adjustments.length > 0 })
    if (score > best.score + 1e-9) best = { subtotal: s, tax: t, total: g, between: between ?? 0, shares, score }
  }
  const nothing = { value: null, weight: 0 }
  for (const subtotal of [...subtotals, nothing])
    for (const tax of [...amounts, nothing]) {
      for (const total of [...totals, nothing]) consider(subtotal, tax, total)
      // The third value follows from the other two if it is printed with an unrecognised label.
      if (subtotal.value === null || tax.value === null) continue
      const total = { value: cents(subtotal.value + tax.value), weight: 0.1 }
      if (hasTotal ? print.recognised : print.all.has(total.value)) consider(subtotal, tax, total)
    }
  for (const total of totals) {
    if (total.value === null) continue
    for (const tax of amounts) {
      const subtotal = { value: cents(total.value - (tax.value ?? 0)), weight: 0.1 }
      if (tax.value !== null && isPrinted(subtotal)) consider(subtotal, tax, total)
    }
    for (const subtotal of subtotals) {
      const tax = { value: cents(total.value - (subtotal.value ?? 0)), weight: 0.05 }
      if (subtotal.value !== null && tax.value !== 0 && isPrinted(tax) && !adjustments.some(({ value }) => near(value, tax.value)))
        consider(subtotal, tax, total)
    }
  }
  return { ...best, shares: withoutDeductions(shares, best.tax) }
}

/**
 * Whether the amount of a bare sum label includes tax: bases and taxes yield it, or the tax matches the single rate
 * for the remainder and not for the whole.
 */
function containsTax({ field, only, value }: Sum, sums: readonly Sum[], shares: readonly Share[]): boolean {
  if (field !== 'subtotal' || !only || sums.some((sum) => sum.field === 'total' || sum.field === 'payable')) return false
  const [first, ...others] = shares
  if (first === undefined) return false
  if (shares.every(({ base }) => base !== null))
    return near(value, cents(shares.reduce((sum, { base, amount }) => sum + (base ?? 0) + amount, 0)))
  const { rate, amount } = first
  return others.length === 0 && near((value * rate) / (100 + rate), amount) && !near((value * rate) / 100, amount)
}

/** A percentage beside an amount with an unlisted label may be a discount: it is not a tax if the others sum to the tax. */
function withoutDeductions(shares: readonly Share[], tax: number | null): readonly Share[] {
  const named = shares.filter(({ name, base }) => name !== null || base !== null)
  const sum = named.reduce((total, { amount }) => total + amount, 0)
  return tax !== null && named.length > 0 && near(sum, tax) ? named : shares
}

interface Adjustment {
  readonly value: number
  /** The label determines whether it is a charge or a deduction; otherwise the printed sign may be missing. */
  readonly signed: boolean
}

/** Most amounts between subtotal and total whose combinations are tried. */
const MOST_ADJUSTMENTS = 6

function adjustmentsOf(sums: readonly Sum[], unknown: readonly number[]): Adjustment[] {
  const found: Adjustment[] = []
  const seen = new Set<string>()
  for (const { field, value, read } of sums) {
    const isDeduction = field === 'discount' || field === 'withheld'
    if ((!isDeduction && field !== 'shipping' && field !== 'rounding') || value === 0 || seen.has(`${String(read.at)} ${String(value)}`))
      continue
    seen.add(`${String(read.at)} ${String(value)}`)
    found.push({ value: isDeduction ? -Math.abs(value) : value, signed: field !== 'rounding' })
  }
  return [...found, ...unknown.filter((value) => value !== 0).map((value) => ({ value, signed: value < 0 }))].slice(0, MOST_ADJUSTMENTS)
}

/** The total of some of the charges and deductions, when it equals the difference; null when none match. */
function betweenOf(difference: number, adjustments: readonly Adjustment[], withoutTax: boolean): number | null {
  if (near(difference, 0)) return 0
  if (withoutTax && adjustments.length === 0) return null
  let sums = [0]
  for (const { value, signed } of adjustments)
    sums = [...new Set(sums.flatMap((sum) => (signed ? [sum, sum + value] : [sum, sum + value, sum - value])))]
  return sums.some((sum) => near(sum, difference)) ? difference : null
}

/** Taxes with different label names, each a part of the tax, such as federal and state tax. */
function severalTaxes(sums: readonly Sum[]): { value: number; parts: readonly number[] } | null {
  const taxes = new Map<string, number>()
  for (const { field, value, rate, name, read } of sums)
    if (field === 'tax' && value > 0 && !read.labels.some(({ meaning }) => meaning.has('subtotal') || meaning.has('total')))
      taxes.set(`${name} ${String(rate)}`, value)
  const parts = [...taxes.values()]
  return parts.length < 2 || parts.length > 5 ? null : { value: cents(parts.reduce((sum, value) => sum + value, 0)), parts }
}

function scoreOf(
  { subtotal, tax, total }: { subtotal: Candidate; tax: Candidate; total: Candidate },
  { shares, lines, between, adjusted }: { shares: readonly Share[]; lines: LineSums; between: number | null; adjusted: boolean },
): number {
  const [s, t, g] = [subtotal.value, tax.value, total.value]
  let score = subtotal.weight + tax.weight + 1.3 * total.weight
  if (s !== null && t !== null && g !== null) {
    if (between === 0) score += 2.5
    else if (between !== null) score += 2.4
    // Values that cannot be reconciled are returned as printed instead of left out.
    else score -= 1
    if (t !== 0 && s !== 0 && t * s < 0) score -= 3
  } else if (s !== null && g !== null && between !== null && between !== 0) score += 1
  if (s !== null && t !== null && s !== 0) {
    const base = s + (adjusted ? (between ?? 0) : 0)
    const ratio = (t / s) * 100
    if (ratio > 30 || ratio < -0.01) score -= 2
    const fits = (value: number) => shares.some(({ rate }) => Math.abs((value * rate) / 100 - t) <= TOLERANCE + Math.abs(value) * 1e-5)
    if (fits(s) || fits(base)) score += 0.6
  }
  if (s !== null && lines.net.some((value) => near(value, s))) score += 1
  else if (g !== null && lines.gross.some((value) => near(value, g))) score += 0.9
  if (g !== null && s !== null && Math.abs(g) < Math.abs(s) - TOLERANCE && between === null) score -= 2
  if (t !== null && g !== null && t !== 0 && Math.abs(t) >= Math.abs(g)) score -= 2
  return score
}

/** Distinct values with their best weight; a value named in several places is more certain. */
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
