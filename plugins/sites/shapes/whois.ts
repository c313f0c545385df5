import { nullable, Type, type Static } from '../../../core/sdk/index.js'

const text = (description: string) => nullable(Type.String({ description }))

/** Registration data of a domain. */
export const whoisShape = Type.Object(
  {
    created: text('When the domain was registered, ISO 8601.'),
    expires: text('When the registration ends, ISO 8601.'),
    updated: text('When the record was last changed, ISO 8601.'),
    registrar: text('Who sold the domain.'),
    nameservers: Type.Array(Type.String(), { description: 'Name servers of the delegation, in lower case.' }),
    status: Type.Array(Type.String(), { description: 'Status words of EPP, such as clientTransferProhibited.' }),
    dnssec: nullable(Type.Boolean({ description: 'The delegation is signed.' })),
    source: text('rdap or whois.'),
  },
  { description: 'Registration data. Null in modes without it, and when nobody could tell.' },
)

export type Whois = Static<typeof whoisShape>
