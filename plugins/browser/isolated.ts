import type { CDPSession } from 'playwright-core'

/** An isolated world of a page: scripts there see the page's document, but not what its scripts changed of String, Promise and the like. */
export interface Isolated {
  /** The value of an expression, waited for when it is a promise; undefined when it threw, with what it threw. */
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
