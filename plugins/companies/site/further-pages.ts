import { Fault, parseUrl, type Services } from '../../../core/sdk/index.js'
import type { Home, HomeInput } from '../work/home.js'
import { factsOf } from './facts-of.js'
import type { FurtherLink } from './further-links.js'
import { organizationIn, type Organization } from './organization.js'

const HOME = new URL('../work/home.js', import.meta.url)
const PAGE_MS = 3_000
const WORK_MS = 8_000
const MOST_BYTES = 2_000_000
const HEADERS = { accept: 'text/html,application/xhtml+xml;q=0.9', 'accept-language': 'en-US,en;q=0.8,*;q=0.5' }

/** Content of further pages of a company's website. */
interface FurtherPages {
  readonly organization: Organization | null
  readonly address: string | null
  readonly founded: number | null
  /** Readable text of the page about the company. */
  readonly text: string
}

type Read = Pick<Home, 'address' | 'founded' | 'text'> & { readonly organization: Organization | null }

/** Reads pages in parallel. One that is unavailable, or leads to another host, is a remark. Throws only when the call ends. */
export async function furtherPages(links: readonly FurtherLink[], domain: string, ctx: Services): Promise<FurtherPages> {
  const read = await Promise.all(
    links.map(async (link): Promise<Read | null> => {
      try {
        return await pageAt(link, domain, ctx)
      } catch (error) {
        if (!Fault.is(error) || ctx.signal.aborted) throw error
        ctx.note(`website: ${link.url} was not read: ${error.message}.`)
        return null
      }
    }),
  )
  const pages = read.filter((page) => page !== null)
  const first = <T>(of: (page: Read) => T | null): T | null => pages.map(of).find((value) => value !== null) ?? null
  return {
    organization: first(({ organization }) => organization),
    address: first(({ address }) => address),
    founded: first(({ founded }) => founded),
    text: read[links.findIndex(({ kind }) => kind === 'about')]?.text ?? '',
  }
}

async function pageAt({ url, kind }: FurtherLink, domain: string, ctx: Services): Promise<Read> {
  const page = await ctx.web.get(url, { headers: HEADERS, maxBytes: MOST_BYTES, timeoutMs: PAGE_MS, maxRedirects: 3 })
  if (parseUrl(page.url)?.hostname !== parseUrl(url)?.hostname) throw new Fault('missing', 'it leads to another host')
  if (page.status !== 200) throw new Fault('missing', `it answered with status ${String(page.status)}`)
  if (!/html/.test(page.contentType)) throw new Fault('missing', 'it is not an HTML page')
  const { bytes, charset } = page
  const isStructured = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('ld+json')
  const [home, organization] = await Promise.all([
    ctx.work<Home>(HOME, { bytes, charset, url: page.url, kind } satisfies HomeInput, { timeoutMs: WORK_MS }),
    isStructured ? factsOf({ bytes, charset, url: page.url }, ctx).then((facts) => organizationIn(facts, domain)) : null,
  ])
  return { ...home, organization }
}
