import type { Page } from 'playwright-core'
import { isolated } from './isolated.js'

/**
 * Evaluates an expression in an isolated world of the page (see `isolated`). Undefined when it threw or the page navigated meanwhile.
 */
export async function evaluateApart(page: Page, expression: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page)
  try {
    return (await (await isolated(session)).evaluate(expression)).value
  } catch {
    // The frame or the browser is gone, which the next read of the page reports.
    return undefined
  } finally {
    await session.detach().catch(() => undefined)
  }
}
