/** A word and where it stands: points from the upper left corner of its page. */
export interface Word {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly line: number
  readonly block: number
  /** 0 to 1 for recognised words. */
  readonly confidence?: number
}

export interface Page {
  readonly page: number
  readonly width: number
  readonly height: number
  readonly words: readonly Word[]
}

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'] as const
export type Language = (typeof LANGUAGES)[number]

/** What is read from an invoice: the record of the port without what only other vendors know. */
export interface Invoice {
  document_type: 'invoice' | 'credit_note' | 'receipt' | null
  invoice_number: string | null
  date: string | null
  due_date: string | null
  supplier_name: string | null
  supplier_address: string | null
  customer_name: string | null
  currency: string | null
  subtotal: number | null
  total_tax: number | null
  total_amount: number | null
  adjustment: number | null
  rounding: number | null
  prepaid: number | null
  amount_due: number | null
  prices_include_tax: boolean | null
  taxes: { rate: number | null; base: number | null; amount: number | null }[]
  line_items: {
    description: string | null
    quantity: number | null
    unit_price: number | null
    adjustment: number | null
    total_amount: number | null
    tax_rate: number | null
  }[]
}

/** Where something stands. */
export interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** A word of a row; `at` is its place in the row. */
export interface Token extends Box {
  readonly text: string
  /** Lower case without diacritics, letters and digits only. */
  readonly folded: string
}

/** What stands beside each other on one line over the whole width of a page. */
export interface Row extends Box {
  readonly page: number
  readonly tokens: readonly Token[]
  /** Height of its letters. */
  readonly size: number
}
