import { provider } from '../../../core/sdk/index.js'
import { website as vendor } from '../../_vendors/website.js'
import { companiesWebsite } from '../contract.js'
import { emptyRecord } from '../record.js'
import { furtherPages } from '../site/further-pages.js'
import { siteOf } from '../site/site.js'
import { sizeOf } from '../values/size.js'

/** Facts about the company on the home page, and on at most two linked pages, from metadata, structured data and text. */
export const website = provider(companiesWebsite, {
  vendor,
  rank: 10,
  timeoutMs: 20_000,
  run: async (question, ctx) => {
    const { url, redirects_to, parked, text, ...site } = await siteOf(question, ctx)
    const about = { url, redirects_to, parked }
    if (parked !== null) return { ...about, company: emptyRecord(), text: '' }
    const further = await furtherPages(site.further, question.domain, ctx)
    const employees = site.employees ?? further.organization?.employees ?? null
    const company = {
      ...emptyRecord(),
      company_name: site.name,
      description: site.description ?? further.organization?.description ?? null,
      industry: site.industry ?? further.organization?.industry ?? null,
      company_size: sizeOf(employees),
      headquarters: site.headquarters ?? further.organization?.headquarters ?? further.address,
      website: new URL('/', url).href.replace(/\/$/, ''),
      founded_year: site.founded_year ?? further.organization?.founded ?? further.founded,
      employees,
      listing: listingOf(site.ticker ?? further.organization?.ticker ?? null),
      social_links: site.social_links,
      technology_names: site.technologies,
    }
    return { ...about, company, text: [text, further.text].filter((each) => each !== '').join('\n') }
  },
})

/** `NYSE:ACME`, or the symbol alone. */
function listingOf(ticker: string | null) {
  const [, exchange, symbol] = /^(?:([\p{L}\p{N} ]{2,30}):\s?)?([A-Za-z0-9.-]{1,12})$/u.exec(ticker ?? '') ?? []
  return symbol === undefined ? null : { symbol, exchange: exchange ?? null }
}
