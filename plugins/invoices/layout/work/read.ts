import { invoiceOf } from '../invoice.js'
import type { Invoice, Page } from '../types.js'

/** Runs in a worker, where time and memory have limits: words are foreign text. */
export default function read(pages: readonly Page[]): Invoice {
  return invoiceOf(pages)
}
