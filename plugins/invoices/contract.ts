import { addressViolations } from '../_shared/address.js'
import { capability, flat, nullable, oneOf, port, scratchFile, Type, type Static } from '../../core/sdk/index.js'
import { documentRead } from '../reading/contract.js'
import { invoiceRecord } from './record.js'

const text = (description: string) => nullable(Type.String({ description }))
const amount = (description: string) => nullable(Type.Number({ description }))

const line = Type.Object({
  description: text('Description of the item.'),
  quantity: amount('Quantity.'),
  unit_price: amount('Unit price.'),
  total_amount: amount('Total of the line.'),
  tax_rate: amount('Tax rate in percent: 19 for 19 %.'),
})

const invoice = Type.Object({
  invoice_number: text('Invoice number.'),
  date: text('Invoice date, YYYY-MM-DD.'),
  due_date: text('Due date, YYYY-MM-DD.'),
  supplier_name: text('Name of the supplier.'),
  supplier_address: text('Postal address of the supplier on one line.'),
  customer_name: text('Name of the customer.'),
  currency: text('ISO 4217 currency code, such as EUR.'),
  subtotal: amount('Amount before tax, after discounts; negative in a credit note.'),
  total_tax: amount('Total tax.'),
  total_amount: amount('Amount including tax, before prepayments are deducted.'),
  line_items: Type.Array(line, { description: 'Line items.' }),
})

/**
 * Input and output of the vendors of invoices.parse: the document that the handler fetched, and what it knows about
 * it. Vendors throw `invalid` only if the file is unusable for every vendor; what one of them cannot read is
 * `missing`, or null.
 */
export const invoiceVendors = port({
  id: 'invoices.parse',
  input: Type.Object({
    file: scratchFile,
    kind: oneOf('pdf', 'image', 'xml'),
    /** Detected from the bytes. Images that the gateway can rotate are upright already. */
    content_type: oneOf(
      'application/pdf',
      'application/xml',
      'image/jpeg',
      'image/png',
      'image/webp',
      'image/gif',
      'image/tiff',
      'image/heic',
    ),
    /** Usual file extension, without the dot. */
    extension: Type.String(),
    /** XML of the supplier: files attached to the PDF, or the file itself. */
    xml: Type.Array(scratchFile),
    /** Number of pages of a PDF; null when unknown. */
    pages: nullable(Type.Integer()),
    /**
     * Words of the first 30 pages of a PDF with their positions (`document.read`); null for images, for scans and
     * without a PDF reader.
     */
    positions: documentRead.output.properties.positions,
  }),
  output: invoiceRecord,
})

/** Parses an invoice, receipt or credit note into fields. */
export const invoicesParse = capability({
  id: 'invoices.parse',
  path: '/v1/invoices/parse',
  phrases: [
    { say: '* invoice receipt bill vat tax total amount supplier items due paid accounting' },
    { say: 'invoice|receipt|bill' },
    { say: 'parse|read|scan|extract invoice|receipt|bill' },
    { say: 'extract from invoice|receipt|bill' },
    { say: 'total|amount|tax|supplier|items|due on|of|in invoice|receipt|bill' },
    { say: 'credit note' },
  ],
  title: 'Parse an invoice',
  description:
    'Parses an invoice, receipt or credit note into fields: number, dates, supplier, customer, currency, amounts and ' +
    'line items. Accepts PDF, images (JPEG, PNG, WebP, GIF, TIFF) and electronic invoices (UBL, CII, Factur-X, ' +
    'ZUGFeRD, XRechnung, Peppol), also attached to a PDF; electronic data takes precedence over printed text. ' +
    'Amounts are checked: if they do not add up, the next provider is tried, and amounts that still contradict each ' +
    'other are null, with a remark in metadata.notes. Dates are YYYY-MM-DD, rates are percentages, and the amounts ' +
    'of a credit note are negative. Fields that the document does not state are null. Of several invoices in one ' +
    'file, only the first is parsed.',
  input: Type.Object({
    document_url: Type.String({
      minLength: 1,
      maxLength: 8192,
      description: 'URL of the document, http or https: PDF, image or XML, at most 50 MB and 200 pages.',
    }),
  }),
  output: invoice,
  price: flat(3),
  work: 'media',
  timeoutMs: 90_000,
  many: 'compared',
  vendors: invoiceVendors,
  check: ({ document_url: url }) => addressViolations(url, { loc: ['document_url'], file: true }),
  examples: [
    { title: 'An invoice as PDF', params: { document_url: 'https://example.com/invoice-2025-0117.pdf' } },
    { title: 'A photo of a receipt', params: { document_url: 'https://example.com/receipt.jpg' } },
    { title: 'An electronic invoice', params: { document_url: 'https://example.com/invoice.xml' } },
  ],
})

export type Invoice = Static<typeof invoice>
export type InvoiceInput = Static<typeof invoiceVendors.input>
