import { Fault, provider, type Page, type Services } from '../../../core/sdk/index.js'
import { withoutFragment } from '../../_shared/address.js'
import { direct as vendor } from '../../_vendors/direct.js'
import { scrapeFetch, type Question, type ReadPage } from '../contract.js'
import { readDocument } from '../page/document.js'
import { extractHtml, toPage } from '../page/html.js'
import { kindOf } from '../page/kind.js'
import { statusFault } from '../page/status.js'
import { textPage } from '../page/text.js'

/** Limit for documents; pages and texts have their own, lower limit. */
const MAX_BYTES = 20 * 1024 * 1024
/** A media type that may be quoted in a message. */
const TYPE = /^(?:application|audio|font|image|model|video)\/[a-z0-9][a-z0-9.+-]{0,80}$/
const HEADERS = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,text/*;q=0.8,*/*;q=0.5',
  'accept-language': 'en-US,en;q=0.8,*;q=0.5',
}

export const direct = provider(scrapeFetch, {
  vendor,
  timeoutMs: ({ timeout }) => timeout * 1000 + 12_000,
  run: async (input, context) => {
    const first = await fetchPage(input.url, input, context)
    if ('page' in first) return first.page
    // A page may redirect once by a meta element; the next address passes the same guard.
    const second = await fetchPage(first.refresh, input, context)
    if ('page' in second) return second.page
    throw new Fault('blocked', 'the page redirects more than once by meta elements')
  },
})

async function fetchPage(url: string, input: Question, context: Services): Promise<{ page: ReadPage } | { refresh: string }> {
  const got = await context.web.get(url, { headers: HEADERS, maxBytes: MAX_BYTES, timeoutMs: input.timeout * 1000 })
  const kind = kindOf(got.contentType, got.bytes, new URL(got.url).pathname)
  const refused = statusFault(got.status, got.headers['retry-after'])
  // A bot check may use the same statuses as a temporarily unavailable site.
  if (refused !== null && !(refused.unavailable && kind === 'html')) throw refused
  switch (kind) {
    case 'html':
      return readMarkup(got, input, context)
    case 'text':
      return { page: plain(await textPage(context, got, input.output), input) }
    case 'pdf':
    case 'docx':
    case 'office':
      return { page: plain(await readDocument(context, got, input), input) }
    default:
      throw new Fault(
        'blocked',
        `the address holds a file of type ${TYPE.test(got.contentType) ? got.contentType : 'unknown'}, which is not text`,
      )
  }
}

async function readMarkup(got: Page, input: Question, context: Services): Promise<{ page: ReadPage } | { refresh: string }> {
  const wanted = { url: input.url, output: input.output, selector: input.wait_for, unscripted: true } as const
  const found = await extractHtml(context, { html: got, url: got.url, status: got.status, retryAfter: got.headers['retry-after'] }, wanted)
  if (found.refresh !== null && withoutFragment(found.refresh) !== withoutFragment(got.url)) return { refresh: found.refresh }
  return { page: toPage(context, found, wanted) }
}

/** Content other than HTML has no elements to wait for. */
function plain(page: ReadPage, input: Question): ReadPage {
  if (input.wait_for !== null) throw new Fault('missing', 'wait_for: the address holds a document without elements')
  return page
}
