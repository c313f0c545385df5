import { Fault, parseUrl, type Page, type Services } from '../../../core/sdk/index.js'
import type { SitePage } from '../shapes/page.js'
import { attempt } from './attempt.js'

/** Time of each request; a page that takes longer is not read. */
const PAGE_MS = 5_000
const PLAIN_MS = 4_000
/** Larger pages are asked for their headers alone. */
const MOST_BYTES = 2 * 1024 * 1024
/** Redirects of the plain http address that are followed. */
const HOPS = 3
const HEADERS = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'accept-language': 'en;q=0.8,*;q=0.5' }

/** The home page of a host, and its bytes; none where only the headers could be had. */
interface FetchedPage {
  readonly page: SitePage
  readonly bytes: Uint8Array
}

/**
 * Fetches the home page by https, with an untrusted certificate too, else by plain http. `full` also looks where the plain http address leads. Throws a `missing` Fault for an unknown
 * host, `blocked` for one that points inside or answers neither.
 */
export async function fetchPage(host: string, { full }: { readonly full: boolean }, ctx: Services): Promise<FetchedPage> {
  const [secure, plainHttp] = await Promise.all([secureOrUntrusted(host, ctx), full ? plainLeadsTo(host, ctx) : NOT_ASKED])
  if (!Fault.is(secure))
    return { page: pageOf(secure.read, { plainHttp, failed: null, untrusted: secure.untrusted }), bytes: secure.read.bytes }
  // Only what https itself lacks is worth a second request.
  if (secure.kind === 'missing') throw secure
  const plain = await attempt(() => got(`http://${host}/`, ctx), ctx)
  if (Fault.is(plain)) throw secure
  return { page: pageOf(plain, { plainHttp, failed: secure.message, untrusted: null }), bytes: plain.bytes }
}

/** The page by https, and why its certificate is not trusted where it is not; else the Fault of the last attempt. */
async function secureOrUntrusted(host: string, ctx: Services): Promise<{ readonly read: Page; readonly untrusted: string | null } | Fault> {
  const url = `https://${host}/`
  const strict = await attempt(() => got(url, ctx), ctx)
  if (!Fault.is(strict)) return { read: strict, untrusted: null }
  if (strict.obstacle !== 'untrusted') return strict
  const read = await attempt(() => got(url, ctx, { untrustedTls: true }), ctx)
  return Fault.is(read) ? read : { read, untrusted: strict.message }
}

/** Any status is an answer; a page that is too large is asked for its headers alone. */
async function got(url: string, ctx: Services, more: { readonly untrustedTls?: boolean } = {}): Promise<Page> {
  const options = { ...more, headers: HEADERS, timeoutMs: PAGE_MS, maxBytes: MOST_BYTES }
  try {
    return await ctx.web.get(url, options)
  } catch (error) {
    if (!Fault.is(error) || error.obstacle !== 'too-large' || ctx.signal.aborted) throw error
    return await ctx.web.get(url, { ...options, method: 'HEAD' })
  }
}

type PlainHttp = Pick<SitePage, 'http_leads_to' | 'http_unknown'>

const NOT_ASKED: PlainHttp = { http_leads_to: null, http_unknown: null }

/** A connection that is refused, or an answer that does not come, is none; what else goes wrong says nothing of plain http. */
async function plainLeadsTo(host: string, ctx: Services): Promise<PlainHttp> {
  let url = `http://${host}/`
  for (let hop = 0; hop < HOPS && url.startsWith('http:'); hop++) {
    const from = url
    const page = await attempt(
      () => ctx.web.get(from, { method: 'HEAD', headers: HEADERS, timeoutMs: PLAIN_MS, maxBytes: MOST_BYTES, maxRedirects: 0 }),
      ctx,
    )
    if (Fault.is(page)) {
      if (page.obstacle !== 'refused' && page.obstacle !== 'silent') return { http_leads_to: null, http_unknown: page.message }
      return { http_leads_to: hop === 0 ? null : from, http_unknown: null }
    }
    const next = page.status >= 300 && page.status < 400 ? parseUrl(page.headers.location ?? '', from) : null
    if (next === null || !/^https?:$/.test(next.protocol)) return { http_leads_to: from, http_unknown: null }
    url = next.href
  }
  return { http_leads_to: url, http_unknown: null }
}

function pageOf(
  { url, status, headers }: Page,
  { plainHttp, failed, untrusted }: { readonly plainHttp: PlainHttp; readonly failed: string | null; readonly untrusted: string | null },
): SitePage {
  return { url, host: parseUrl(url)?.hostname ?? '', status, headers: { ...headers }, ...plainHttp, https_failed: failed, untrusted }
}
