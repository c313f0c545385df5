import { Fault, provider, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { eInvoice as vendor } from '../../_vendors/e-invoice.js'
import { invoiceVendors } from '../contract.js'
import type { InvoiceRecord } from '../record.js'

const READER = new URL('../work/e-invoice.js', import.meta.url)
const MOST_BYTES = 10_000_000
const WORK_MS = 10_000
const HEAP_MB = 256

/** Data of the sender: standalone XML, or XML attached to a PDF; attachments that are not invoices are left to the readers of the print. */
export const eInvoice = provider(invoiceVendors, {
  vendor,
  rank: 10,
  timeoutMs: 20_000,
  serves: ({ xml }) => xml.length > 0,
  run: async ({ kind, xml }, context) => {
    const [alone] = xml
    if (kind === 'xml' && alone !== undefined) return await read(alone, context)
    const found: InvoiceRecord[] = []
    for (const file of xml) {
      try {
        found.push(await read(file, context))
      } catch (error) {
        if (!Fault.is(error) || error.kind !== 'invalid') throw error
        context.log('an attached file is no invoice', { reason: error.message })
      }
    }
    const [record, ...others] = found
    if (record === undefined) throw new Fault('missing', 'No attached file is an electronic invoice.', { inconclusive: true })
    return others.length === 0 ? record : { ...record, notes: [...record.notes, severalNote(found.length)] }
  },
})

const severalNote = (count: number): string => `The file has ${String(count)} electronic invoices; the first was read.`

async function read(file: ScratchFile, context: ProviderContext): Promise<InvoiceRecord> {
  if (file.size > MOST_BYTES) throw new Fault('invalid', 'The XML is larger than the 10 MB that are read.', { loc: ['document_url'] })
  try {
    const bytes = await context.scratch.bytes(file, MOST_BYTES)
    return await context.work<InvoiceRecord>(READER, new Uint8Array(bytes), { timeoutMs: WORK_MS, heapMb: HEAP_MB })
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'blocked') throw error
    throw new Fault('invalid', 'The XML takes too much time or memory to read.', { cause: error, costly: error.costly })
  }
}
