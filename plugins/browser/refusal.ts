import type { Response } from 'playwright-core'
import { Fault } from '../../core/sdk/index.js'

/** The proxy's message for an internal address. */
const NOT_PUBLIC = 'the address is not public'

/**
 * Throws the guard proxy's refusal of a target: `missing` for an unknown host, else `blocked`, and `unavailable` for
 * a host whose name was not resolved in time. The header is reliable only over http, where the proxy drops it from a
 * page's own response. Over https a page answers through a tunnel, and the browser does not expose the proxy's
 * response.
 */
export async function refusal(response: Pick<Response, 'url' | 'status' | 'headerValue'> | null): Promise<void> {
  if (response === null || new URL(response.url()).protocol !== 'http:') return
  const reason = await response.headerValue('x-refused')
  if (reason === null) return
  if (response.status() === 502) throw new Fault('missing', 'the host of the page is unknown', { final: true })
  throw new Fault('blocked', reason.slice(0, 200), {
    unavailable: response.status() === 504,
    ...(reason === NOT_PUBLIC ? { obstacle: 'private' as const } : {}),
  })
}
