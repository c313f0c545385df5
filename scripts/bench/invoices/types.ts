/**
 * Invoices that the bench makes, and what is true of each. A set is one layout. `invoices()` gives the same list every time: whatever varies is
 * drawn from `random(seed)`.
 */
export interface InvoiceSet {
  /** Folder and layout, such as `scored/classic`. */
  readonly name: string
  invoices(): readonly MadeInvoice[]
}

export interface MadeInvoice {
  /** Unique within the set, such as `de-2`. */
  readonly id: string
  /** ISO 639-1. */
  readonly language: string
  /** A whole page with its own style sheet, no scripts and no outer addresses. `@page` says the size of the paper; Chromium prints it. */
  readonly html: string
  readonly truth: InvoiceTruth
}

/**
 * The answer of invoices.parse. What the paper does not say is null. The rules where papers differ:
 * - `subtotal` is the amount before tax and after discounts of the whole invoice: subtotal + total_tax = total_amount.
 * - `total_amount` includes tax and is not reduced by what was paid before.
 * - Dates are YYYY-MM-DD. `due_date` is null when the paper states only a term such as 30 days.
 * - `supplier_address` is the postal address on one line, its parts joined by a comma and a blank, without the name.
 * - `quantity`, `unit_price` and `total_amount` of a line are those printed (net or gross); null when there is no such column.
 * - `tax_rate` of a line is the percentage printed in it, or the only rate of the invoice; null when several rates apply and lines do not say which.
 * - `description` is the whole text of the line, continued lines joined by a blank, without article number or position.
 * - A credit note has negative totals and negative line totals, whatever sign the paper prints; where both are printed positive it is the
 *   quantity that becomes negative.
 */
export interface InvoiceTruth {
  readonly invoice_number: string | null
  readonly date: string | null
  readonly due_date: string | null
  readonly supplier_name: string | null
  readonly supplier_address: string | null
  readonly customer_name: string | null
  /** ISO 4217. */
  readonly currency: string | null
  readonly subtotal: number | null
  readonly total_tax: number | null
  readonly total_amount: number | null
  readonly line_items: readonly LineTruth[]
}

export interface LineTruth {
  readonly description: string | null
  readonly quantity: number | null
  readonly unit_price: number | null
  readonly total_amount: number | null
  readonly tax_rate: number | null
}
