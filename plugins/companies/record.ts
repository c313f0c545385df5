import { nullable, Type, type Static } from '../../core/sdk/index.js'

const text = () => nullable(Type.String())
const texts = () => Type.Array(Type.String())

/** `amount` in US dollars, null for a band or another currency; `printed` has the currency. */
const money = nullable(Type.Object({ amount: nullable(Type.Number()), printed: Type.String() }))

/** A vendor's record of a company. */
export const companyRecord = Type.Object({
  company_name: text(),
  /** The domain of the vendor's record; null when absent. */
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
  /** Profile addresses by network, as returned by `socialLinks`. */
  social_links: Type.Record(Type.String(), Type.String()),
  technology_names: texts(),
  /** As #rrggbb, the most important first. */
  colours: texts(),
  /** Addresses of pictures, the best first. */
  logos: texts(),
  icons: texts(),
  /** Picture addresses that were already requested and returned a picture. */
  answered: texts(),
  company_kind: text(),
  is_claimed: nullable(Type.Boolean()),
  value_proposition: text(),
  ideal_customers: text(),
  /** Remarks for the caller on the value of a field, such as its date. Noted only when this vendor's value is used. */
  remarks: Type.Array(Type.Object({ field: Type.String(), text: Type.String() })),
})

export type CompanyRecord = Static<typeof companyRecord>
export type Money = NonNullable<CompanyRecord['annual_revenue']>

/** An empty record. */
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
