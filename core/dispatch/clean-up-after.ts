import type { Cancel } from '../runtime/cancel.js'
import type { LoadedProvider } from '../loader/types.js'
import { CallState } from './call.js'
import type { Environment } from './environment.js'

/** How long work behind a try may take unless it says otherwise, and how long at most, in milliseconds. */
const USUAL_MS = 5_000
const MOST_MS = 30_000

/** What the work is done with in place of the call's own. */
export interface CleaningScope {
  readonly call: CallState
  readonly cancel: Cancel
}

interface CleanUpTry extends CleaningScope {
  readonly provider: LoadedProvider
  readonly timeoutMs: number | undefined
}

/** Begins the work when the try is over or stopped, unless the returned function was called before. */
export function cleanUpAfter(
  environment: Environment,
  { call, cancel: of, provider, timeoutMs = USUAL_MS }: CleanUpTry,
  work: (own: CleaningScope) => Promise<unknown>,
): () => void {
  const { requestId, account, key } = call
  const fields = { request_id: requestId, provider: provider.vendor.id, port: provider.contribution.of.id }
  return of.onCancel(() => {
    // Held anew: the call holds its plugins only until it has ended.
    const held = environment.begin()
    environment.cleanUps.begin({ account, timeoutMs: Math.min(timeoutMs, MOST_MS), fields, done: held.end }, async (cancel) => {
      const own = new CallState({ requestId, account, key, caller: () => call.caller, cancel })
      // Nobody is there to be given a file.
      own.left = true
      try {
        await work({ call: own, cancel })
      } finally {
        own.end(environment.log)
      }
    })
  })
}
