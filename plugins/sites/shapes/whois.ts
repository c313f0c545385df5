import { nullable, Type, type Static } from '../../../core/sdk/index.js'

const text = (description: string) => nullable(Type.String({ description }))

/** Registration data of a domain. */
export const whoisShape = Type.Object(
  {
    created: text('Registration date, ISO 8601.'),
    expires: text('Expiry date of the registration, ISO 8601.'),
    updated: text('Date of the last change, ISO 8601.'),
    registrar: text('Registrar of the domain.'),
    nameservers: Type.Array(Type.String(), { description: 'Delegated name servers, in lower case.' }),
    status: Type.Array(Type.String(), { description: 'EPP status codes, such as clientTransferProhibited.' }),
    dnssec: nullable(Type.Boolean({ description: 'Whether the delegation is signed.' })),
    source: text('Source of the data: rdap or whois.'),
  },
  { description: 'Registration data. Null in modes without it, and when no source answered.' },
)

export type Whois = Static<typeof whoisShape>
