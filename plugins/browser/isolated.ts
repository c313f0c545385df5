import type { CDPSession } from 'playwright-core'

/** An isolated world of a page: its scripts see the page's document, but not the page's changes to String, Promise and other built-ins. */
export interface Isolated {
  /** The value of an expression, awaited when it is a promise; undefined when it threw, with the error. */
  evaluate(expression: string): Promise<{ readonly value: unknown; readonly error: string | null }>
}

/** Makes an isolated world in the main frame. It ends when the page navigates. */
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
