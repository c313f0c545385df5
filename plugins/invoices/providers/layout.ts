import { Fault, provider, type ProviderContext } from '../../../core/sdk/index.js'
import { layout as vendor } from '../../_vendors/layout.js'
import { ocrRead } from '../../reading/contract.js'
import { invoiceVendors, type InvoiceInput } from '../contract.js'
import type { Reading } from '../layout/invoice.js'
import type { Language, Page } from '../layout/types.js'

const READER = new URL('../work/layout.js', import.meta.url)
const WORK_MS = 10_000
const HEAP_MB = 256
/** Most pages of a scan that are recognised. */
const PAGES = 10
/** Language codes for recognition. */
const CODES: Readonly<Record<Language, string>> = {
  en: 'eng',
  de: 'deu',
  fr: 'fra',
  es: 'spa',
  it: 'ita',
  nl: 'nld',
  pt: 'por',
  pl: 'pol',
  ...{ sv: 'swe', no: 'nor', da: 'dan', fi: 'fin', cs: 'ces', sk: 'slk', hu: 'hun', ro: 'ron', tr: 'tur', el: 'ell', uk: 'ukr', ja: 'jpn' },
}

/** Reads an invoice from the positions of its words, from the file itself or recognised in a scan or a photo. */
export const layout = provider(invoiceVendors, {
  vendor,
  rank: 90,
  serves: ({ kind }) => kind !== 'xml',
  run: async (input, context) => {
    const own = input.positions?.some(({ words }) => words.length > 0) === true ? input.positions : null
    const { invoice } = own === null ? await recognised(input, context) : await read(own, context)
    // It supports twenty languages in common layouts: values it does not find may still be present.
    if (invoice === null) throw new Fault('missing', 'No invoice was found in the print of the file.', { inconclusive: true })
    return { ...invoice, exact: false }
  },
})

/** Accented letters are recognised reliably only by a model of their language, which the words of a first pass determine. */
async function recognised({ file, kind, pages }: InvoiceInput, context: ProviderContext): Promise<Reading> {
  const wanted = kind === 'pdf' ? Array.from({ length: Math.min(pages ?? 1, PAGES) }, (_, at) => at + 1) : null
  context.progress('recognising')
  const first = await context.call(ocrRead, { file, pages: wanted, languages: [CODES.en] })
  const reading = await read(first.pages, context)
  if (reading.language === null || reading.language === 'en') return reading
  try {
    const { pages: again } = await context.call(ocrRead, { file, pages: wanted, languages: [CODES[reading.language]] })
    return await read(again, context)
  } catch (error) {
    // The model of the language is not installed, or no time was left.
    if (!Fault.is(error)) throw error
    context.log('the first recognition is used', { language: reading.language, reason: error.message })
    return reading
  }
}

async function read(pages: readonly Page[], context: ProviderContext): Promise<Reading> {
  return await context.work<Reading>(READER, pages, { timeoutMs: WORK_MS, heapMb: HEAP_MB })
}
