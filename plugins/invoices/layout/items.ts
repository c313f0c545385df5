import { amountsOf, numeralOf, type Amount } from './amount.js'
import { columnsOf, refined, zonesOf, type Zone } from './columns.js'
import type { Column } from './lexicon/headers.js'
import type { Field } from './lexicon/labels.js'
import type { Paper, Read } from './document.js'
import { headersOf, type Header } from './header.js'
import { rowOf, textOf } from './rows.js'
import { near } from './solve.js'
import { isSummary } from './summary.js'
import type { Row, Token } from './types.js'

/** A line of the item table. */
export interface Line {
  readonly read: Read
  description: string | null
  readonly quantity: number | null
  /** Alternative readings of the quantity, such as 2.000 for 2. */
  readonly quantities: readonly number[]
  readonly price: number | null
  readonly grossPrice: number | null
  readonly discount: Amount | null
  readonly rate: number | null
  readonly tax: number | null
  readonly net: number | null
  readonly gross: number | null
  readonly amount: number | null
}

interface Table {
  readonly lines: Line[]
  /** Its rows, which are not searched for document amounts. */
  readonly rows: ReadonlySet<Read>
  readonly kinds: ReadonlySet<Column>
}

const MAX_LINES = 1_000

/** The lines of the tables under their headings, over all pages. */
export function tableOf(paper: Paper): Table {
  const headers = headersOf(paper)
  const rows = new Set<Read>()
  const lines: Line[] = []
  for (const [at, header] of headers.entries()) {
    for (const read of paper.rows.slice(header.from, header.to)) rows.add(read)
    const body = bodyOf(paper, header, headers[at + 1])
    const zones = columnZones(body, header)
    for (const line of linesOf(body, zones, paper)) {
      if (lines.length < MAX_LINES) lines.push(line)
      rows.add(line.read)
    }
  }
  return { lines, rows, kinds: new Set(headers.flatMap(({ columns }) => columns.map(({ kind }) => kind))) }
}

/** The rows below a header, to the summary or the end of the page; they continue on the next page if it has no header. */
function bodyOf(paper: Paper, header: Header, next: Header | undefined): Read[] {
  const body: Read[] = []
  // Start of document-level charges and deductions: rows named as such that no goods follow.
  let end: number | undefined
  const page = paper.rows[header.from]?.row.page
  for (const read of paper.rows.slice(header.to, next?.from)) {
    if (read.row.page !== page && next !== undefined) break
    const goods = isItem(read)
    if (!goods && isSummary(read, 'carried')) continue
    if (!goods && isSummary(read)) {
      if (isSummary(read, 'totals')) break
      end ??= body.length
    }
    if (goods) end = undefined
    body.push(read)
  }
  return body.slice(0, end)
}

const MOST_AMOUNTS = 10
const NO_GOODS: readonly Field[] = ['subtotal', 'tax', 'total', 'payable']

/**
 * A row whose quantity and price match its amount is an item, even when named like a charge: transport, a deposit or
 * insurance may be sold too.
 */
function isItem({ amounts, labels }: Read): boolean {
  if (labels.some(({ from, meaning }) => from === 0 && NO_GOODS.some((field) => meaning.has(field)))) return false
  const money = amounts.filter(({ percent }) => !percent).slice(0, MOST_AMOUNTS)
  const isProduct = (quantity: Amount, price: Amount, { value, decimals }: Amount): boolean =>
    value !== 0 && decimals === price.decimals && near(quantity.value * price.value, value)
  return money.some((quantity, at) =>
    money.slice(at + 1).some((price, next) => money.slice(at + next + 2).some((amount) => isProduct(quantity, price, amount))),
  )
}

/** Zones of the columns, first by their headings, then by their content. */
function columnZones(body: readonly Read[], header: Header): Zone[] {
  let zones = zonesOf(header.columns)
  const numbered = body.filter(({ amounts }) => amounts.some(({ decimals }) => decimals === 2)).slice(0, 60)
  const found = zones.map((): Token[] => [])
  for (const { row } of numbered) {
    const path = columnsOf(row, zones)
    row.tokens.forEach((token, at) => {
      found[path[at] ?? 0]?.push(token)
    })
  }
  zones = refined(zones, found)
  return zones
}

