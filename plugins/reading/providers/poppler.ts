import { Fault, provider } from '../../../core/sdk/index.js'
import { documentPages } from '../contract.js'
import { noteLosses } from '../../_vendors/losses.js'
import { POPPLER_LOSSES, poppler as vendor } from '../../_vendors/poppler.js'
import { pdfPages } from '../ocr/pdf-pages.js'
import { assertRead } from '../ocr/recognise.js'

const SOURCE = 'source.pdf'
/** Pixels of the longer side: models use no more of a page, and a letter of 10 points still has 19 pixels. */
const SIDE = 1_568
const DRAW_MS = 40_000
const MIB = 1024 * 1024
const MOST_MIB = 64

/** Pages of a PDF as JPEG. A file that is damaged, encrypted or not a PDF is an `invalid` Fault. */
export const poppler = provider(documentPages, {
  vendor,
  rank: 10,
  run: async ({ file, most }, context) => {
    const { count } = await pdfPages(context, file, 1)
    const drawn = await context.exec('pdftoppm', ['-f', '1', '-l', String(most), '-scale-to', String(SIDE), '-jpeg', SOURCE, 'page'], {
      files: [{ name: SOURCE, data: file }],
      timeoutMs: DRAW_MS,
      diskMb: MOST_MIB,
      collect: { maxFiles: most, maxBytes: MOST_MIB * MIB, into: 'scratch' },
    })
    assertRead(drawn, context)
    noteLosses(context, drawn.stderr, POPPLER_LOSSES)
    // Page numbers have as many digits as the last one.
    const pages = [...drawn.scratchFiles].sort((one, other) => (one.name < other.name ? -1 : 1))
    if (pages.length === 0) throw new Fault('invalid', 'No page of the file can be drawn.')
    return { pages: pages.map((page) => ({ file: page.file, content_type: 'image/jpeg' as const })), total: count }
  },
})
