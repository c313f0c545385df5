import type { Model } from '../model.js'

/** Escapes text for markup. */
export const text = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

interface Column {
  readonly head: string
  readonly align: 'left' | 'right' | 'center'
  readonly cell: (at: number) => string
  readonly wide?: boolean
}

/** The table of items, its columns in an order of its own. */
export function itemTable(model: Model, { css, order }: { css: string; order: 'usual' | 'quantityFirst' }): string {
  const { truth, word, columns, units, wraps, random } = model
  const withUnit = (at: number): string => (units[at] === '' || columns.unit ? '' : ` ${units[at] ?? ''}`)
  const money = random.next() < 0.4 ? model.money : model.bare
  const align = random.pick(['right', 'right', 'center'] as const)
  const line = (at: number) => truth.line_items[at]
  const position: Column = { head: word('position'), align: 'left', cell: (at) => String(at + 1) }
  const description: Column = {
    head: word('description'),
    align: 'left',
    wide: true,
    cell: (at) => {
      const [whole, wrap] = [line(at)?.description ?? '', wraps[at] ?? null]
      return wrap === null ? text(whole) : `${text(whole.slice(0, -wrap.length - 1))}<br><small>${text(wrap)}</small>`
    },
  }
  const quantity: Column = { head: word('quantity'), align, cell: (at) => `${model.count(line(at)?.quantity ?? 0)}${withUnit(at)}` }
  const price: Column = { head: word('price'), align: 'right', cell: (at) => money(line(at)?.unit_price ?? 0) }
  const rate: Column = {
    head: word('rate'),
    align,
    cell: (at) => `${model.percent(line(at)?.tax_rate ?? 0)}${random.next() < 0.5 ? ' ' : ''}%`,
  }
  const amount: Column = { head: word('amount'), align: 'right', cell: (at) => money(line(at)?.total_amount ?? 0) }
  const rates = columns.rate ? [rate] : []
  const list =
    order === 'usual'
      ? [...(columns.position ? [position] : []), description, quantity, price, ...rates, amount]
      : [quantity, description, ...rates, price, amount]
  const head = list
    .map(({ head: title, align: side, wide }) => `<th style="text-align:${side}${wide === true ? ';width:45%' : ''}">${text(title)}</th>`)
    .join('')
  const rows = truth.line_items.map(
    (_, at) => `<tr>${list.map(({ cell, align: side }) => `<td style="text-align:${side}">${cell(at)}</td>`).join('')}</tr>`,
  )
  return `<table class="items" style="${css}"><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

/** Labels and amounts below the items. */
export function sumRows(model: Model): [string, string][] {
  const { truth, word, money, shares, discount, paid } = model
  const rows: [string, string][] = []
  if (discount > 0) rows.push([word('discount'), money(-discount)])
  rows.push([word('subtotal'), money(truth.subtotal ?? 0)])
  for (const { rate, amount } of shares) rows.push([word('tax').replace('{r}', model.percent(rate)), money(amount)])
  rows.push([word('total'), money(truth.total_amount)])
  if (paid > 0) rows.push([word('paid'), money(-paid)], [word('open'), money(Math.round((truth.total_amount - paid) * 100) / 100)])
  return rows
}

export function page(body: string, css: string): string {
  return `<!doctype html><html><head><meta charset="utf-8"><style>@page{size:A4;margin:0 0 12mm}*{box-sizing:border-box}body{margin:0}table{border-collapse:collapse}tr{break-inside:avoid}small{font-size:90%}${css}</style></head><body>${body}</body></html>`
}
