import type { Response } from 'playwright-core'
import { Fault } from '../../core/sdk/index.js'

/** What the proxy says of an address inside. */
const NOT_PUBLIC = 'the address is not public'

/**
 * Throws what the guard proxy said in place of a target it does not let through to: `missing` for an unknown host, else `blocked`, and
 * `unavailable` for a host whose name was not resolved in time.
 * The header is the proxy's own word over http alone, where the proxy drops it from what a page sends. Over https a page speaks
 * through a tunnel, and the browser shows nobody what the proxy said.
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
