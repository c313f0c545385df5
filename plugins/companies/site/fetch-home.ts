import { Fault, type Page, type Services } from '../../../core/sdk/index.js'

const PAGE_MS = 6_000
/** The maximum of `page.facts`. */
const MOST_BYTES = 5_000_000
const HEADERS = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5', 'accept-language': 'en-US,en;q=0.8,*;q=0.5' }

type Web = Pick<Services, 'web' | 'signal'>

/**
 * The home page of a domain: by https, else by http, and below `www.` when the name itself has no address. Throws a
 * `missing` Fault for a domain without a page, `blocked` for one that resolves to an internal address, refuses, or
 * (`unavailable`) does not answer.
 */
export async function fetchHome(host: string, ctx: Web): Promise<Page> {
  const first = await attempt(`https://${host}/`, ctx)
  if (!Fault.is(first)) return checked(first)
  const others = first.kind === 'missing' ? [`https://www.${host}/`] : first.unavailable ? [`http://${host}/`] : []
  for (const url of others) {
    const page = await attempt(url, ctx)
    if (!Fault.is(page)) return checked(page)
  }
  throw first
}

function checked(page: Page): Page {
  const { status, contentType, bytes } = page
  if (status === 404 || status === 410) throw new Fault('missing', 'the website has no home page')
  if (status === 429 || status >= 500)
    throw new Fault('blocked', `the website answered with status ${String(status)}`, { unavailable: true })
  if (status !== 200 && (status < 200 || status > 299))
    throw new Fault('blocked', `the website refused access with status ${String(status)}`)
  if (!/html|^$|text\/plain/.test(contentType) || bytes.length === 0) throw new Fault('missing', 'the home page is not an HTML page')
  return page
}

async function attempt(url: string, ctx: Web): Promise<Page | Fault> {
  try {
    return await ctx.web.get(url, { headers: HEADERS, maxBytes: MOST_BYTES, timeoutMs: PAGE_MS })
  } catch (error) {
    if (!Fault.is(error) || ctx.signal.aborted) throw error
    return error
  }
}
