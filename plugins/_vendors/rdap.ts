import { or, Type, vendor } from '../../core/sdk/index.js'

/**
 * The RDAP servers of the registries (RFC 9082, RFC 9083), found through IANA's list (RFC 9224). With
 * `vendors.rdap.url` that server is used for every domain, and the list is not read.
 */
export const rdap = vendor({
  id: 'rdap',
  title: 'RDAP (open service)',
  home: 'https://about.rdap.org',
  settings: Type.Object({
    bootstrap: or(
      Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: '^https?://',
        description:
          "Address of the list of RDAP servers in IANA's form, for a mirror. One in a private network must be in outbound.allow_private too.",
      }),
      'https://data.iana.org/rdap/dns.json',
    ),
    per_second: or(Type.Number({ minimum: 0.1, maximum: 100, description: 'Requests a second at most to the server of one registry.' }), 1),
  }),
})
