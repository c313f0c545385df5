import type { Services } from '../../../core/sdk/index.js'
import type { PartInput, PartOutput } from '../contract.js'
import { queryOrNull } from './dns/records.js'
import { dnsOf } from './dns/index.js'
import { fetchPage } from './page.js'
import { subdomainsOf } from './subdomains.js'
import { technologiesOf } from './technologies/technologies-of.js'
import { tlsOf } from './tls.js'

type Part = (input: PartInput, ctx: Services) => Promise<Partial<PartOutput> | null>

const NOTHING: PartOutput = { dns: null, tls: null, page: null, technologies: null, subdomains: null, names: null }

const PARTS: Readonly<Record<PartInput['part'], Part>> = {
  dns: async (input, ctx) => ({ dns: await dnsOf(input, ctx) }),
  tls: async ({ domain, depth }, ctx) => ({ tls: await tlsOf(domain, depth, ctx) }),
  page: async ({ domain, depth }, ctx) => ({ page: (await fetchPage(domain, { full: depth === 'full' }, ctx)).page }),
  technologies: async ({ domain }, ctx) => {
    const [{ page, bytes }, answer] = await Promise.all([fetchPage(domain, { full: false }, ctx), queryOrNull(domain, 'A', ctx)])
    const aliases = answer?.aliases ?? []
    return {
      page,
      technologies: await technologiesOf(
        { url: page.url, headers: page.headers, html: isMarkup(page.headers) ? bytes : new Uint8Array(), aliases },
        ctx,
      ),
    }
  },
  subdomains: async ({ domain, labels }, ctx) => ({ subdomains: await subdomainsOf(domain, labels, ctx) }),
  names: () => Promise.resolve(null),
}

/** One part of a site, as determined by the gateway itself. */
export async function partOf(input: PartInput, ctx: Services): Promise<PartOutput | null> {
  const found = await PARTS[input.part](input, ctx)
  return found === null ? null : { ...NOTHING, ...found }
}

/** False for media types of pictures and programs; a missing type may be markup. */
function isMarkup(headers: Readonly<Record<string, string>>): boolean {
  return /^(?:text\/|$)|html|xml/i.test(headers['content-type'] ?? '')
}
