import type { Page } from 'playwright-core'
import { isolated } from './isolated.js'

/**
 * The value of an expression in a world of its own beside the page's scripts: what they changed of their own objects is not seen there, and they
 * do not see it. Undefined when the page threw or moved on meanwhile.
 */
export async function evaluateApart(page: Page, expression: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page)
  try {
    return (await (await isolated(session)).evaluate(expression)).value
  } catch {
    // Its frame is gone, or the browser: whoever reads the page is told.
    return undefined
  } finally {
    await session.detach().catch(() => undefined)
  }
}
