import type { Column } from './lexicon/headers.js'
import type { Line } from './items.js'
import { cents, near, type LineSums } from './solve.js'
import { isStandardTax } from './sums.js'

/** A line with its amounts resolved. */
interface Settled {
  readonly description: string | null
  readonly quantity: number | null
  readonly unit_price: number | null
  readonly adjustment: number | null
  readonly total_amount: number | null
  readonly tax_rate: number | null
}

/** The sums of each amount column of the lines. */
export function lineSums(lines: readonly Line[]): LineSums {
  const sum = (read: (line: Line) => number | null): number[] => {
    const values = lines.map(read)
    const known = values.filter((value) => value !== null)
    return known.length === 0 || known.length < values.length ? [] : [cents(known.reduce((total, value) => total + value, 0))]
  }
  const products = sum((line) =>
    line.quantity === null || line.price === null || line.discount !== null ? null : cents(line.quantity * line.price),
  )
  return {
    net: [...new Set([...sum(({ net }) => net), ...sum(({ amount }) => amount), ...products])],
    gross: [...new Set([...sum(({ gross }) => gross), ...sum(({ amount }) => amount), ...(products.length > 0 ? products : [])])],
  }
}

/**
 * Lines up to the first that is a sum of those above, and none after it: sums with unlisted labels. `stated` are
 * amounts with listed labels: lines that sum to one of them are all items.
 */
export function withoutSums(found: readonly Line[], stated: readonly number[]): Line[] {
  // A zero tax whose label was taken as a description leaves only an amount of 0.
  const lines = found.filter((line) => line.description !== null || line.quantity !== null || totalOf(line) !== 0)
  const totals = lines.map(totalOf)
  const whole = sumTo(totals, lines.length)
  if (stated.some((value) => near(value, whole))) return lines
  const bare = lines.map(({ quantity }, at) => quantity === null && totals[at] !== null)
  // A deduction without its sign.
  const last = totals.at(-1) ?? 0
  if (bare.at(-1) === true && last > 0 && stated.some((value) => near(value, whole - 2 * last))) return lines.slice(0, -1)
  // Only trailing lines with nothing but an amount can be sums.
  const start = bare.lastIndexOf(false) + 1
  const isSum = (at: number, value: number): boolean => bare[at] === true && near(totals[at] ?? Number.NaN, value)
  for (let count = Math.max(1, start); count < lines.length; count++) {
    const above = sumTo(totals, count)
    const repeats = isSum(count, above) && (count >= 2 || lines.length > 2)
    let [sum, confirmed, taxes] = [above, false, true]
    for (let at = repeats ? count + 1 : count; at < lines.length && !confirmed; at++) {
      confirmed = at > count && isSum(at, sum)
      if (!confirmed) taxes &&= isTax(above, lines[at])
      sum += totals[at] ?? 0
    }
    // The rows that the last one sums may be items, or an amount with its tax.
    if (repeats ? count >= 2 || confirmed : confirmed && taxes) return lines.slice(0, count)
  }
  return lines.length > 2 && isSum(lines.length - 1, sumTo(totals, lines.length - 1)) ? lines.slice(0, -1) : lines
}

/** Whether a line may be a tax on the amount above it: by its own rate, or by a standard rate of some country. */
function isTax(above: number, line: Line | undefined): boolean {
  const value = totalOf(line)
  if (value === null) return false
  return line?.rate == null ? isStandardTax(above, value) : value <= (above * line.rate) / 100 + 0.021
}

const sumTo = (totals: readonly (number | null)[], count: number): number =>
  cents(totals.slice(0, count).reduce<number>((sum, value) => sum + (value ?? 0), 0))