function linesOf(body: readonly Read[], zones: readonly Zone[], paper: Paper): Line[] {
  const lines: Line[] = []
  let heading: Row[] = []
  let last: Row | null = null
  for (const [at, read] of body.entries()) {
    const cells = cellsOf(read.row, zones)
    const line = lineOf(read, cells, paper)
    const text = cells.get('description')
    if (line !== null) {
      if (heading.length > 0) line.description = joined([...heading.map(({ tokens }) => textOf(tokens)), line.description])
      heading = []
      lines.push(line)
      last = read.row
      continue
    }
    const before: Row | null = heading.at(-1) ?? last
    const below = body[at + 1]?.row
    const [up, down] = [gap(before, read.row), gap(read.row, below ?? null)]
    if (text === undefined || text.length < read.row.tokens.length * 0.5) continue
    const current = lines.at(-1)
    const row = rowOf(text, read.row.page)
    if (current !== undefined && last !== null && heading.length === 0 && up <= Math.min(down + 0.25 * row.size, 1.3 * row.size)) {
      current.description = joined([current.description, textOf(text)])
      last = read.row
    } else if (down < 1.3 * row.size) heading.push(row)
  }
  return lines
}

/** Tokens of a row by column kind. */
function cellsOf(row: Row, zones: readonly Zone[]): Map<Column, Token[]> {
  const cells = new Map<Column, Token[]>()
  const path = columnsOf(row, zones)
  row.tokens.forEach((token, at) => {
    const kind = zones[path[at] ?? 0]?.kind
    if (kind !== undefined) cells.set(kind, [...(cells.get(kind) ?? []), token])
  })
  return cells
}

function lineOf(read: Read, cells: ReadonlyMap<Column, readonly Token[]>, { decimal, recognised }: Paper): Line | null {
  const amount = (kind: Column): Amount | null => {
    const tokens = cells.get(kind)
    return tokens === undefined ? null : (amountsOf(rowOf(tokens, read.row.page), decimal)[0] ?? null)
  }
  const money = (kind: Column): number | null => {
    const found = amount(kind)
    if (found === null || found.percent) return null
    // A separator that recognition missed.
    const isCut = recognised && decimal !== null && found.decimals === 0 && found.other === null && Math.abs(found.value) >= 100
    return isCut ? found.value / 100 : found.value
  }
  const [net, gross, stated, price] = [money('net'), money('gross'), money('amount'), money('price')]
  const quantity = amount('quantity')
  const hasTotal = [net, gross, stated].some((value) => value !== null)
  if (!hasTotal && (price === null || quantity === null)) return null
  const rates = cells.get('rate') ?? []
  const words = cells.get('description')
  const { text, rate } = recognised && words !== undefined ? withoutFigures(words, read.row.size) : { text: words, rate: null }
  return {
    read,
    description: text === undefined ? null : textOf(text),
    quantity: quantity?.value ?? null,
    quantities:
      quantity === null
        ? []
        : [quantity.value, ...(quantity.other === null ? [] : [quantity.other]), ...(recognised ? [quantity.value / 100] : [])],
    price,
    grossPrice: money('grossPrice'),
    discount: amount('discount'),
    rate: rates.length > 0 ? rateOf(rates) : rate,
    tax: money('tax'),
    net,
    gross,
    amount: stated,
  }
}

/** A description without a leading position and a trailing rate whose headings were not recognised. */
function withoutFigures(tokens: readonly Token[], size: number): { text: Token[]; rate: number | null } {
  const [first, second] = tokens
  const isPosition =
    first !== undefined && second !== undefined && /^(?:\d{1,3}[.:)]?|.)$/.test(first.text) && second.left - first.right > 0.8 * size
  const words = isPosition ? tokens.slice(1) : [...tokens]
  const rates = words.filter(({ text }) => /^\d{1,2}(?:[.,]\d{1,2})?%$/.test(text))
  return { text: words.filter((token) => !rates.includes(token)), rate: rates.length === 1 ? rateOf(rates) : null }
}

/** Percent in a rate column; null for a letter or another value. */
function rateOf(tokens: readonly Token[]): number | null {
  for (const { text } of tokens) {
    const rate = numeralOf(text.replace(/%/g, ''))?.value
    if (rate !== undefined && rate >= 0 && rate < 40) return rate
  }
  return null
}

function gap(upper: Row | null, lower: Row | null): number {
  if (upper === null || lower === null || upper.page !== lower.page) return Infinity
  return Math.max(0, lower.top - upper.bottom)
}

function joined(parts: readonly (string | null)[]): string | null {
  const text = parts.filter((part) => part !== null && part !== '').join(' ')
  return text === '' ? null : text
}
