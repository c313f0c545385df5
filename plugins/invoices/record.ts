import { nullable, oneOf, Type, type Static } from '../../core/sdk/index.js'

const text = nullable(Type.String())
const amount = nullable(Type.Number())

/**
 * One line as stated in the document. Per line: quantity × unit_price + adjustment = total_amount. A quantity or
 * price without a column is null, and is not computed from the others.
 */
const line = Type.Object({
  /** The full text, continued lines joined by a blank, without position and article number. */
  description: text,
  quantity: amount,
  unit_price: amount,
  /**
   * Of the line itself, already included in its total: negative for a discount, positive for a charge; null or 0 for
   * none.
   */
  adjustment: amount,
  total_amount: amount,
  /** Percent: 19 for 19 %. Of the line, or the single rate of the document; null when several apply and the line does not specify one. */
  tax_rate: amount,
})

/** One rate of the tax breakdown: amount = base × rate. */
const tax = Type.Object({ rate: amount, base: amount, amount })

/**
 * What a vendor found: the answer, and what is needed to judge it by arithmetic (`arithmetic.ts`). Amounts are in the unit of the currency, with the
 * sign that the document prints: the handler makes the amounts of a credit note negative. The rules, each with a tolerance for rounding:
 * - sum of line totals + adjustment = subtotal, or = total_amount where prices include tax;
 * - subtotal + total_tax + rounding = total_amount;
 * - sum of `taxes[].amount` = total_tax, sum of `taxes[].base` = subtotal, base × rate = amount;
 * - total_amount - prepaid = amount_due.
 * Whatever the document does not state is null; an empty text is never a value.
 */
export const invoiceRecord = Type.Object({
  document_type: nullable(oneOf('invoice', 'credit_note', 'receipt')),
  invoice_number: text,
  /** ISO 8601, YYYY-MM-DD; for an ambiguous date the more likely reading. */
  date: text,
  /** A stated date; null for a term such as 30 days. */
  due_date: text,
  supplier_name: text,
  /** On one line, its parts joined by a comma and a blank, without the name. */
  supplier_address: text,
  customer_name: text,
  /** ISO 4217. */
  currency: text,
  /** Before tax, and after discounts and charges of the whole document. */
  subtotal: amount,
  total_tax: amount,
  /** With tax, before prepaid amounts are deducted. */
  total_amount: amount,
  /** Document-level discounts (negative) and charges (positive) that are in no line, summed; null or 0 for none. */
  adjustment: amount,
  /**
   * The difference between subtotal + total_tax and total_amount: rounding (`öresavrundning`, Rundung), a tip,
   * freight, a deposit, withholding.
   */
  rounding: amount,
  /** Paid before, as a positive number. */
  prepaid: amount,
  amount_due: amount,
  /** Line totals include tax; null when not stated. */
  prices_include_tax: nullable(Type.Boolean()),
  taxes: Type.Array(tax),
  line_items: Type.Array(line),
  /** Amounts with unambiguous labels: they are kept as printed even when they contradict others. */
  printed: Type.Array(oneOf('subtotal', 'total_tax', 'total_amount')),
  /**
   * Data of the sender (XML), not read from the print: it takes precedence over all others, which are then not
   * called.
   */
  exact: Type.Boolean(),
  /** Sentences for the caller, such as that there are further invoices in the file. */
  notes: Type.Array(Type.String()),
})

export type InvoiceRecord = Static<typeof invoiceRecord>
export type InvoiceLine = InvoiceRecord['line_items'][number]
export type InvoiceTax = InvoiceRecord['taxes'][number]
