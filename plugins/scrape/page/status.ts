import { Fault, isTransientStatus, retryAfterOf } from '../../../core/sdk/index.js'
import { ADDRESS_REMEDY } from './remedies.js'

/**
 * The Fault for the status of a page, or null for a successful one. It is the target's doing, never the provider's.
 * `retryAfter` is the page's header of that name.
 */
export function statusFault(status: number, retryAfter?: string): Fault | null {
  if (status === 404 || status === 410) {
    return new Fault('missing', `the page does not exist: its site answered with status ${status}`, { final: true, remedy: ADDRESS_REMEDY })
  }
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
