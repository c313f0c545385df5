import { Fault, parseUrl, type Page, type Services } from '../../../core/sdk/index.js'
import type { SitePage } from '../shapes/page.js'
import { attempt } from './attempt.js'

/** Time limit of each request; a slower page is not read. */
const PAGE_MS = 5_000
const PLAIN_MS = 4_000
/** For larger pages only the headers are requested. */
const MOST_BYTES = 2 * 1024 * 1024
/** Most redirects followed from the plain http address. */
const HOPS = 3
const HEADERS = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'accept-language': 'en;q=0.8,*;q=0.5' }

/** The home page of a host, and its bytes; empty when only the headers are available. */
interface FetchedPage {
  readonly page: SitePage
  readonly bytes: Uint8Array
}

/**
 * Fetches the home page by https, even with an untrusted certificate, else by plain http. `full` also checks the
 * target of the plain http address. Throws a `missing` Fault for an unknown host, `blocked` for one that resolves to
 * an internal address or answers neither.
 */
export async function fetchPage(host: string, { full }: { readonly full: boolean }, ctx: Services): Promise<FetchedPage> {
  const [secure, plainHttp] = await Promise.all([secureOrUntrusted(host, ctx), full ? plainLeadsTo(host, ctx) : NOT_ASKED])
  if (!Fault.is(secure))
    return { page: pageOf(secure.read, { plainHttp, failed: null, untrusted: secure.untrusted }), bytes: secure.read.bytes }
  // Only a failure of https itself justifies a second request.
  if (secure.kind === 'missing') throw secure
  const plain = await attempt(() => got(`http://${host}/`, ctx), ctx)
  if (Fault.is(plain)) throw secure
  return { page: pageOf(plain, { plainHttp, failed: secure.message, untrusted: null }), bytes: plain.bytes }
}

/** The page by https, and why its certificate is untrusted, if so; else the Fault of the last attempt. */
async function secureOrUntrusted(host: string, ctx: Services): Promise<{ readonly read: Page; readonly untrusted: string | null } | Fault> {
  const url = `https://${host}/`
  const strict = await attempt(() => got(url, ctx), ctx)
  if (!Fault.is(strict)) return { read: strict, untrusted: null }
  if (strict.obstacle !== 'untrusted') return strict
  const read = await attempt(() => got(url, ctx, { untrustedTls: true }), ctx)
  return Fault.is(read) ? read : { read, untrusted: strict.message }
}

/** Any status is an answer; for a page that is too large only the headers are requested. */
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

/** A refused connection or a missing answer means none; other errors prove nothing about plain http. */
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
