import { Fault, isTransientStatus, retryAfterOf } from '../../../core/sdk/index.js'
import { parseUrl } from '../../../core/sdk/url.js'

/**
 * What the status of a page means to the caller, or null when the page is there. It is the target's doing, never the provider's.
 * `retryAfter` is the page's header of that name.
 */
export function statusFault(status: number, retryAfter?: string): Fault | null {
  if (status === 404 || status === 410) return new Fault('missing', `the page does not exist: its site answered with status ${status}`)
  if (status === 401 || status === 407) return new Fault('blocked', `the page wants a login: its site answered with status ${status}`)
  if (status === 403 || status === 451) return new Fault('blocked', `the page refuses access: its site answered with status ${status}`)
  if (isTransientStatus(status)) {
    const seconds = retryAfterOf(retryAfter, Date.now())
    const options = { unavailable: true, ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }) }
    return new Fault('blocked', `the page cannot be had for now: its site answered with status ${status}`, options)
  }
  if (status < 200 || status >= 300) return new Fault('blocked', `the page could not be read: its site answered with status ${status}`)
  return null
}

const LOGIN =
  /(?:^|\/)(?:log-?in|sign-?in|sign_in|logon|sso|authwall|wp-login\.php|accountchooser|auth\/login|oauth2?\/(?:authorize|auth|v2))(?:[/.;]|$)/i
const LOGIN_HOSTS = new Set([
  'accounts.google.com',
  'login.microsoftonline.com',
  'login.live.com',
  'login.yahoo.com',
  'appleid.apple.com',
  'idmsa.apple.com',
])
const LITTLE_TEXT = 2_000

/** True when a page other than the one asked for was given, and it is where visitors log in. */
export function isLoginRedirect(asked: string, got: string, page: { readonly hasPassword: boolean; readonly text: number }): boolean {
  if (parseUrl(asked) === null || parseUrl(got) === null) return false
  const from = new URL(asked)
  const to = new URL(got)
  if (from.host === to.host && from.pathname === to.pathname) return false
  if (LOGIN_HOSTS.has(to.hostname) && !LOGIN_HOSTS.has(from.hostname)) return true
  return LOGIN.test(to.pathname) && !LOGIN.test(from.pathname) && (page.hasPassword || page.text < LITTLE_TEXT)
}
