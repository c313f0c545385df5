import type { LoadedProvider } from '../loader/types.js'
import { CallContext } from './context.js'
import type { ContextScope } from './context-scope.js'
import type { Environment } from './environment.js'
import { settledOrStopped } from '../problems/settled-or-stopped.js'

export interface LentScope extends ContextScope {
  /** Null for a handler. */
  readonly provider: LoadedProvider | null
}

/**
 * Runs code of a plugin with a context of its own and answers what it settles to, or rejects with Stopped as soon as its call or step is
 * stopped: it may never settle. The context is over then, and what the code does with it later neither reaches the call nor begins anything.
 */
export async function lent<T>(environment: Environment, scope: LentScope, run: (context: CallContext) => Promise<T>): Promise<T> {
  const { cancel, done } = scope.cancel.step(Infinity)
  const context = new CallContext(environment, { ...scope, cancel }, scope.provider)
  try {
    return await settledOrStopped(run(context), cancel)
  } finally {
    done()
    cancel.cancel('over')
  }
}
