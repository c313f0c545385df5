import { nullable, oneOf, Type, type Static } from '../../../core/sdk/index.js'

const text = (description: string) => nullable(Type.String({ description }))

/** Where the site is hosted. */
export const hostingShape = Type.Object(
  {
    provider: text('Who hosts the site, or runs the delivery network in front of it; metadata.notes says when that is one.'),
    confidence: nullable({
      ...oneOf('high', 'medium', 'low'),
      description: 'high: two signs agree, or a platform names itself; medium: one sign; low: only the name of a network.',
    }),
    ip: text('The address that was looked at.'),
    asn: text('Number of the network, such as AS64500.'),
    asn_org: text('Who runs the network.'),
    country: text('Two letters: where the address is, or where it is registered.'),
    city: text('City, when a vendor knows it.'),
  },
  { description: 'Hosting of the address. Null in modes without it, and when the name has no address.' },
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
