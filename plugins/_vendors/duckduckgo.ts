import { Fault, or, Type, vendor } from '../../core/sdk/index.js'

/** How long an address stays blocked is not published; clients report minutes to an hour. */
const PAUSE_SECONDS = 600
const BLOCKED = new Set([202, 403, 418, 429])

/** What every sign of a block means: this vendor is out for some minutes, others are not. */
export const turnedAway = (): Fault =>
  new Fault('busy', 'duckduckgo turns away searches from this address for now.', { retryAfterSeconds: PAUSE_SECONDS })

/** DuckDuckGo's page without scripts, keyless. It has no search API: blocks come as 202, 403, 418, 429 or a challenge page. */
export const duckduckgo = vendor({
  id: 'duckduckgo',
  title: 'DuckDuckGo (keyless)',
  home: 'https://html.duckduckgo.com/html/',
  baseUrl: 'https://html.duckduckgo.com',
  hosts: { instant: 'https://api.duckduckgo.com' },
  settings: Type.Object({
    pause_ms: or(
      Type.Integer({
        minimum: 0,
        maximum: 60_000,
        description: 'Milliseconds between two searches; less raises the risk of being blocked.',
      }),
      1000,
    ),
  }),
  fault: ({ status, headers }) => {
    if (status === 429 && headers['retry-after'] !== undefined) return undefined
    if (BLOCKED.has(status)) return turnedAway()
    return status === 303 ? new Fault('missing', 'duckduckgo has nothing to show for this search.') : undefined
  },
})
