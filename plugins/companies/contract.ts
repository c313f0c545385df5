import { capability, flat, nullable, or, port, Type, type Static } from '../../core/sdk/index.js'
import { domainViolations, normalDomain } from './domain.js'
import { companyRecord } from './record.js'

const text = (description: string) => nullable(Type.String({ description }))

/** Input of the three ports: the company to look up. */
const question = Type.Object({
  /** Registrable domain as A-labels. */
  domain: Type.String({ minLength: 1, maxLength: 253 }),
  /** The requested host, which may be below the domain; the website is read there. */
  host: Type.String({ minLength: 1, maxLength: 253 }),
  company_name: nullable(Type.String({ maxLength: 200 })),
})

/** Firmographics of a company. A vendor that does not know the domain is `missing`. */
export const companiesFirmographics = port({ id: 'companies.firmographics', input: question, output: companyRecord })

/** Logo, icon, colours and profiles of a company. */
export const companiesBrand = port({ id: 'companies.brand', input: question, output: companyRecord })

/**
 * What the website of a domain says about the company. Faults concern the page: `missing` if there is none, `blocked`
 * if it has a private address or does not answer.
 */
export const companiesWebsite = port({
  id: 'companies.website',
  input: question,
  output: Type.Object({
    /** Empty for a parked domain or a placeholder page. */
    company: companyRecord,
    /** URL of the page after redirects. */
    url: Type.String(),
    /** The registrable domain of the page, if it is another one. */
    redirects_to: nullable(Type.String()),
    /** Kind of page in place of a website, such as that of a domain seller; null for a website. */
    parked: nullable(Type.String()),
    /** Start of the readable text, for a model. */
    text: Type.String(),
  }),
})

const company = Type.Object({
  company_name: text('Name of the company.'),
  domain: Type.String({ description: 'The registrable domain looked up, as A-labels.' }),
  description: text('What the company does.'),
  industry: text('Industry, as the provider names it.'),
  company_size: text('Range of employees: 1-10, 11-50, 51-200, 201-500, 501-1000, 1001-5000, 5001-10000 or 10001+.'),
  headquarters: text('Address or location of the headquarters on one line.'),
  website: text('URL of the website.'),
  founded_year: nullable(Type.Integer({ description: 'Year the company was founded.' })),
  employees: nullable(Type.Integer({ description: 'Number of employees.' })),
  annual_revenue: nullable(
    Type.Number({
      description: 'Annual revenue in US dollars: the lower bound if only a range is known, null if only another currency is.',
    }),
  ),
  annual_revenue_printed: text('Annual revenue with its currency, such as 12M USD or 10M-50M USD.'),
  total_funding: nullable(Type.Number({ description: 'Total funding in US dollars.' })),
  total_funding_printed: text('Total funding with its currency.'),
  latest_funding_stage: text('Latest funding round, such as Series A.'),
  publicly_traded_symbol: text('Ticker symbol.'),
  publicly_traded_exchange: text('Stock exchange of the symbol.'),
  twitter_handle: text('Twitter (X) handle without @.'),
  linkedin_handle: text('Last path segment of the LinkedIn company page.'),
  instagram_handle: text('Instagram handle without @.'),
  social_links: Type.Record(Type.String(), Type.String(), {
    description: 'Profile URL by network: linkedin, twitter, facebook and so on.',
  }),
  technology_names: Type.Array(Type.String(), { description: 'Technologies used by the website.' }),
  primary_brand_color: text('Primary brand colour, #rrggbb.'),
  secondary_brand_color: text('Secondary brand colour, #rrggbb.'),
  logo_url: text('URL of the logo, checked to return an image.'),
  icon_url: text('URL of the icon, checked to return an image.'),
  company_kind: text('Kind of company, such as PRIVATELY_HELD, PUBLIC_COMPANY or NON_PROFIT, or its legal form.'),
  is_claimed: nullable(Type.Boolean({ description: 'Whether the company maintains its own record at the provider.' })),
  value_proposition: text('What the company offers and why; from a provider, otherwise written by a model from the website.'),
  ideal_customers: text('Target customers; same sources as value_proposition.'),
})

/** Everything known about the company behind a domain. */
export const companiesFind = capability({
  id: 'companies.find',
  path: '/v1/companies/find',
  phrases: [
    {
      say: '* company firm corporation startup organisation headquarters revenue employees industry brand founded founders funding competitors logo',
    },
    { say: 'company|firm|business|organisation|organization behind|at|of {domain}' },
    { say: 'company|firm data|profile|information|facts|details' },
    { say: 'firmographics' },
    { say: 'find|research|look company|firm|business' },
    { say: 'employees|headquarters|revenue|funding|industry|founded company|firm|business' },
    { say: 'how many employees' },
    { say: 'company|firm called|named {company_name}' },
    { say: 'called|named {company_name}' },
  ],
  title: 'Find a company',
  description:
    'Returns what is known about the company behind a domain: name, industry, size, headquarters, founding year, ' +
    'revenue, funding, stock listing, social profiles, technologies, logo, colours and value proposition. Providers ' +
    'of company data, providers of brand data and the website itself are queried in parallel and merged field by ' +
    'field; metadata.notes names the source of each field and any disagreement. Works without any provider account, ' +
    'from the website and Wikidata. Records about another domain are ignored. metadata.notes reports parked and ' +
    'redirecting domains. Unknown fields are null; if no company is known, the call fails with no-result and is not ' +
    'charged.',
  input: Type.Object({
    domain: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'Domain of the company, such as example.com, without scheme, path or port; any script.',
    }),
    company_name: or(nullable(Type.String({ minLength: 1, maxLength: 200, description: 'Name of the company, as a hint.' })), null),
  }),
  output: company,
  price: flat(3),
  work: 'light',
  timeoutMs: 45_000,
  uses: [companiesFirmographics, companiesBrand, companiesWebsite],
  normalise: (input) => ({ ...input, domain: normalDomain(input.domain) }),
  check: ({ domain }) => domainViolations(domain),
  examples: [
    { title: 'By domain', params: { domain: 'example.com' } },
    { title: 'With the name as a hint', params: { domain: 'example.com', company_name: 'Example Ltd' } },
  ],
})

export type Company = Static<typeof company>
export type Question = Static<typeof question>
export type WebsiteAnswer = Static<typeof companiesWebsite.output>
