import { toNumber } from './convert.js'
import { describe, type Located, type LocatedEntry } from './located.js'
import type { ConfigProblem } from '../problems/errors.js'

/** An operator's prices for a capability, with the places of the rows. */
export interface WrittenPrices {
  readonly where: string
  readonly rows: ReadonlyMap<string, { readonly where: string; readonly credits: number }>
}

/** Reads `prices`: a number, or one for each row of the capability's table, with at most three decimals. */
export function filePrices(entries: ReadonlyMap<string, LocatedEntry>, problems: ConfigProblem[]): ReadonlyMap<string, WrittenPrices> {
  const prices = new Map<string, WrittenPrices>()
  for (const [capability, { where, value }] of entries) {
    if (value.kind === 'nothing') continue
    const rows = new Map<string, { where: string; credits: number }>()
    const written: Iterable<[string, LocatedEntry]> = value.kind === 'map' ? value.entries : [['call', { where, value }]]
    for (const [row, entry] of written) {
      const amount = credits(entry.value)
      if (amount !== null) rows.set(row, { where: entry.where, credits: amount })
      else {
        const name = value.kind === 'map' ? `prices.${capability}.${row}` : `prices.${capability}`
        problems.push({
          where: entry.value.where,
          message: `${name} must be credits, a number with at most three decimals, not ${describe(entry.value, isNumber(entry.value))}`,
          level: 'error',
        })
      }
    }
    prices.set(capability, { where, rows })
  }
  return prices
}

function isNumber(node: Located): boolean {
  return node.kind === 'text' && toNumber(node.text) !== undefined
}

function credits(node: Located): number | null {
  const amount = node.kind === 'text' && node.plain ? toNumber(node.text) : undefined
  if (amount === undefined || Math.abs(amount) > 1_000_000) return null
  const thousandths = Math.round(amount * 1000)
  return Math.abs(thousandths / 1000 - amount) < 1e-9 ? thousandths / 1000 : null
}
