import { capability, flat, nullable, or, port, Type, type Static } from '../../core/sdk/index.js'
import { domainViolations, normalDomain } from './domain.js'
import { companyRecord } from './record.js'

const text = (description: string) => nullable(Type.String({ description }))

/** Which company the vendors of the three ports are asked about. */
const question = Type.Object({
  /** Registrable domain as A-labels. */
  domain: Type.String({ minLength: 1, maxLength: 253 }),
  /** The name that was asked for, where it is below the domain; the website is looked for there. */
  host: Type.String({ minLength: 1, maxLength: 253 }),
  company_name: nullable(Type.String({ maxLength: 200 })),
})

/** Figures, places and names of a company. A vendor that does not know the domain is `missing`. */
export const companiesFirmographics = port({ id: 'companies.firmographics', input: question, output: companyRecord })

/** Logo, icon, colours and profiles of a company. */
export const companiesBrand = port({ id: 'companies.brand', input: question, output: companyRecord })

/**
 * What the website of a domain says of the company. Faults are those of the page: `missing` where there is none, `blocked` for one that points inside
 * or does not answer.
 */
export const companiesWebsite = port({
  id: 'companies.website',
  input: question,
  output: Type.Object({
    /** Nothing is taken from a parked domain, or a placeholder. */
    company: companyRecord,
    /** Address of the page after redirects. */
    url: Type.String(),
    /** The other registrable domain that the page is at. */
    redirects_to: nullable(Type.String()),
    /** What the page is instead of a website, such as a page of a domain seller. */
    parked: nullable(Type.String()),
    /** Beginning of the readable text, for a model. */
    text: Type.String(),
  }),
})

const company = Type.Object({
  company_name: text('Name of the company.'),
  domain: Type.String({ description: 'The registrable domain that was looked up, as A-labels.' }),
  description: text('What the company does.'),
  industry: text('Industry, in the words of the vendor.'),
  company_size: text('Band of employees: 1-10, 11-50, 51-200, 201-500, 501-1000, 1001-5000, 5001-10000 or 10001+.'),
  headquarters: text('Address or place of the head office on one line.'),
  website: text('Address of the website.'),
  founded_year: nullable(Type.Integer({ description: 'Year of foundation.' })),
  employees: nullable(Type.Integer({ description: 'Number of employees.' })),
  annual_revenue: nullable(
    Type.Number({ description: 'US dollars; the lower end where only a band is known, null where only another currency is.' }),
  ),
  annual_revenue_printed: text('The same with its currency, such as 12M USD or 10M-50M USD.'),
  total_funding: nullable(Type.Number({ description: 'US dollars.' })),
  total_funding_printed: text('The same with its currency.'),
  latest_funding_stage: text('Latest round of funding, such as Series A.'),
  publicly_traded_symbol: text('Ticker symbol.'),
  publicly_traded_exchange: text('Stock exchange of the symbol.'),
  twitter_handle: text('Without @.'),
  linkedin_handle: text('Last part of the address of the company page.'),
  instagram_handle: text('Without @.'),
  social_links: Type.Record(Type.String(), Type.String(), {
    description: 'Address of the profile by network: linkedin, twitter, facebook …',
  }),
  technology_names: Type.Array(Type.String(), { description: 'Products that the website is made with.' }),
  primary_brand_color: text('#rrggbb.'),
  secondary_brand_color: text('#rrggbb.'),
  logo_url: text('Address of the logo; it answered with a picture.'),
  icon_url: text('Address of the icon; it answered with a picture.'),
  company_kind: text('Such as PRIVATELY_HELD, PUBLIC_COMPANY, NON_PROFIT, or the legal form.'),
  is_claimed: nullable(Type.Boolean({ description: 'The company looks after its own record at the vendor.' })),
  value_proposition: text('What it offers and to what end; written by a model from the website unless a vendor has it.'),
  ideal_customers: text('Whom it is made for; as value_proposition.'),
})

/** Everything that is known of the company behind a domain. */
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
    'Tells what is known of the company behind a domain: name, industry, size, headquarters, founding, revenue, funding, listing, profiles, ' +
    'technologies, logo, colours, value proposition. Vendors of company data, vendors of brands and the website itself are asked side by side and ' +
    'merged field by field; metadata.notes says which field came from whom and where they disagree. Works without any vendor account, from the ' +
    'website and Wikidata. A vendor whose record is about another domain is left out. Parked and redirecting domains are said so in metadata.notes. ' +
    'What nobody knows is null; a domain behind which nobody knows a company is no result and costs nothing.',
  input: Type.Object({
    domain: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'Domain of the company, such as example.com: no scheme, path or port. Letters of any script may be used.',
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
