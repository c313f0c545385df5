import type { InvoiceSet, InvoiceTruth, MadeInvoice } from '../types.js'
import { boxes } from './designs/boxes.js'
import { frame } from './designs/frame.js'
import { ledger } from './designs/ledger.js'
import { letter } from './designs/letter.js'
import { receipt } from './designs/receipt.js'
import { modelOf, type Model } from './model.js'
import { WORDING, type Language } from './wording.js'

const DESIGNS = { letter, boxes, ledger, receipt, frame } as const
type Design = keyof typeof DESIGNS

/** Invoices from the United States and Switzerland are in languages that others have too. */
const LANGUAGES: Readonly<Record<Language, string>> = {
  ...{ en: 'en', us: 'en', de: 'de', ch: 'de', fr: 'fr', es: 'es', it: 'it', nl: 'nl', pt: 'pt', pl: 'pl' },
}
const PER_LANGUAGE = Number(process.env['OPEN_INVOICES'] ?? 1)
const FIRST = Number(process.env['OPEN_FIRST'] ?? 1)
/** Every so many invoices one is long. */
const LONG = 7

/** Layouts that may be inspected; labels, order, formats and fonts of each invoice are drawn. */
export const open: readonly InvoiceSet[] = (['letter', 'boxes', 'ledger', 'receipt', 'frame'] as const).map((design) => ({
  name: `open/${design}`,
  invoices: () =>
    WORDED.flatMap((language, at) =>
      Array.from({ length: PER_LANGUAGE }, (_, count) => made(design, { language, at, seed: FIRST + count })),
    ),
}))

const WORDED: readonly Language[] = ['en', 'us', 'de', 'ch', 'fr', 'es', 'it', 'nl', 'pt', 'pl'] satisfies (keyof typeof WORDING)[]

function made(design: Design, { language, at, seed }: { language: Language; at: number; seed: number }): MadeInvoice {
  const isReceipt = design === 'receipt'
  const lines = seed % LONG === 0 && !isReceipt ? 40 : 6
  const model = modelOf(seed * 97 + at * 7 + design.charCodeAt(0), language, { receipt: isReceipt, lines })
  return {
    id: `${LANGUAGES[language]}-${language}${String(seed)}`,
    language: LANGUAGES[language],
    html: DESIGNS[design](model),
    truth: truthOf(model),
  }
}

/** A credit note is printed with positive amounts here. */
function truthOf({ truth, kind }: Model): InvoiceTruth {
  if (kind === 'invoice') return truth
  const minus = (value: number | null): number | null => (value === null ? null : -value)
  return {
    ...truth,
    subtotal: minus(truth.subtotal),
    total_tax: minus(truth.total_tax),
    total_amount: minus(truth.total_amount),
    line_items: truth.line_items.map((line) => ({ ...line, quantity: minus(line.quantity), total_amount: minus(line.total_amount) })),
  }
}
