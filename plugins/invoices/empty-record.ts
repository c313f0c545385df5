import type { InvoiceRecord } from './record.js'

/** An empty record. */
export const emptyRecord = (): InvoiceRecord => ({
  document_type: null,
  invoice_number: null,
  date: null,
  due_date: null,
  supplier_name: null,
  supplier_address: null,
  customer_name: null,
  currency: null,
  subtotal: null,
  total_tax: null,
  total_amount: null,
  adjustment: null,
  rounding: null,
  prepaid: null,
  amount_due: null,
  prices_include_tax: null,
  taxes: [],
  line_items: [],
  printed: [],
  exact: false,
  notes: [],
})
