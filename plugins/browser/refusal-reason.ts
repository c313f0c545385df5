import type { Services } from '../../core/sdk/index.js'
import { isUnreached } from './faults.js'

/** Runs work on a page. Where the proxy refused an https target the browser does not know why: the guard is asked and throws its own words. */
export async function withReason<R>(url: string, context: Services, work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    if (isUnreached(error)) await context.web.get(url, { method: 'HEAD', timeoutMs: 5000 })
    throw error
  }
}
