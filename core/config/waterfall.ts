import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type Located, type LocatedEntry } from './located.js'
import type { ConfigProblem } from '../problems/errors.js'
import type { Variables } from './variables.js'

/** A written order with its place. */
export interface WrittenOrder {
  readonly where: string
  readonly order: readonly string[]
}

/** The entry of an order that means all vendors it does not name. */
export const REST = '...'

const VENDOR = /^-?[a-z0-9][a-z0-9._-]*$/
const EXPECTED = `vendor ids in order; ${REST} means all others, a leading - excludes one`

/** The orders of the file, by port. */
export function fileOrders(entries: ReadonlyMap<string, LocatedEntry>, problems: ConfigProblem[]): ReadonlyMap<string, WrittenOrder> {
  const orders = new Map<string, WrittenOrder>()
  for (const [port, { where, value }] of entries) {
    if (value.kind === 'nothing') continue
    const order = check(`waterfall.${port}`, value.where, texts(value), problems)
    if (order !== null) orders.set(port, { where, order })
  }
  return orders
}

/** The orders of variables, by variable; their ports are determined once plugins are loaded. */
export function variableOrders(env: Variables, problems: ConfigProblem[]): ReadonlyMap<string, WrittenOrder> {
  const orders = new Map<string, WrittenOrder>()
  for (const [variable, text] of env) {
    if (!variable.startsWith('CAPSTAN_WATERFALL_')) continue
    if (text.trimStart().startsWith('[')) {
      const message = 'the order is written without brackets and quotes in a variable, its vendors separated by commas'
      problems.push({ where: variable, message, level: 'error' })
      continue
    }
    const order = check('the order', variable, text.split(','), problems)
    if (order !== null) orders.set(variable, { where: variable, order })
  }
  return orders
}

/** The default orders: config/waterfall.json in the root. Throws when that file is invalid. */
export function defaultOrders(root: string): ReadonlyMap<string, readonly string[]> {
  const file = join(root, 'config', 'waterfall.json')
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (typeof content !== 'object' || content === null) throw new Error(`${file} must be an object of lists`)
  const orders = new Map<string, readonly string[]>()
  for (const [port, order] of Object.entries(content)) {
    if (!isOrder(order)) throw new Error(`${file}: ${port} must be a list of vendor ids`)
    orders.set(port, order)
  }
  return orders
}

function isOrder(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && VENDOR.test(item))
}

function texts(value: Located): readonly (string | null)[] {
  if (value.kind === 'text') return value.text.split(',')
  if (value.kind === 'list') return value.items.map((item) => (item.kind === 'text' ? item.text : null))
  return [describe(value)]
}

function check(name: string, where: string, items: readonly (string | null)[], problems: ConfigProblem[]): readonly string[] | null {
  const order = items.map((item) => item?.trim() ?? null)
  const faults = orderFaults(order)
  for (const fault of faults) problems.push({ where, message: `${name} ${fault.says}`, level: 'error' })
  return faults.length > 0 ? null : order.map((item) => item ?? '')
}

/** Faults of an order's entries, each with its index, in words that follow the order's name. */
export function orderFaults(order: readonly (string | null)[]): { readonly index: number; readonly says: string }[] {
  const seen = new Set<string>()
  return order.flatMap((item, index) => {
    if (item === null || !(item === REST || VENDOR.test(item)))
      return [{ index, says: `must be ${EXPECTED}${item === null ? '' : `, not ${JSON.stringify(item)}`}` }]
    const id = item.replace(/^-/, '')
    if (seen.has(id)) return [{ index, says: `names ${id} twice` }]
    seen.add(id)
    return []
  })
}
