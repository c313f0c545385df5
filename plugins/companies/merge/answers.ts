import { Fault, type HandlerContext, type PortAnswer } from '../../../core/sdk/index.js'
import { companiesBrand, companiesFirmographics, companiesWebsite, type Question, type WebsiteAnswer } from '../contract.js'
import { registrableOf } from '../domain.js'
import type { CompanyRecord } from '../record.js'

/** Limits of the three parts, which run side by side. */
const PART_MS = 12_000
/** Behind the limit of a gather, so that what it has until then is kept. */
const SLACK_MS = 1_000

export interface Answer {
  readonly provider: string
  readonly data: CompanyRecord
}

/** What the three ports say of a company. */
export interface Answers {
  readonly firmographics: readonly Answer[]
  readonly brand: readonly Answer[]
  readonly website: readonly Answer[]
  /** The website itself; null when it could not be read. */
  readonly site: WebsiteAnswer | null
}

/** Asks the three ports side by side. A part without an answer is empty, with a remark. */
export async function asked(question: Question, ctx: HandlerContext): Promise<Answers> {
  const [firmographics, brand, sites] = await Promise.all([
    part('firmographics', ctx, (side) => side.gather(companiesFirmographics, question, { withinMs: PART_MS })),
    part('brand', ctx, (side) => side.gather(companiesBrand, question, { withinMs: PART_MS })),
    part('website', ctx, (side) => side.gather(companiesWebsite, question, { withinMs: PART_MS })),
  ])
  const site = sites[0]?.data ?? null
  const own = [question.domain, site?.redirects_to ?? null]
  const kept = (answers: readonly PortAnswer<CompanyRecord>[]) => answers.filter((answer) => isAbout(answer, own, ctx))
  return {
    firmographics: kept(firmographics),
    brand: kept(brand),
    website: sites.map(({ provider, data }) => ({ provider, data: data.company })),
    site,
  }
}

async function part<T>(
  name: string,
  ctx: HandlerContext,
  ask: (side: HandlerContext) => Promise<PortAnswer<T>[]>,
): Promise<PortAnswer<T>[]> {
  const answers = await ctx.aside(ask, { withinMs: PART_MS + SLACK_MS })
  if (answers === null || answers.length === 0) ctx.note(`${name}: nobody had an answer; this part is left out.`)
  return answers ?? []
}

/** Vendors match by name and redirect too: the record of another domain is that of another company. */
function isAbout({ provider, data }: PortAnswer<CompanyRecord>, own: readonly (string | null)[], ctx: HandlerContext): boolean {
  const domain = registrableOf(data.domain)
  if (domain === null || own.includes(domain)) return true
  ctx.note(`${provider}: its record is about ${domain} and is left out.`)
  return false
}

/**
 * Why there is nothing to say: a `blocked` Fault for a website that points inside or refuses access, else `missing`. To be thrown.
 */
export async function reason(question: Question, { site }: Pick<Answers, 'site'>, ctx: HandlerContext): Promise<Fault> {
  if (site?.parked != null) return new Fault('missing', `No company is known behind ${question.domain}: ${site.parked}.`)
  if (site !== null) return new Fault('missing', `No company is known behind ${question.domain}, and its website does not name one.`)
  const fault = await ctx.aside(
    async (side): Promise<Fault | null> => {
      try {
        await side.call(companiesWebsite, question)
        return null
      } catch (error) {
        if (!Fault.is(error)) throw error
        return error
      }
    },
    { withinMs: PART_MS },
  )
  if (fault?.kind === 'blocked' && !fault.unavailable) return fault
  return new Fault('missing', `No company is known behind ${question.domain}, and it has no website that answers.`)
}
