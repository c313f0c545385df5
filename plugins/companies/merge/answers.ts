import type { Fault, HandlerContext, PortAnswer } from '../../../core/sdk/index.js'
import { companiesBrand, companiesFirmographics, companiesWebsite, type Question, type WebsiteAnswer } from '../contract.js'
import { registrableOf } from '../domain.js'
import type { CompanyRecord } from '../record.js'

/** Limits of the three parts, which run in parallel. */
const PART_MS = 12_000
/** Added to the limit of a gather, so that its partial result is kept. */
const SLACK_MS = 1_000

export interface Answer {
  readonly provider: string
  readonly data: CompanyRecord
}

/** The answers of the three ports. */
export interface Answers {
  readonly firmographics: readonly Answer[]
  readonly brand: readonly Answer[]
  readonly website: readonly Answer[]
  /** The website itself; null when it could not be read. */
  readonly site: WebsiteAnswer | null
  /** The Faults of the parts without an answer. */
  readonly faults: Readonly<Partial<Record<PartName, Fault>>>
}

type PartName = 'firmographics' | 'brand' | 'website'

interface Part<T> {
  readonly answers: readonly PortAnswer<T>[]
  readonly fault: Fault | null
}

/** Calls the three ports in parallel. A part without an answer is empty, with a remark. */
export async function callPorts(question: Question, ctx: HandlerContext): Promise<Answers> {
  const options = { withinMs: PART_MS }
  const [firmographics, brand, website] = await Promise.all([
    part('firmographics', ctx, (side) => side.gather(companiesFirmographics, question, options)),
    part('brand', ctx, (side) => side.gather(companiesBrand, question, options)),
    part('website', ctx, (side) => side.gather(companiesWebsite, question, options)),
  ])
  const sites = website.answers
  const site = sites[0]?.data ?? null
  const own = [question.domain, site?.redirects_to ?? null]
  const kept = (answers: readonly PortAnswer<CompanyRecord>[]) => answers.filter((answer) => isAbout(answer, own, ctx))
  return {
    firmographics: kept(firmographics.answers),
    brand: kept(brand.answers),
    website: sites.map(({ provider, data }) => ({ provider, data: data.company })),
    site,
    faults: {
      ...(firmographics.fault === null ? {} : { firmographics: firmographics.fault }),
      ...(brand.fault === null ? {} : { brand: brand.fault }),
      ...(website.fault === null ? {} : { website: website.fault }),
    },
  }
}

async function part<T>(name: PartName, ctx: HandlerContext, ask: (side: HandlerContext) => Promise<PortAnswer<T>[]>): Promise<Part<T>> {
  const failures: Fault[] = []
  const answers = await ctx.aside(ask, { withinMs: PART_MS + SLACK_MS, onFailure: (fault) => failures.push(fault) })
  if (answers === null) ctx.note(`${name}: nobody had an answer; this part is left out.`)
  return { answers: answers ?? [], fault: failures[0] ?? null }
}

/** Vendors also match by name and follow redirects: a record of another domain is another company. */
function isAbout({ provider, data }: PortAnswer<CompanyRecord>, own: readonly (string | null)[], ctx: HandlerContext): boolean {
  const domain = registrableOf(data.domain)
  if (domain === null || own.includes(domain)) return true
  ctx.note(`${provider}: its record is about ${domain} and is left out.`)
  return false
}
