import { Fault, vendor } from '../../core/sdk/index.js'

/** Statuses of its proxy while searches take too long or too many are running. */
const OVERLOADED = [404, 500, 502, 503, 504]

/**
 * crt.sh, a search in certificate transparency logs, without an account or a service level. It discloses the domain
 * to a third party, so it is used only when the operator's waterfall names it; one request at a time.
 */
export const crtSh = vendor({
  id: 'crt-sh',
  title: 'crt.sh (open service)',
  home: 'https://groups.google.com/g/crtsh',
  baseUrl: 'https://crt.sh',
  optIn: true,
  pace: { requests: 1, perMs: 12_000, concurrent: 1 },
  fault: ({ status, body }) => {
    if (status === 403) return new Fault('credentials', 'crt.sh refuses the user agent of this gateway.')
    if (OVERLOADED.includes(status) || (status === 200 && typeof body === 'string'))
      return new Fault('busy', 'crt.sh is overloaded or gave up the search.')
    return undefined
  },
})