/** Lines with one total each; misread values are corrected when quantity, price and the sum determine them. */
export function settled(
  lines: readonly Line[],
  kinds: ReadonlySet<Column>,
  { sum, onlyRate, recognised }: { sum: number | null; onlyRate: number | null; recognised: boolean },
): Settled[] {
  const hasPrices =
    kinds.has('price') || kinds.has('grossPrice') || lines.some(({ price, grossPrice }) => price !== null || grossPrice !== null)
  let totals = lines.map(totalOf)
  const products = lines.map((line, at) => productOf(line, totals[at] ?? null))
  const add = (values: readonly (number | null)[]): number => cents(values.reduce<number>((total, value) => total + (value ?? 0), 0))
  if (sum !== null && !near(add(totals), sum)) {
    const computed = products.map((product, at) => product ?? totals[at] ?? null)
    if (near(add(computed), sum)) totals = computed
    else {
      const single = totals.findIndex((total, at) => {
        const product = products[at] ?? null
        return product !== null && near(add(totals) - (total ?? 0) + product, sum)
      })
      const missing = totals.filter((total) => total === null).length === 1 ? totals.indexOf(null) : -1
      if (single >= 0) totals = totals.with(single, products[single] ?? null)
      else if (missing >= 0) totals = totals.with(missing, cents(sum - add(totals)))
    }
  }
  return lines.map((line, at) => {
    const total = totals[at] ?? null
    const price = line.price ?? line.grossPrice
    const adjustment = adjustmentOf(line)
    const quantity =
      line.quantities.find((each) => price !== null && total !== null && near(each * price + adjustment, total)) ?? line.quantity
    return {
      description: line.description,
      ...(recognised ? repaired({ quantity, price, adjustment, total }, hasPrices) : { quantity, unit_price: price }),
      adjustment: adjustment === 0 ? null : adjustment,
      total_amount: total,
      tax_rate: line.rate ?? onlyRate,
    }
  })
}

function totalOf(line: Line | undefined): number | null {
  return line === undefined ? null : (line.net ?? line.amount ?? line.gross)
}

function productOf(line: Line, total: number | null): number | null {
  const price = line.price ?? line.grossPrice
  if (price === null || line.quantity === null) return null
  const products = line.quantities.map((quantity) => cents(quantity * price + adjustmentOf(line, quantity)))
  return products.find((product) => total !== null && near(product, total)) ?? products[0] ?? null
}

/** A discount of the line, as a percentage of its amount or an amount. */
function adjustmentOf(line: Line, quantity = line.quantity): number {
  const { discount } = line
  const price = line.price ?? line.grossPrice
  if (discount === null || price === null || quantity === null || discount.value === 0) return 0
  const full = quantity * price
  const total = totalOf(line)
  const byPercent = -cents((full * Math.abs(discount.value)) / 100)
  if (discount.percent || (total !== null && near(full + byPercent, total))) return byPercent
  return total !== null && near(full - Math.abs(discount.value), total)
    ? -Math.abs(discount.value)
    : total !== null
      ? cents(total - full)
      : 0
}

/**
 * A missed quantity, or a quantity or price that contradicts the other two, when the matching value is a round
 * number; a price only when prices are printed.
 */
function repaired(
  {
    quantity,
    price,
    adjustment,
    total,
  }: {
    quantity: number | null
    price: number | null
    adjustment: number
    total: number | null
  },
  hasPrices: boolean,
): { quantity: number | null; unit_price: number | null } {
  if (quantity === null && price !== null && total !== null && price !== 0) {
    const count = [1, 4, 10]
      .map((parts) => Math.round(((total - adjustment) / price) * parts) / parts)
      .find((each) => each > 0 && Math.abs(each * price + adjustment - total) < 0.011)
    return { quantity: count ?? null, unit_price: price }
  }
  if (hasPrices && price === null && quantity !== null && total !== null && quantity !== 0 && isClean((total - adjustment) / quantity, 2))
    return { quantity, unit_price: cents((total - adjustment) / quantity) }
  if (quantity === null || price === null || total === null || near(quantity * price + adjustment, total))
    return { quantity, unit_price: price }
  const [count, each] = [(total - adjustment) / price, (total - adjustment) / quantity]
  if (price !== 0 && isClean(count, 2) && String(price).includes('.')) return { quantity: Math.round(count * 100) / 100, unit_price: price }
  if (quantity !== 0 && isClean(each, 2)) return { quantity, unit_price: cents(each) }
  return { quantity, unit_price: price }
}

function isClean(value: number, digits: number): boolean {
  const scale = 10 ** digits
  return Number.isFinite(value) && value > 0 && Math.abs(value * scale - Math.round(value * scale)) < 1e-6
}
