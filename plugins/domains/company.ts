import { Fault, type HandlerContext } from '../../core/sdk/index.js'
import { companiesFind } from '../companies/contract.js'

const LOOK_UP_MS = 8_000

/** A company's business according to `companies.find`. */
interface Company {
  readonly name: string | null
  readonly description: string
}

/** Looks up a company by its domain, unbilled. Throws `invalid` at company_id when it is unknown, or when no provider can look it up. */
export async function companyOf(domain: string, context: HandlerContext): Promise<Company> {
  if (!context.has(companiesFind)) throw unknown('no provider of companies.find is live here; give a description instead')
  const failed: { fault: Fault | null } = { fault: null }
  const lookUp = async (side: HandlerContext) => {
    try {
      return await side.call(companiesFind, { domain })
    } catch (error) {
      if (Fault.is(error)) failed.fault = error
      throw error
    }
  }
  const found = await context.aside(lookUp, { withinMs: LOOK_UP_MS })
  if (found === null) {
    if (failed.fault?.kind === 'missing' || failed.fault?.kind === 'invalid') throw unknown('companies.find has no record of this company')
    const { message = 'It did not answer in time.', retryAfterSeconds } = failed.fault ?? {}
    throw new Fault('busy', `companies.find could not look the company up, so give a description instead of company_id. ${message}`, {
      ...(failed.fault === null ? {} : { cause: failed.fault }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    })
  }
  const { company_name, description, industry, value_proposition } = found
  return {
    name: company_name,
    description: [description, value_proposition, industry].filter((each) => typeof each === 'string').join(' '),
  }
}

function unknown(why: string): Fault {
  return new Fault('invalid', `company_id: ${why}.`, { loc: ['company_id'] })
}
