import { nullable, oneOf, Type, type Static } from '../../../core/sdk/index.js'

const text = (description: string) => nullable(Type.String({ description }))

/** Where the site is hosted. */
export const hostingShape = Type.Object(
  {
    provider: text('Hosting provider, or the CDN in front of the site; metadata.notes says if it is a CDN.'),
    confidence: nullable({
      ...oneOf('high', 'medium', 'low'),
      description: 'high: two indicators agree, or a platform names itself; medium: one indicator; low: only a network name.',
    }),
    ip: text('The inspected IP address.'),
    asn: text('Autonomous system number, such as AS64500.'),
    asn_org: text('Operator of the autonomous system.'),
    country: text('Two-letter code of the country where the address is located, or registered.'),
    city: text('City, if a provider knows it.'),
  },
  { description: 'Hosting of the site. Null in modes without it, and when the name has no address.' },
)

/** A vendor's data on an address in sites.hosting. */
export const addressShape = Type.Object({
  asn: nullable(Type.Integer()),
  asn_org: nullable(Type.String()),
  country: nullable(Type.String()),
  city: nullable(Type.String()),
  /** The vendor classifies the network as hosting. */
  hosting: nullable(Type.Boolean()),
  /** Whether `country` is where the address is used, or only where its block is registered. */
  located: Type.Boolean(),
})

export type Hosting = Static<typeof hostingShape>
export type AddressFacts = Static<typeof addressShape>
