import { nullable, oneOf, Type, type Static } from '../../../core/sdk/index.js'

/** One product used by a site. */
export const technologyShape = Type.Object({
  name: Type.String(),
  category: Type.String({ description: 'Category, such as cms, shop, analytics or cdn; the README of the plugin lists them.' }),
  version: nullable(Type.String()),
  confidence: {
    ...oneOf('high', 'medium', 'low'),
    description: 'high: the product names itself, or two indicators; medium: one specific indicator; low: one shared with other products.',
  },
  evidence: Type.Array(Type.String(), { description: 'Indicators of the product.' }),
})

/** The response of the home page. */
export const pageShape = Type.Object({
  /** Address after redirects. */
  url: Type.String(),
  host: Type.String(),
  status: Type.Integer(),
  /** In lower case; repeated ones joined by commas. */
  headers: Type.Record(Type.String(), Type.String()),
  /** Target of the plain http address after at most three redirects; null when it does not answer, was not requested, or is unknown. */
  http_leads_to: nullable(Type.String()),
  /** Why the target of the plain http address is unknown. */
  http_unknown: nullable(Type.String()),
  /** Why https was not read, when the page is that of plain http. */
  https_failed: nullable(Type.String()),
  /** Why the page's certificate is untrusted, when it was read anyway. */
  untrusted: nullable(Type.String()),
})

/** One check of mode security. */
export const checkShape = Type.Object({
  id: Type.String({ description: 'Id, such as tls.trusted or headers.csp.' }),
  passed: Type.Boolean(),
  weight: Type.Number({
    description: 'Weight of the check; the score is the weight of the passed checks in percent of the weight of all.',
  }),
  detail: Type.String({ description: 'What was found.' }),
})

const area = (description: string) =>
  nullable(Type.Object({ grade: oneOf('A', 'B', 'C', 'D', 'E', 'F'), score: Type.Integer() }, { description }))

/** The same weights by area. */
export const areasShape = Type.Object(
  { tls: area('TLS and plain HTTP.'), email: area('Email and DNS.'), headers: area('HTTP headers.') },
  { description: 'Mode security: grade and score of each area; null for an area that could not be checked.' },
)

/** One name below the domain. */
export const subdomainShape = Type.Object({
  subdomain: Type.String(),
  ips: Type.Array(Type.String()),
  cname: nullable(Type.String({ description: 'Name that the subdomain is an alias of.' })),
  dangling: Type.Boolean({
    description: 'Whether the alias points to a name that does not exist, which somebody else may be able to register.',
  }),
})

export const subdomainsReportShape = Type.Object({
  subdomains: Type.Array(subdomainShape),
  total: Type.Integer(),
  wildcard: Type.Boolean(),
})

export type Technology = Static<typeof technologyShape>
export type SitePage = Static<typeof pageShape>
export type Check = Static<typeof checkShape>
export type SubdomainsReport = Static<typeof subdomainsReportShape>
