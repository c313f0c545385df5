import { addressViolations } from '../_shared/address.js'
import { capability, flat, nullable, oneOf, port, scratchFile, Type, type Static } from '../../core/sdk/index.js'
import { documentRead } from '../reading/contract.js'
import { invoiceRecord } from './record.js'

const text = (description: string) => nullable(Type.String({ description }))
const amount = (description: string) => nullable(Type.Number({ description }))

const line = Type.Object({
  description: text('What was sold.'),
  quantity: amount('How many.'),
  unit_price: amount('Price of one.'),
  total_amount: amount('Amount of the line.'),
  tax_rate: amount('Tax rate in percent: 19 for 19 %.'),
})

const invoice = Type.Object({
  invoice_number: text('Number of the invoice.'),
  date: text('Date of the invoice, YYYY-MM-DD.'),
  due_date: text('Date by which it is to be paid, YYYY-MM-DD.'),
  supplier_name: text('Who sent it.'),
  supplier_address: text('Postal address of the sender on one line.'),
  customer_name: text('Who is to pay.'),
  currency: text('ISO 4217, such as EUR.'),
  subtotal: amount('Amount before tax, after discounts. Negative in a credit note.'),
  total_tax: amount('Tax.'),
  total_amount: amount('Amount with tax, before anything paid in advance is taken off.'),
  line_items: Type.Array(line, { description: 'What was sold, line by line.' }),
})

/**
 * What the vendors of invoices.parse are asked: the document that the handler fetched, and what it already knows of it. Vendors leave `invalid` Faults
 * to what makes the file itself unusable for everybody; what one of them cannot read is `missing`, or null.
 */
export const invoiceVendors = port({
  id: 'invoices.parse',
  input: Type.Object({
    file: scratchFile,
    kind: oneOf('pdf', 'image', 'xml'),
    /** By its bytes. Pictures that the gateway can turn are upright already. */
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
    /** Its usual ending, without a dot. */
    extension: Type.String(),
    /** XML of the sender: files attached to the PDF, or the file itself. */
    xml: Type.Array(scratchFile),
    /** Pages of a PDF, all there are; null where that is not known. */
    pages: nullable(Type.Integer()),
    /** Words of a PDF with their places (`document.read`), the first 30 pages; null for pictures, scans, and where nothing here reads PDF. */
    positions: documentRead.output.properties.positions,
  }),
  output: invoiceRecord,
})

/** Fields of an invoice, receipt or credit note. */
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
  title: 'Read an invoice',
  description:
    'Reads an invoice, receipt or credit note into fields: number, dates, supplier, customer, currency, amounts and line items. Takes PDF, ' +
    'pictures (JPEG, PNG, WebP, GIF, TIFF) and electronic invoices (UBL, CII, Factur-X, ZUGFeRD, XRechnung, Peppol), also those attached to a ' +
    'PDF, whose data is preferred to what is printed. Amounts are checked: when they do not add up the next vendor is asked, and what still ' +
    'contradicts is null, with a remark in metadata.notes. Dates are YYYY-MM-DD, rates are percent, the amounts of a credit note are negative. ' +
    'A field the document does not state is null. Of several invoices in one file the first is read.',
  input: Type.Object({
    document_url: Type.String({
      minLength: 1,
      maxLength: 8192,
      description: 'Address of the document, http or https: PDF, picture or XML, at most 50 MB and 200 pages.',
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
