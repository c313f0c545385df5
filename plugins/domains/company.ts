import { Fault, nullable, port, Type, type HandlerContext } from '../../core/sdk/index.js'

const text = nullable(Type.String())

/** What is wanted of `companies.find`; whoever declares that capability answers. */
const companiesFind = port({
  id: 'companies.find',
  input: Type.Object({ domain: Type.String() }),
  output: Type.Object({ company_name: text, description: text, industry: text, value_proposition: text }),
})
const LOOK_UP_MS = 8_000

/** What a company does, as far as `companies.find` knows. */
export interface Company {
  readonly name: string | null
  readonly description: string
}

/** Looks a company up by its domain, unbilled. Throws `invalid` at company_id when it is unknown, or when nothing here can look it up. */
export async function companyOf(domain: string, context: HandlerContext): Promise<Company> {
  if (!context.has(companiesFind)) throw unknown('no provider of companies.find is live here; give a description instead')
  const found = await context.aside((side) => side.call(companiesFind, { domain }), { withinMs: LOOK_UP_MS })
  if (found === null) throw unknown('companies.find does not know this company')
  const { company_name, description, industry, value_proposition } = found
  return {
    name: company_name,
    description: [description, value_proposition, industry].filter((each) => typeof each === 'string').join(' '),
  }
}

function unknown(why: string): Fault {
  return new Fault('invalid', `company_id: ${why}.`, { loc: ['company_id'] })
}
