import { Fault } from '../../core/sdk/index.js'

const CRASHED = 'the page needs more memory than one page may have'
const UNREACHED = 'the page could not be reached: its address is not public, unknown or does not answer'

/**
 * Chromium's network errors and their meaning: the target refuses (`blocked`), is temporarily unreachable
 * (`unavailable`) or does not exist (`missing`).
 */
const NETWORK: readonly (readonly [RegExp, 'blocked' | 'unavailable' | 'missing', string])[] = [
  [/ERR_NAME_NOT_RESOLVED|ERR_NAME_RESOLUTION_FAILED/, 'missing', 'the host of the page is unknown'],
  [/ERR_TUNNEL_CONNECTION_FAILED|ERR_PROXY_CONNECTION_FAILED/, 'blocked', UNREACHED],
  [/ERR_TOO_MANY_REDIRECTS/, 'blocked', 'the page redirects without end'],
  [
    /ERR_UNSAFE_REDIRECT|ERR_UNKNOWN_URL_SCHEME|ERR_DISALLOWED_URL_SCHEME|ERR_INVALID_REDIRECT/,
    'blocked',
    'the page redirects to an address that is not http or https',
  ],
  [/ERR_CERT_|ERR_SSL_|ERR_BAD_SSL/, 'blocked', 'the page has no valid certificate'],
  [/ERR_CONNECTION_TIMED_OUT|ERR_TIMED_OUT/, 'unavailable', 'the page did not answer in time'],
  [
    /ERR_EMPTY_RESPONSE|ERR_CONNECTION_|ERR_ADDRESS_UNREACHABLE|ERR_SOCKET_|ERR_HTTP2_|ERR_QUIC_|ERR_INVALID_HTTP_RESPONSE|ERR_RESPONSE_HEADERS_/,
    'unavailable',
    'the page closed the connection or did not answer',
  ],
  [/ERR_BLOCKED_BY_/, 'blocked', 'the page may not be opened'],
  [/ERR_INVALID_URL/, 'blocked', 'the address is not a valid URL'],
  [/ERR_[A-Z0-9_]+/, 'blocked', 'the page could not be opened'],
]

/** Maps an error that playwright threw while opening a page. Undefined when it is not about the target. */
export function navigationFault(error: unknown): Fault | undefined {
  const message = error instanceof Error ? error.message : String(error)
  const found = NETWORK.find(([pattern]) => pattern.test(message))
  if (found === undefined) return undefined
  const [, what, sentence] = found
  const unavailable = what === 'unavailable'
  return new Fault(unavailable ? 'blocked' : what, sentence, { internal: message.slice(0, 500), unavailable, final: what === 'missing' })
}

/** True for errors that playwright and Chromium's protocol throw when a page navigated while it was read. */
export function isMoved(error: unknown): boolean {
  return (
    error instanceof Error &&
    /Execution context was destroyed|Cannot find (?:default execution )?context|No frame (?:for|with) given id|Frame was detached|target navigated or closed|Promise was collected/i.test(
      error.message,
    )
  )
}

/** True for playwright's own time limit. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}

/** True when the proxy refused an https target; the browser does not report why, but the guard has the reason. */
export function isUnreached(error: unknown): boolean {
  return Fault.is(error) && error.message === UNREACHED
}

/** The Fault for such a target when the guard allows it: nothing answered there. */
export function unanswered({ internal }: Fault): Fault {
  const options = internal === undefined ? { unavailable: true } : { internal, unavailable: true }
  return new Fault('blocked', 'the page did not accept a connection in time', options)
}

/** The Fault for a crashed tab, which has nearly always run out of memory. */
export function crashed(): Fault {
  return new Fault('blocked', CRASHED, { costly: true })
}

/** True for a Fault created by `crashed`. */
export function isCrash(error: unknown): boolean {
  return Fault.is(error) && error.message === CRASHED
}

/** The Fault for a page on which `wait_for` matched nothing in time. */
export function neverCame(selector: string): Fault {
  return new Fault('missing', `wait_for: no element matched ${JSON.stringify(selector.slice(0, 200))} in time`, { costly: true })
}
