import { Fault, or, retryAfterOf, Type, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

const PAUSES = new Set(['maxlag', 'ratelimited', 'readonly'])

/**
 * Wikidata's entity API and query service, without a key. Errors of the entity API have status 200. It requires
 * sequential requests, across all callers.
 */
export const wikidata = vendor({
  id: 'wikidata',
  title: 'Wikidata (keyless)',
  home: 'https://www.wikidata.org/w/api.php',
  baseUrl: 'https://www.wikidata.org',
  pace: { requests: 10, perMs: 1_000, concurrent: 1 },
  hosts: { query: 'https://query.wikidata.org' },
  settings: Type.Object({
    contact: or(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[ -~]+$',
        description: 'Address or page by which Wikimedia can reach you; sent in the user agent, as their policy asks.',
      }),
      'self-hosted gateway',
    ),
  }),
  fault: ({ status, headers, body }) => {
    if (status === 403)
      return new Fault('credentials', 'Wikidata refused the user agent: set CAPSTAN_WIKIDATA_CONTACT to a mail address or page.')
    const code = textAt(body, 'error', 'code')
    if (status !== 200 || code === '') return undefined
    if (PAUSES.has(code)) {
      const seconds = retryAfterOf(headers['retry-after'], Date.now())
      return new Fault('busy', 'Wikidata requests a pause.', seconds === undefined ? {} : { retryAfterSeconds: seconds })
    }
    return new Fault('missing', 'Wikidata does not accept this query.')
  },
})
