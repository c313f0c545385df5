import { Fault } from '../../../core/sdk/fault.js'
import type { InvoiceRecord } from '../record.js'
import { readCii } from './cii.js'
import { readUbl } from './ubl.js'
import { first, readXml, type Element } from './xml.js'

const MOST_LINES = 10_000

/**
 * Parses an electronic invoice by its root element, regardless of prefixes; for a Peppol envelope the document
 * inside. Throws Fault `invalid` for other XML, and for other content.
 */
export default function readEInvoice(bytes: Uint8Array): InvoiceRecord {
  const document = readXml(bytes)
  const inside = first(document, 'StandardBusinessDocument') ?? document
  const [name = '', root] = Object.keys(inside)
    .filter((key) => !/^[@#]/.test(key) && key !== 'StandardBusinessDocumentHeader')
    .map((key): readonly [string, Element | undefined] => [key, first(inside, key)])[0] ?? ['nothing', undefined]
  if (root !== undefined && (name === 'CrossIndustryInvoice' || name === 'CrossIndustryDocument')) return withinBounds(readCii(root))
  if (root !== undefined && (name === 'Invoice' || name === 'CreditNote')) return withinBounds(readUbl(root, name))
  throw new Fault(
    'invalid',
    `The XML is no invoice that is known: its root is ${name.slice(0, 60)}, not Invoice or CreditNote (UBL), CrossIndustryInvoice (CII) or ` +
      'CrossIndustryDocument (ZUGFeRD 1).',
  )
}

function withinBounds(record: InvoiceRecord): InvoiceRecord {
  if (record.line_items.length > MOST_LINES)
    throw new Fault(
      'invalid',
      `The invoice has ${String(record.line_items.length)} lines, more than the ${String(MOST_LINES)} that are read.`,
    )
  return record
}
