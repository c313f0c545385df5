import { httpProvider, Type } from '../../../core/sdk/index.js'
import { valueAt, listAt } from '../../_shared/value-at.js'
import { apollo as vendor } from '../../_vendors/apollo.js'
import { companiesFirmographics } from '../contract.js'
import { emptyRecord } from '../record.js'
import { dollars } from '../values/money.js'
import { countOf, numberOf, placeOf, textAt, textOf, webAddress, yearOf } from '../values/read.js'
import { sizeOf } from '../values/size.js'
import { socialLinks } from '../values/social.js'

const PROFILES = ['linkedin_url', 'twitter_url', 'facebook_url', 'instagram_url', 'youtube_url', 'crunchbase_url'] as const

/** The organization of a domain. An unknown one is status 200 without an organization. Amounts are US dollars. */
export const apollo = httpProvider(companiesFirmographics, {
  vendor,
  rank: 30,
  request: ({ domain }) => ({ path: '/organizations/enrich', query: { domain } }),
  reply: Type.Object({ organization: Type.Optional(Type.Unknown()) }),
  map: ({ organization: found }) => {
    const name = textAt(found, 'name')
    if (name === null && textAt(found, 'id') === null) return null
    const employees = countOf(valueAt(found, 'estimated_num_employees'))
    const symbol = textAt(found, 'publicly_traded_symbol')
    const logo = webAddress(valueAt(found, 'logo_url'))
    return {
      ...emptyRecord(),
      company_name: name,
      domain: textAt(found, 'primary_domain'),
      description: textAt(found, 'short_description') ?? textAt(found, 'seo_description'),
      industry: textAt(found, 'industry'),
      company_size: sizeOf(employees),
      headquarters: textAt(found, 'raw_address') ?? placeOf(valueAt(found, 'city'), valueAt(found, 'state'), valueAt(found, 'country')),
      website: webAddress(valueAt(found, 'website_url')),
      founded_year: yearOf(valueAt(found, 'founded_year')),
      employees,
      annual_revenue: dollars(numberOf(valueAt(found, 'annual_revenue')), textAt(found, 'annual_revenue_printed')),
      total_funding: dollars(numberOf(valueAt(found, 'total_funding')), textAt(found, 'total_funding_printed')),
      latest_funding_stage: textAt(found, 'latest_funding_stage'),
      listing: symbol === null ? null : { symbol, exchange: textAt(found, 'publicly_traded_exchange') },
      social_links: socialLinks(PROFILES.map((field) => textAt(found, field))),
      technology_names: technologiesOf(found),
      logos: logo === null ? [] : [logo],
      icons: logo === null ? [] : [logo],
    }
  },
})

function technologiesOf(found: unknown): string[] {
  const names = listAt(found, 'technology_names').flatMap((name) => textOf(name) ?? [])
  return names.length > 0 ? names : listAt(found, 'current_technologies').flatMap((each) => textAt(each, 'name') ?? [])
}
