import type { InvoiceSet, MadeInvoice } from '../types.js'
import { drawn } from './designs.js'
import type { Paper } from './paper.js'
import { papers } from './papers.js'
import { added } from './sums.js'

/** Papers with lines between subtotal and total (freight, fees, tips, deposits, withholding, rounding), in languages with and without lists of labels. */
export const extras: readonly InvoiceSet[] = papers.map((paper, at) => ({
  name: `extras/${paper.id}`,
  invoices: () => [made(paper, at)],
}))

function made(paper: Paper, at: number): MadeInvoice {
  const { rows, truth } = added(paper.lines, paper.sums)
  const unit = paper.style === 'whole' ? 1 : 100
  const major = (minor: number | null) => (minor === null ? null : minor / unit)
  return {
    id: `${paper.language}-1`,
    language: paper.language,
    html: drawn(paper, rows, at),
    truth: {
      invoice_number: paper.number,
      date: paper.date,
      due_date: paper.due,
      supplier_name: paper.seller[0] ?? null,
      supplier_address: paper.seller.slice(1, 3).join(', '),
      customer_name: paper.buyer[0] ?? null,
      currency: paper.currency,
      subtotal: major(truth.subtotal),
      total_tax: major(truth.total_tax),
      total_amount: major(truth.total_amount),
      line_items: paper.lines.map(({ text, quantity, price }) => ({
        description: text,
        quantity,
        unit_price: paper.design === 'receipt' ? null : price / unit,
        total_amount: (quantity * price) / unit,
        tax_rate: paper.rate,
      })),
    },
  }
}
