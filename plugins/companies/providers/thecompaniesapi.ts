import { isRecord, provider, Type } from '../../../core/sdk/index.js'
import { valueAt, listAt } from '../../_shared/value-at.js'
import { thecompaniesapi as vendor } from '../../_vendors/thecompaniesapi.js'
import { companiesFirmographics } from '../contract.js'
import { emptyRecord, type CompanyRecord } from '../record.js'
import { kindOf } from '../values/kind.js'
import { dollars, lowerEnd } from '../values/money.js'
import { countOf, numberOf, placeOf, textAt, textOf, webAddress, yearOf } from '../values/read.js'
import { sizeOf, sizeOfBand } from '../values/size.js'
import { socialLinks } from '../values/social.js'

const Reply = Type.Object({ about: Type.Optional(Type.Unknown()), domain: Type.Optional(Type.Unknown()) })

/** A record by domain, which states its cost. */
export const thecompaniesapi = provider(companiesFirmographics, {
  vendor,
  rank: 10,
  run: async ({ domain }, ctx) => {
    const reply = await ctx.api.json({ path: `/v2/companies/${encodeURIComponent(domain)}` }, Reply)
    const cost = numberOf(valueAt(reply, 'meta', 'cost'))
    if (cost !== null && cost > 0) ctx.cost(cost, 'credits')
    return recordOf(reply)
  },
})

/** Any group of the record may be missing. */
function recordOf(reply: unknown): CompanyRecord | null {
  if (textAt(reply, 'about', 'name') === null && textAt(reply, 'domain', 'domain') === null) return null
  const employees = countOf(valueAt(reply, 'about', 'totalEmployeesExact'))
  const logo = webAddress(valueAt(reply, 'assets', 'logoSquare', 'src'))
  return {
    ...emptyRecord(),
    company_name: textAt(reply, 'about', 'name') ?? textAt(reply, 'about', 'nameLegal'),
    domain: textAt(reply, 'domain', 'domain'),
    description:
      textAt(reply, 'descriptions', 'primary') ?? textAt(reply, 'descriptions', 'website') ?? textAt(reply, 'descriptions', 'tagline'),
    industry: textAt(reply, 'about', 'industry'),
    company_size: sizeOf(employees) ?? sizeOfBand(textAt(reply, 'about', 'totalEmployees')),
    headquarters: headquartersOf(valueAt(reply, 'locations', 'headquarters')),
    website: webAddress(valueAt(reply, 'urls', 'website')),
    founded_year: yearOf(valueAt(reply, 'about', 'yearFounded')),
    employees,
    ...revenueOf(textAt(reply, 'finances', 'revenue')),
    listing: listingOf(textAt(reply, 'finances', 'stockSymbol'), textAt(reply, 'finances', 'stockExchange')),
    social_links: socialLinks(profilesOf(valueAt(reply, 'socials'))),
    technology_names: listAt(reply, 'technologies', 'active').flatMap((name) => textOf(name) ?? []),
    colours: [textAt(reply, 'assets', 'colorPrimary')].filter((colour) => colour !== null),
    logos: logo === null ? [] : [logo],
    icons: logo === null ? [] : [logo],
    company_kind: kindOf(textAt(reply, 'about', 'businessType')),
  }
}

function headquartersOf(place: unknown): string | null {
  return (
    placeOf(valueAt(place, 'city', 'name'), valueAt(place, 'state', 'name'), valueAt(place, 'country', 'name')) ??
    textAt(place, 'address', 'raw')
  )
}

function profilesOf(socials: unknown): (string | null)[] {
  return isRecord(socials) ? Object.values(socials).map((profile) => textAt(profile, 'url')) : []
}

/** A band; its lower end is the amount. */
function revenueOf(band: string | null): Pick<CompanyRecord, 'annual_revenue' | 'remarks'> {
  if (band === null) return { annual_revenue: null, remarks: [] }
  const amount = lowerEnd(band)
  const remarks = amount === null ? [] : [{ field: 'annual_revenue', text: 'the lower end of a band' }]
  return { annual_revenue: dollars(amount, band), remarks }
}

function listingOf(symbol: string | null, exchange: string | null): CompanyRecord['listing'] {
  return symbol === null ? null : { symbol, exchange }
}
