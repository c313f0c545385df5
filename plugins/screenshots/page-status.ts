import { Fault } from '../../core/sdk/index.js'

const REFUSALS = new Set([401, 403, 407, 451])
/** Temporary rejections by a site, also of suspected robots. */
const FOR_NOW = new Set([429, 503])

/**
 * The meaning of a page's status: an error page of the site is captured, and the remark on it returned; null for a
 * successful page. Throws `blocked` when the site refused the visit, so that the next vendor is tried.
 */
export function statusRemark(status: number): string | null {
  if (REFUSALS.has(status)) throw new Fault('blocked', `the page refuses access: its site answered with status ${status}`)
  if (FOR_NOW.has(status))
    throw new Fault('blocked', `the page cannot be had for now: its site answered with status ${status}`, { unavailable: true })
  return status >= 400 ? `the picture shows an error page: the site answered with status ${status}` : null
}
