import type { Page } from 'playwright-core'

/**
 * The value of an expression in a world of its own beside the page's scripts: what they changed of their own objects is not seen there, and they
 * do not see it. Undefined when the page threw or moved on meanwhile.
 */
export async function evaluateApart(page: Page, expression: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page)
  try {
    const { frameTree } = await session.send('Page.getFrameTree')
    const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id })
    const { result } = await session.send('Runtime.evaluate', { contextId: executionContextId, expression, returnByValue: true })
    return result.value
  } catch {
    // Its frame is gone, or the browser: whoever reads the page is told.
    return undefined
  } finally {
    await session.detach().catch(() => undefined)
  }
}
