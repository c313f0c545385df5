import { provider } from '../../../core/sdk/index.js'
import { browserRender } from '../../browser/contract.js'
import { chromium as vendor } from '../../_vendors/chromium.js'
import { scrapeFetch, scrapeRender } from '../contract.js'
import { readHtml } from '../page/html.js'
import { storePicture } from '../page/picture.js'
import { statusFault } from '../page/status.js'

const HTML = /^(?:text\/html|application\/xhtml\+xml|)$/

export const chromium = provider(scrapeRender, {
  vendor,
  rank: 10,
  run: async (input, context) => {
    const { url, wait_for, timeout } = input
    const seen = await context.call(browserRender, {
      url,
      wait_for,
      timeout_ms: timeout * 1000,
      screenshot: input.screenshot ? 'png' : null,
    })
    const refused = statusFault(seen.status)
    if (refused !== null) throw refused
    // Documents, JSON and the like need no browser: their bytes are read as in fast mode.
    if (!HTML.test(seen.content_type)) return context.call(scrapeFetch, { url: seen.final_url, output: input.output, wait_for, timeout })
    const page = await readHtml(
      context,
      { html: seen.html, url: seen.final_url, status: seen.status },
      { url, output: input.output, selector: null },
    )
    return { ...page, title: page.title ?? seen.title, screenshot_url: await storePicture(context, seen.screenshot, url) }
  },
})
