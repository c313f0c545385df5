import { provider, Type } from '../../../core/sdk/index.js'
import { valueAt } from '../../_shared/value-at.js'
import { peopledatalabs as vendor } from '../../_vendors/peopledatalabs.js'
import { companiesFirmographics } from '../contract.js'
import { emptyRecord, type CompanyRecord } from '../record.js'
import { kindOf } from '../values/kind.js'
import { dollars } from '../values/money.js'
import { countOf, numberOf, textAt, webAddress, yearOf } from '../values/read.js'
import { sizeOf, sizeOfBand } from '../values/size.js'
import { socialLinks } from '../values/social.js'

const reply = Type.Object({ status: Type.Number() })

/**
 * The company of a website, one credit each. Its fields are beside the status; those outside the plan are true or
 * false instead of a value.
 */
export const peopledatalabs = provider(companiesFirmographics, {
  vendor,
  rank: 20,
  timeoutMs: 10_000,
  run: async ({ domain, company_name: name }, ctx) => {
    const query = { website: domain, ...(name === null ? {} : { name }), titlecase: true }
    const found = await ctx.api.json({ path: '/company/enrich', query }, reply)
    ctx.cost(1, 'credits')
    // Without a website only the name may have matched, which other companies share.
    return name !== null && textAt(found, 'website') === null ? null : recordOf(found)
  },
})

function recordOf(reply: unknown): CompanyRecord | null {
  const name = textAt(reply, 'display_name') ?? textAt(reply, 'name')
  if (name === null && textAt(reply, 'website') === null) return null
  const employees = countOf(valueAt(reply, 'employee_count'))
  const symbol = textAt(reply, 'ticker')
  return {
    ...emptyRecord(),
    company_name: name,
    domain: textAt(reply, 'website'),
    description: textAt(reply, 'summary') ?? textAt(reply, 'headline'),
    industry: textAt(reply, 'industry'),
    company_size: sizeOf(employees) ?? sizeOfBand(textAt(reply, 'size')),
    headquarters: textAt(reply, 'location', 'name'),
    website: webAddress(valueAt(reply, 'website')),
    founded_year: yearOf(valueAt(reply, 'founded')),
    employees,
    annual_revenue: dollars(null, textAt(reply, 'inferred_revenue')),
    total_funding: dollars(numberOf(valueAt(reply, 'total_funding_raised'))),
    latest_funding_stage: textAt(reply, 'latest_funding_stage'),
    listing: symbol === null ? null : { symbol, exchange: textAt(reply, 'mic_exchange') },
    social_links: socialLinks(['linkedin_url', 'twitter_url', 'facebook_url'].map((field) => textAt(reply, field))),
    company_kind: kindOf(textAt(reply, 'type')),
  }
}
