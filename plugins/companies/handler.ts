import { handle, type HandlerContext } from '../../core/sdk/index.js'
import { companiesFind, type Company } from './contract.js'
import { companyDomain } from './domain.js'
import { callPorts, type Answers } from './merge/answers.js'
import { combined } from './merge/combined.js'
import { positioning, type Positioning } from './merge/model.js'
import { provenance } from './merge/notes.js'
import { firstPicture } from './merge/pictures.js'
import { reason } from './merge/reason.js'
import type { CompanyRecord } from './record.js'
import { brandColours } from './values/colour.js'
import { handleOf } from './values/social.js'

/** Technologies of an answer. */
const MOST_TECHNOLOGIES = 200

/** Calls firmographics, brand and website in parallel and merges them; then checks the pictures, and asks a model for missing fields. */
export const companiesHandler = handle(companiesFind, async ({ domain: name, company_name }, ctx) => {
  const { name: host, domain } = companyDomain(name)
  const question = { domain, host, company_name }
  ctx.progress('looking', domain)
  const answers = await callPorts(question, ctx)
  const all = combined(answers)
  if (all === null || (all.record.company_name === null && all.record.description === null)) throw reason(domain, answers)
  const { record } = all
  sayWhatTheDomainIs({ domain, host }, answers, ctx)
  const [logo, icon, model] = await Promise.all([
    firstPicture(record.logos, record.answered, ctx),
    firstPicture(record.icons, record.answered, ctx),
    missingPositioning(record, answers, ctx),
  ])
  for (const note of provenance(all, [...answers.firmographics, ...answers.brand, ...answers.website])) ctx.note(note)
  if (model !== null && (model.value_proposition !== null || model.ideal_customers !== null))
    ctx.note('value_proposition and ideal_customers: what no vendor has was written by a model from the text of the website.')
  if (logo === null && record.logos.length > 0) ctx.note('logo_url: no address of a logo answered with a picture.')
  return companyOf(record, { domain, logo, icon, model })
})

function sayWhatTheDomainIs(
  { domain, host }: { readonly domain: string; readonly host: string },
  { site }: Pick<Answers, 'site'>,
  ctx: HandlerContext,
): void {
  if (host !== domain) ctx.note(`The company was looked up as ${domain}, the domain that ${host} stands below.`)
  if (site?.parked != null) ctx.note(`${domain} is parked: ${site.parked}; nothing is taken from it.`)
  if (site?.redirects_to != null) ctx.note(`${domain} redirects to ${site.redirects_to}.`)
}

async function missingPositioning(
  record: CompanyRecord,
  { site }: Pick<Answers, 'site'>,
  ctx: HandlerContext,
): Promise<Positioning | null> {
  if (record.value_proposition !== null && record.ideal_customers !== null) return null
  return await positioning(site?.text ?? '', ctx)
}

function companyOf(
  record: CompanyRecord,
  {
    domain,
    logo,
    icon,
    model,
  }: { readonly domain: string; readonly logo: string | null; readonly icon: string | null; readonly model: Positioning | null },
): Company {
  const [primary, secondary] = brandColours(record.colours)
  const { twitter, linkedin, instagram } = record.social_links
  return {
    company_name: record.company_name,
    domain,
    description: record.description,
    industry: record.industry,
    company_size: record.company_size,
    headquarters: record.headquarters,
    website: record.website,
    founded_year: record.founded_year,
    employees: record.employees,
    annual_revenue: record.annual_revenue?.amount ?? null,
    annual_revenue_printed: record.annual_revenue?.printed ?? null,
    total_funding: record.total_funding?.amount ?? null,
    total_funding_printed: record.total_funding?.printed ?? null,
    latest_funding_stage: record.latest_funding_stage,
    publicly_traded_symbol: record.listing?.symbol ?? null,
    publicly_traded_exchange: record.listing?.exchange ?? null,
    twitter_handle: handleOf('twitter', twitter),
    linkedin_handle: handleOf('linkedin', linkedin),
    instagram_handle: handleOf('instagram', instagram),
    social_links: record.social_links,
    technology_names: record.technology_names.slice(0, MOST_TECHNOLOGIES),
    primary_brand_color: primary,
    secondary_brand_color: secondary,
    logo_url: logo,
    icon_url: icon,
    company_kind: record.company_kind,
    is_claimed: record.is_claimed,
    value_proposition: record.value_proposition ?? model?.value_proposition ?? null,
    ideal_customers: record.ideal_customers ?? model?.ideal_customers ?? null,
  }
}
