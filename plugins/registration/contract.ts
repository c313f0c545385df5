import { nullable, oneOf, or, port, Type, type Static } from '../../core/sdk/index.js'

export { asciiName, NAME_FAULTS, type NameFault } from './ascii-name.js'
export { domainField } from './domain-field.js'
export { domainName, readDomainName, readSiteName, registrableDomain, type DomainName } from './domain.js'
export { mixedScripts } from './scripts.js'

const text = () => nullable(Type.String())

/**
 * Whether a domain is registered, and what its registry says of it. In the answer null means that the registry does not say, or that it says it
 * to nobody (redacted contacts); an empty list likewise. An unregistered name is an answer, with `registered: false`; that alone does not mean that
 * it can be bought, since reserved and premium names look the same.
 *
 * Faults: `invalid` for what is no domain; `missing`, `inconclusive`, when nobody can be asked: the registry has neither RDAP nor WHOIS, or the TLD
 * does not exist; `busy` when the registry asks for a pause, does not answer, or its answer breaks off or cannot be read. Neither of the last two says anything of the name.
 */
export const registrationFind = port({
  id: 'registration.find',
  input: Type.Object({
    domain: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'A domain or any name below one, with letters of any script; no scheme, path, port or dot at the end.',
    }),
    contacts: or(
      Type.Boolean({ description: 'Also ask the registrar, once, when the registry does not say who the registrant is.' }),
      true,
    ),
  }),
  output: Type.Object({
    /** What is registered, as A-labels: `example.co.uk` for `www.example.co.uk`. */
    domain: Type.String(),
    registered: Type.Boolean(),
    registrar: nullable(
      Type.Object({
        name: text(),
        /** Number of the accreditation, as text. */
        iana_id: text(),
        url: text(),
        abuse_email: text(),
        abuse_phone: text(),
      }),
    ),
    /** ISO 8601, in UTC; the day alone where the registry names no time zone. */
    created: text(),
    updated: text(),
    expires: text(),
    /** EPP words (RFC 5731, RFC 3915) such as `clientTransferProhibited`; a registry's own word where EPP has none. `reserved` for a name that nobody may register. */
    status: Type.Array(Type.String()),
    /** In lower case, without the dot of the root. */
    name_servers: Type.Array(Type.String()),
    /** The delegation is signed. */
    dnssec: nullable(Type.Boolean()),
    registrant: nullable(
      Type.Object({
        name: text(),
        organization: text(),
        state: text(),
        /** As the registry writes it: mostly two letters (ISO 3166-1), sometimes a name. */
        country: text(),
        email: text(),
      }),
    ),
    source: oneOf('rdap', 'whois'),
    /** Host of the registry's server; the name of the setting where the operator set a server of their own. */
    server: Type.String(),
    /** The WHOIS text, at most 65,536 characters; null for RDAP. It may hold personal data. */
    raw: text(),
    /** What a reader should know of this answer. */
    notes: Type.Array(Type.String()),
  }),
})

export type Registration = Static<typeof registrationFind.output>
