import { Fault, provider } from '../../../core/sdk/index.js'
import { poppler as vendor } from '../../_vendors/poppler.js'
import { pictureBlank } from '../contract.js'
import { LIMITS } from '../limits.js'
import { blankPage } from '../parse/one-colour.js'

const [SOURCE, TEXT] = ['source.pdf', 'text']
/** Pixels per inch: an A4 page has 165 by 234, at which the smallest print still leaves grey. */
const DPI = 20
const { blankPages } = LIMITS
const DRAW = `pdftoppm -r ${String(DPI)} -gray -l ${String(blankPages)} ${SOURCE} page`
const READ = `pdftotext -enc UTF-8 ${SOURCE} ${TEXT}`

/** Renders the first pages at a small size, and extracts the text, in one run of the sandbox. */
export const poppler = provider(pictureBlank, {
  vendor,
  rank: 10,
  serves: ({ format }) => format === 'pdf',
  run: async ({ file, text }, context) => {
    const result = await context.exec('sh', ['-c', text ? `${DRAW} && ${READ}` : DRAW], {
      files: [{ name: SOURCE, data: file }],
      timeoutMs: LIMITS.seconds * 1000,
      memoryMb: LIMITS.memoryMb,
      collect: { maxFiles: blankPages + 1, maxBytes: LIMITS.bytes / 2, into: 'scratch' },
    })
    const made = [...result.scratchFiles].sort((one, other) => (one.name < other.name ? -1 : 1))
    const pages = made.filter(({ name }) => name !== TEXT)
    const blank: number[] = []
    for (const [at, page] of pages.entries()) {
      if (blankPage(await context.scratch.bytes(page.file, LIMITS.bytes / 2)) === true) blank.push(at + 1)
      await context.scratch.remove(page.file)
    }
    if (result.code !== 0 || pages.length === 0)
      throw new Fault(result.stopped === null ? 'invalid' : 'missing', 'The PDF cannot be read.', {
        internal: Buffer.from(result.stderr).toString().slice(-500),
      })
    return { pages: pages.length, blank, text: made.find(({ name }) => name === TEXT)?.file ?? null }
  },
})
