import { Fault, type Services, type Static } from '../../../core/sdk/index.js'
import type { browserRender } from '../../browser/contract.js'
import { scrapeFetch, type Question, type ReadPage } from '../contract.js'
import { readHtml } from './html.js'
import { storePictureFile } from './picture.js'
import { WAIT_REMEDY } from './remedies.js'
import { statusFault } from './status.js'

const HTML = /^(?:text\/html|application\/xhtml\+xml|)$/

/** The input of `browser.render` and `browser.stealth` for a page. */
export function browserQuestion({ url, wait_for, timeout, screenshot, scroll }: Question) {
  // When `wait_for` matches nothing, the page is still read: it may be a check or refusal, which is reported instead.
  const common = { url, wait_for, timeout_ms: timeout * 1000, scroll, must_match: false }
  return { ...common, screenshot: screenshot ? ('png' as const) : null, full_page: screenshot }
}

/** A browser's result as readable text. Faults as `readHtml`, and `missing` when `wait_for` matched nothing. */
export async function renderedPage(context: Services, seen: Static<typeof browserRender.output>, input: Question): Promise<ReadPage> {
  const { url, wait_for, output, timeout } = input
  // Documents, JSON and the like need no browser: their bytes are read as in fast mode.
  if (!HTML.test(seen.content_type)) {
    const refused = statusFault(seen.status)
    if (refused !== null) throw refused
    return context.call(scrapeFetch, { url: seen.final_url, output, wait_for, timeout })
  }
  const page = await readHtml(context, { html: seen.html, url: seen.final_url, status: seen.status }, { url, output, selector: null })
  if (seen.matched === false)
    throw new Fault('missing', `wait_for: no element of the page matched ${JSON.stringify(wait_for)} in ${timeout} s`, {
      costly: true,
      remedy: WAIT_REMEDY,
    })
  return { ...page, title: page.title ?? seen.title, screenshot_url: await storePictureFile(context, seen.screenshot, url) }
}
