import { provider, type Services } from '../../../core/sdk/index.js'
import { local as vendor } from '../../_vendors/local.js'
import { sitesParts, type PartInput, type PartOutput } from '../contract.js'
import { asked } from '../parts/dns/records.js'
import { dnsOf } from '../parts/dns/index.js'
import { fetchPage } from '../parts/page.js'
import { subdomainsOf } from '../parts/subdomains.js'
import { technologiesOf } from '../parts/technologies/technologies-of.js'
import { tlsOf } from '../parts/tls.js'

type Part = (input: PartInput, ctx: Services) => Promise<Partial<PartOutput> | null>

const NOTHING: PartOutput = { dns: null, tls: null, page: null, technologies: null, subdomains: null, names: null }

const PARTS: Readonly<Record<PartInput['part'], Part>> = {
  dns: async (input, ctx) => ({ dns: await dnsOf(input, ctx) }),
  tls: async ({ domain, depth }, ctx) => ({ tls: await tlsOf(domain, depth, ctx) }),
  page: async ({ domain, depth }, ctx) => ({ page: (await fetchPage(domain, { full: depth === 'full' }, ctx)).page }),
  technologies: async ({ domain }, ctx) => {
    const [{ page, bytes }, answer] = await Promise.all([fetchPage(domain, { full: false }, ctx), asked(domain, 'A', ctx)])
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

/** The gateway's own look at a domain: DNS, TLS handshakes, the home page. */
export const local = provider(sitesParts, {
  vendor,
  rank: 10,
  serves: ({ part }) => part !== 'names',
  run: async (input, ctx) => {
    const found = await PARTS[input.part](input, ctx)
    return found === null ? null : { ...NOTHING, ...found }
  },
})

/** Pictures and programs have no markup; what names no type may have. */
function isMarkup(headers: Readonly<Record<string, string>>): boolean {
  return /^(?:text\/|$)|html|xml/i.test(headers['content-type'] ?? '')
}
