import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cii } from './e-invoice/cii.js'
import { sumsOf } from './e-invoice/sums.js'
import { ubl } from './e-invoice/ubl.js'
import { attached, printed, scan } from './paper.js'
import { GROUPS, invoicesOf, setsOf, type Group } from './sets.js'
import type { InvoiceTruth, MadeInvoice } from './types.js'

export const KINDS = ['e-invoice', 'e-invoice in PDF', 'text PDF', 'scan'] as const
export type Kind = (typeof KINDS)[number]

/** One document to parse. */
export interface Task {
  readonly kind: Kind
  readonly group: Group
  /** `scored/classic de-2`, and for electronic invoices their dialect. */
  readonly name: string
  readonly bytes: Buffer
  readonly file: string
  readonly pages: number
  readonly truth: InvoiceTruth
}

const FACTUR_X = 'factur-x.xml'
/** Profiles that state all that the answer has. */
const FULL = [
  ['BASIC', 'basic'],
  ['EN 16931', 'en16931'],
  ['EXTENDED', 'extended'],
  ['XRechnung', 'xrechnung'],
  ['ZUGFeRD 1', 'zugferd-1'],
] as const

/** Makes the documents of all layouts of some groups, of some kinds, in a folder. */
export async function tasksIn(folder: string, { groups, kinds }: { groups: readonly Group[]; kinds: readonly Kind[] }): Promise<Task[]> {
  const tasks: Task[] = []
  for (const group of GROUPS.filter((each) => groups.includes(each))) {
    const invoices = invoicesOf(await setsOf(group)).map((invoice, index) => ({
      ...invoice,
      path: join(folder, `${group}-${String(index)}.pdf`),
    }))
    if (kinds.some((kind) => kind !== 'e-invoice') && (group !== 'extras' || kinds.includes('text PDF'))) await printed(invoices)
    for (const [index, invoice] of invoices.entries()) {
      const about = { group, truth: invoice.truth, pages: 1 }
      const name = `${invoice.set} ${invoice.id}`
      // What they add is how the print is read: their recognition needs models of languages that few machines have.
      if (group === 'extras') {
        if (kinds.includes('text PDF'))
          tasks.push({ ...about, kind: 'text PDF', name, file: 'invoice.pdf', bytes: readFileSync(invoice.path) })
        continue
      }
      if (kinds.includes('e-invoice'))
        tasks.push(...electronic(invoice).map((each) => ({ ...about, ...each, name: `${name} ${each.name}` })))
      if (kinds.includes('e-invoice in PDF')) tasks.push(...(await inPdf(invoice, folder)).map((each) => ({ ...about, ...each, name })))
      if (kinds.includes('text PDF'))
        tasks.push({ ...about, kind: 'text PDF', name, file: 'invoice.pdf', bytes: readFileSync(invoice.path) })
      if (kinds.includes('scan')) {
        const { bytes, pages, kind } = await scan(invoice.path, folder, 1_000 * (GROUPS.indexOf(group) + 1) + index)
        tasks.push({ ...about, kind: 'scan', name, file: `invoice.${kind}`, bytes, pages })
      }
    }
  }
  return tasks
}

type Made = Pick<Task, 'kind' | 'name' | 'file' | 'bytes' | 'truth'>

/** In every dialect that can state the invoice. */
function electronic({ truth }: MadeInvoice): Made[] {
  const sums = sumsOf(truth)
  if (sums === null) return []
  const made = (name: string, xml: string, known: InvoiceTruth = truth): Made => ({
    kind: 'e-invoice',
    name,
    file: 'invoice.xml',
    bytes: Buffer.from(xml),
    truth: known,
  })
  const withoutLines: InvoiceTruth = { ...truth, line_items: [] }
  return [
    made('UBL', ubl(truth, sums)),
    ...FULL.map(([name, dialect]) => made(name, cii(truth, sums, dialect))),
    made('BASIC WL', cii(truth, sums, 'basic-wl'), withoutLines),
    made('MINIMUM', cii(truth, sums, 'minimum'), { ...withoutLines, due_date: null, supplier_address: null }),
  ]
}

/** The data says another supplier than the print, so that an answer from the print is seen. */
async function inPdf({ truth, path }: MadeInvoice & { readonly path: string }, folder: string): Promise<Made[]> {
  const sums = sumsOf(truth)
  if (sums === null) return []
  const known = { ...truth, supplier_name: `${truth.supplier_name ?? ''} (Data)` }
  const bytes = await attached(path, cii(known, sums, 'en16931'), { folder, name: FACTUR_X })
  return [{ kind: 'e-invoice in PDF', name: '', file: 'invoice.pdf', bytes, truth: known }]
}
