import type { InvoiceLine, InvoiceRecord } from '../record.js'
import { decimalsOf } from './currency-unit.js'
import type { Judgement } from './judge.js'

type Total = 'subtotal' | 'total_tax' | 'total_amount'

/** Removes the fields that contradict the rest, with a sentence on each. Values confirmed by several rules are kept. */
export function withoutContradictions(
  record: InvoiceRecord,
  judgement: Judgement,
): { readonly record: InvoiceRecord; readonly notes: readonly string[] } {
  const notes: string[] = []
  const say = (amount: number | null): string => (amount === null ? 'unknown' : amount.toFixed(decimalsOf(record.currency)))
  const doubtful = judgement.total === false ? leastConfirmed(judgement) : []
  const wrong = doubtful.filter((field) => !record.printed.includes(field))
  if (judgement.total === false)
    notes.push(
      `The amounts do not add up: subtotal ${say(record.subtotal)} and total_tax ${say(record.total_tax)} are not total_amount ` +
        `${say(record.total_amount)}; ${wrong.length === 0 ? 'all are given as printed' : `${listed(wrong)} left out`}.`,
    )
  const lines = withoutWrong(record.line_items, judgement, notes)
  if (judgement.lines === false)
    notes.push(
      `The line items add up to ${say(judgement.sumOfLines)}, not to the subtotal ${say(record.subtotal)}: some may be missing or wrong.`,
    )
  const ratesWrong = judgement.rates === false && judgement.total === true
  if (ratesWrong) notes.push(`The tax rates do not give total_tax ${say(record.total_tax)}; line_items.tax_rate is left out.`)
  const kept = Object.fromEntries(wrong.map((field) => [field, null]))
  return {
    record: { ...record, ...kept, line_items: ratesWrong ? lines.map((line) => ({ ...line, tax_rate: null })) : lines },
    notes,
  }
}

/** Of the three totals, those confirmed by the fewest other rules. */
function leastConfirmed({ lines, linesGive, taxes, bases, rates, due }: Judgement): Total[] {
  const times = { subtotal: 0, total_tax: 0, total_amount: 0 }
  if (lines === true && linesGive !== null) times[linesGive]++
  if (bases === true) times.subtotal++
  if (taxes === true) times.total_tax++
  if (rates === true) {
    times.total_tax++
    times.subtotal++
  }
  if (due === true) times.total_amount++
  const fields: Total[] = ['subtotal', 'total_tax', 'total_amount']
  const unconfirmed = fields.filter((field) => times[field] === 0)
  if (unconfirmed.length > 0) return unconfirmed
  const least = Math.min(...fields.map((field) => times[field]))
  return fields.filter((field) => times[field] === least)
}

/** Removes the values contradicted by a line's own arithmetic and, when the lines do not sum to the subtotal, unconfirmed totals. */
function withoutWrong(lines: readonly InvoiceLine[], { each, lines: sum }: Judgement, notes: string[]): InvoiceLine[] {
  return lines.map((line, index) => {
    const verdict = each[index] ?? null
    const place = `line_items[${String(index)}]`
    if (verdict === false && sum === true) {
      notes.push(`${place}: quantity and unit_price do not give its total_amount and are left out.`)
      return { ...line, quantity: null, unit_price: null }
    }
    if (verdict === false) {
      notes.push(`${place}: quantity, unit_price and total_amount contradict each other and are left out.`)
      return { ...line, quantity: null, unit_price: null, total_amount: null }
    }
    if (verdict === null && sum === false && line.total_amount !== null) {
      notes.push(`${place}: nothing confirms its total_amount, which is left out.`)
      return { ...line, total_amount: null }
    }
    return line
  })
}

function listed(fields: readonly string[]): string {
  return `${fields.join(' and ')} ${fields.length === 1 ? 'is' : 'are'}`
}
