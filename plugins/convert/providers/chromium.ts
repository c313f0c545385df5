import { Fault, parseUrl, provider } from '../../../core/sdk/index.js'
import { chromium as vendor } from '../../_vendors/chromium.js'
import { browserPicture, FORMATS } from '../../browser/contract.js'
import { convertVendors } from '../contract.js'
import { CHROMIUM } from '../pairs/chromium.js'
import { makes } from '../pairs/pairs.js'
import { resultOf } from '../result.js'

/** Where the page is shown: nobody has a name in this domain (RFC 6761, 6.4), so that what it names beside itself is not found. */
const ADDRESS = 'https://page.invalid/'
/** Leaves the rest of the call to an engine that comes after. */
const PAGE_MS = 60_000

/**
 * A page with its styles and what its scripts make, on sheets of A4 or as a picture of its whole length. What it names by an address of the web
 * is loaded through the guard.
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
    const asked = { url: ADDRESS, html: file, timeout_ms: PAGE_MS, format, full_page: true }
    const made = await ctx.call(browserPicture, asked).catch((error: unknown) => {
      // What a browser is not given, or does not show, another engine may read.
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
