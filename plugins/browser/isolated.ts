import type { CDPSession } from 'playwright-core'

/** A world of its own beside the page's scripts, so that a page that changed its own String or document cannot fool what runs there. */
export interface Isolated {
  /** The value of an expression, waited for when it is a promise; undefined when it threw, with what it threw. */
  evaluate(expression: string): Promise<{ readonly value: unknown; readonly error: string | null }>
}

/** Makes such a world in the main frame. It is gone when the page moves on. */
export async function isolated(session: CDPSession): Promise<Isolated> {
  const tree = await session.send('Page.getFrameTree')
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: tree.frameTree.frame.id })
  return {
    evaluate: async (expression) => {
      const answer = await session.send('Runtime.evaluate', {
        contextId: executionContextId,
        expression,
        returnByValue: true,
        awaitPromise: true,
      })
      return { value: answer.result.value, error: answer.exceptionDetails?.text ?? null }
    },
  }
}
