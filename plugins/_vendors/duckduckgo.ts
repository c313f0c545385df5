import { Fault, or, Type, vendor } from '../../core/sdk/index.js'

/** The duration of a block is not documented; users report minutes to an hour. */
const PAUSE_SECONDS = 600
const BLOCKED = new Set([202, 403, 418, 429])

/** The Fault for every sign of a block: this vendor is unavailable for some minutes, others are not affected. */
export const turnedAway = (): Fault =>
  new Fault('busy', 'duckduckgo turns away searches from this address for now.', { retryAfterSeconds: PAUSE_SECONDS })

/** DuckDuckGo's HTML page, without a key. It has no search API: blocks are 202, 403, 418, 429 or a challenge page. */
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
