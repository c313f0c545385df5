import type { Cancel } from '../runtime/cancel.js'
import type { LoadedProvider } from '../loader/types.js'
import { CallState } from './call.js'
import type { Environment } from './environment.js'

/** Default and longest time limit of a clean-up, in milliseconds. */
const USUAL_MS = 5_000
const MOST_MS = 30_000

/** Replaces the call's own state and cancel during the clean-up. */
export interface CleaningScope {
  readonly call: CallState
  readonly cancel: Cancel
}

interface CleanUpTry extends CleaningScope {
  readonly provider: LoadedProvider
  readonly timeoutMs: number | undefined
}

/** Runs the clean-up when the try has ended or is stopped, unless the returned function was called before. */
export function cleanUpAfter(
  environment: Environment,
  { call, cancel: of, provider, timeoutMs = USUAL_MS }: CleanUpTry,
  work: (own: CleaningScope) => Promise<unknown>,
): () => void {
  const { requestId, account, key } = call
  const fields = { request_id: requestId, provider: provider.vendor.id, port: provider.contribution.of.id }
  return of.onCancel(() => {
    // The call keeps its plugins loaded only until it has ended.
    const held = environment.begin()
    environment.cleanUps.begin({ account, timeoutMs: Math.min(timeoutMs, MOST_MS), fields, done: held.end }, async (cancel) => {
      const own = new CallState({ requestId, account, key, caller: () => call.caller, cancel })
      // There is no caller left to receive a file.
      own.left = true
      try {
        await work({ call: own, cancel })
      } finally {
        own.end(environment.log)
      }
    })
  })
}
