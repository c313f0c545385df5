import { Fault, nullable, or, Type, vendor } from '../../core/sdk/index.js'

/**
 * Crossref, the registry of DOIs, without a key. Its limit for lists is 1 request a second and 1 at once without a
 * contact, 3 a second and 3 at once with one (since December 2025); the pace uses the first, since a contact is
 * optional.
 */
export const crossref = vendor({
  id: 'crossref',
  title: 'Crossref (keyless)',
  home: 'https://www.crossref.org/documentation/retrieve-metadata/rest-api/',
  baseUrl: 'https://api.crossref.org/v1',
  optionalSecrets: { plus_token: 'CROSSREF_PLUS_API_TOKEN' },
  settings: Type.Object({
    mailto: or(
      nullable(
        Type.String({
          maxLength: 254,
          pattern: '^[^@\\s]+@[^@\\s]+$',
          description: 'Mail address by which Crossref can reach you; with one, requests go to the pool that is answered first.',
        }),
      ),
      null,
    ),
  }),
  pace: { requests: 1, perMs: 1_000, concurrent: 1 },
  auth: (secret) => {
    const token = secret('plus_token')
    return token === '' ? {} : { headers: { 'crossref-plus-api-token': `Bearer ${token}` } }
  },
  fault: ({ status }) => {
    if (status === 401) return new Fault('credentials', 'Crossref does not accept the token in CROSSREF_PLUS_API_TOKEN.')
    if (status === 403)
      return new Fault('credentials', 'Crossref has blocked this gateway: write to its support, and set CAPSTAN_CROSSREF_MAILTO.')
    // A list always exists: 404 is a fault of the service, not a missing work.
    if (status === 404) return new Fault('broken', 'Crossref has nothing at the address of its search.')
    return undefined
  },
})
