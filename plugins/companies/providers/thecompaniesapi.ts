import { httpProvider, Type } from '../../../core/sdk/index.js'
import { thecompaniesapi as vendor } from '../../_vendors/thecompaniesapi.js'
import { companiesFirmographics } from '../contract.js'
import { emptyRecord, type CompanyRecord } from '../record.js'
import { kindOf } from '../values/kind.js'
import { dollars, lowerEnd } from '../values/money.js'
import { at, countOf, listAt, placeOf, textAt, textOf, webAddress, yearOf } from '../values/read.js'
import { sizeOf, sizeOfBand } from '../values/size.js'
import { socialLinks } from '../values/social.js'

const NETWORKS = ['linkedin', 'twitter', 'facebook', 'instagram', 'youtube', 'github'] as const

/** A record by domain; any group of it may be missing. */
export const thecompaniesapi = httpProvider(companiesFirmographics, {
  vendor,
  rank: 10,
  request: ({ domain }) => ({ path: `/v2/companies/${encodeURIComponent(domain)}` }),
  reply: Type.Object({ about: Type.Optional(Type.Unknown()), domain: Type.Optional(Type.Unknown()) }),
  map: (reply) => {
    if (textAt(reply, 'about', 'name') === null && textAt(reply, 'domain', 'domain') === null) return null
    const employees = countOf(at(reply, 'about', 'totalEmployeesExact'))
    const logo = webAddress(at(reply, 'assets', 'logoSquare', 'src'))
    return {
      ...emptyRecord(),
      company_name: textAt(reply, 'about', 'name') ?? textAt(reply, 'about', 'nameLegal'),
      domain: textAt(reply, 'domain', 'domain'),
      description:
        textAt(reply, 'descriptions', 'primary') ?? textAt(reply, 'descriptions', 'website') ?? textAt(reply, 'descriptions', 'tagline'),
      industry: textAt(reply, 'about', 'industry'),
      company_size: sizeOf(employees) ?? sizeOfBand(textAt(reply, 'about', 'totalEmployees')),
      headquarters: headquartersOf(at(reply, 'locations', 'headquarters')),
      website: webAddress(at(reply, 'urls', 'website')),
      founded_year: yearOf(at(reply, 'about', 'yearFounded')),
      employees,
      ...revenueOf(textAt(reply, 'finances', 'revenue')),
      listing: listingOf(textAt(reply, 'finances', 'stockSymbol'), textAt(reply, 'finances', 'stockExchange')),
      social_links: socialLinks(NETWORKS.map((network) => textAt(reply, 'socials', network, 'url'))),
      technology_names: listAt(reply, 'technologies', 'active').flatMap((name) => textOf(name) ?? []),
      colours: [textAt(reply, 'assets', 'colorPrimary')].filter((colour) => colour !== null),
      logos: logo === null ? [] : [logo],
      icons: logo === null ? [] : [logo],
      company_kind: kindOf(textAt(reply, 'about', 'businessType')),
    }
  },
})

function headquartersOf(place: unknown): string | null {
  return placeOf(at(place, 'city', 'name'), at(place, 'state', 'name'), at(place, 'country', 'name')) ?? textAt(place, 'address', 'raw')
}

/** A band, whose lower end is the amount. */
function revenueOf(band: string | null): Pick<CompanyRecord, 'annual_revenue' | 'remarks'> {
  if (band === null) return { annual_revenue: null, remarks: [] }
  const amount = lowerEnd(band)
  const remarks = amount === null ? [] : [{ field: 'annual_revenue', text: 'the lower end of a band' }]
  return { annual_revenue: dollars(amount, band), remarks }
}

function listingOf(symbol: string | null, exchange: string | null): CompanyRecord['listing'] {
  return symbol === null ? null : { symbol, exchange }
}
