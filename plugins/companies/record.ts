import { nullable, Type, type Static } from '../../core/sdk/index.js'

const text = () => nullable(Type.String())
const texts = () => Type.Array(Type.String())

/** `amount` in US dollars, null where only a band or another currency is known; `printed` has the currency. */
const money = nullable(Type.Object({ amount: nullable(Type.Number()), printed: Type.String() }))

/** What one vendor knows of a company. */
export const companyRecord = Type.Object({
  company_name: text(),
  /** The domain that the vendor's record is about; null where it does not say. */
  domain: text(),
  description: text(),
  industry: text(),
  /** One of the bands of `sizeOf`. */
  company_size: text(),
  headquarters: text(),
  website: text(),
  founded_year: nullable(Type.Integer()),
  employees: nullable(Type.Integer({ minimum: 0 })),
  annual_revenue: money,
  total_funding: money,
  latest_funding_stage: text(),
  listing: nullable(Type.Object({ symbol: Type.String(), exchange: text() })),
  /** Addresses of profiles by network, as `socialLinks` gives them. */
  social_links: Type.Record(Type.String(), Type.String()),
  technology_names: texts(),
  /** As #rrggbb, the most important first. */
  colours: texts(),
  /** Addresses of pictures, the best first. */
  logos: texts(),
  icons: texts(),
  /** Those of them that were asked for already and answered with a picture. */
  answered: texts(),
  company_kind: text(),
  is_claimed: nullable(Type.Boolean()),
  value_proposition: text(),
  ideal_customers: text(),
  /** What a caller should know of the value in a field, such as its date. Noted only where this vendor's value is used. */
  remarks: Type.Array(Type.Object({ field: Type.String(), text: Type.String() })),
})

export type CompanyRecord = Static<typeof companyRecord>
export type Money = NonNullable<CompanyRecord['annual_revenue']>

/** A record of which nothing is known. */
export function emptyRecord(): CompanyRecord {
  return {
    company_name: null,
    domain: null,
    description: null,
    industry: null,
    company_size: null,
    headquarters: null,
    website: null,
    founded_year: null,
    employees: null,
    annual_revenue: null,
    total_funding: null,
    latest_funding_stage: null,
    listing: null,
    social_links: {},
    technology_names: [],
    colours: [],
    logos: [],
    icons: [],
    answered: [],
    company_kind: null,
    is_claimed: null,
    value_proposition: null,
    ideal_customers: null,
    remarks: [],
  }
}
