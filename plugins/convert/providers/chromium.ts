import { Fault, parseUrl, provider } from '../../../core/sdk/index.js'
import { chromium as vendor } from '../../_vendors/chromium.js'
import { browserPicture, FORMATS } from '../../browser/contract.js'
import { convertVendors } from '../contract.js'
import { CHROMIUM } from '../pairs/chromium.js'
import { makes } from '../pairs/pairs.js'
import { resultOf } from '../result.js'

/** Address of the rendered page: this domain never resolves (RFC 6761, 6.4), so relative references are not found. */
const ADDRESS = 'https://page.invalid/'
/** Leaves the rest of the call to a later engine. */
const PAGE_MS = 60_000

/**
 * Renders a page with its styles and scripts on A4 sheets, or as a picture of its full length. Absolute web addresses
 * are loaded through the guard.
 */
export const chromium = provider(convertVendors, {
  vendor,
  uses: [browserPicture],
  rank: 5,
  serves: ({ from, to }) => makes(CHROMIUM, from, to),
  run: async ({ file, from, to }, ctx) => {
    const format = FORMATS.find((each) => each === to)
    if (format === undefined) throw new Fault('invalid', `Chromium makes no ${to} files here.`)
    ctx.progress('converting', to)
    const renderInput = { url: ADDRESS, html: file, timeout_ms: PAGE_MS, format, full_page: true }
    const made = await ctx.call(browserPicture, renderInput).catch((error: unknown) => {
      // A file that a browser rejects or does not display may be read by another engine.
      throw Fault.is(error) && error.kind === 'invalid'
        ? new Fault('missing', error.message, { cause: error, costly: error.costly })
        : error
    })
    if (parseUrl(made.final_url)?.hostname !== parseUrl(ADDRESS)?.hostname)
      throw new Fault('missing', 'The page goes on to another address, and so has no picture of its own.')
    for (const note of made.notes) ctx.note(note)
    return await resultOf(ctx, { source: { file, from }, files: [made.file], to })
  },
})
