import { nullable, oneOf, or, port, Type, type Static } from '../../core/sdk/index.js'

export { asciiName, NAME_FAULTS, type NameFault } from './ascii-name.js'
export { domainField } from './domain-field.js'
export { domainName, readDomainName, readSiteName, registrableDomain, type DomainName } from './domain.js'
export { mixedScripts } from './scripts.js'

const text = () => nullable(Type.String())

/**
 * Whether a domain is registered, and its registration data. In the output, null or an empty list means that the
 * registry does not publish the value, for example a redacted contact. An unregistered name is a result with
 * `registered: false`; that alone does not mean that it can be bought, since reserved and premium names look the same.
 *
 * Faults: `invalid` for an input that is not a domain; `missing`, `inconclusive`, if no server can be queried: the
 * registry has neither RDAP nor WHOIS, or the TLD does not exist; `busy` if the registry limits the rate, does not
 * answer, or its reply is incomplete or unreadable. The last two do not tell whether the name is registered.
 */
export const registrationFind = port({
  id: 'registration.find',
  input: Type.Object({
    domain: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'A domain or a name below one, in any script, without scheme, path, port or trailing dot.',
    }),
    contacts: or(Type.Boolean({ description: 'Also query the registrar, once, if the registry does not publish the registrant.' }), true),
  }),
  output: Type.Object({
    /** The registrable domain, as A-labels: `example.co.uk` for `www.example.co.uk`. */
    domain: Type.String(),
    registered: Type.Boolean(),
    registrar: nullable(
      Type.Object({
        name: text(),
        /** Accreditation number, as a string. */
        iana_id: text(),
        url: text(),
        abuse_email: text(),
        abuse_phone: text(),
      }),
    ),
    /** ISO 8601, in UTC; only the date if the registry gives no time zone. */
    created: text(),
    updated: text(),
    expires: text(),
    /**
     * EPP status codes (RFC 5731, RFC 3915) such as `clientTransferProhibited`, or the registry's own; `reserved` for
     * a name that cannot be registered.
     */
    status: Type.Array(Type.String()),
    /** In lower case, without the trailing dot. */
    name_servers: Type.Array(Type.String()),
    /** Whether the delegation is signed. */
    dnssec: nullable(Type.Boolean()),
    registrant: nullable(
      Type.Object({
        name: text(),
        organization: text(),
        state: text(),
        /** As the registry writes it: usually an ISO 3166-1 alpha-2 code, sometimes a name. */
        country: text(),
        email: text(),
      }),
    ),
    source: oneOf('rdap', 'whois'),
    /** Host of the registry's server, or the name of the setting if the operator configured the server. */
    server: Type.String(),
    /** The WHOIS text, at most 65,536 characters; null for RDAP. It may contain personal data. */
    raw: text(),
    /** Remarks for the caller. */
    notes: Type.Array(Type.String()),
  }),
})

export type Registration = Static<typeof registrationFind.output>
