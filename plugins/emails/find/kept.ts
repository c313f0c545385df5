import { Type, type HandlerContext, type Static } from '../../../core/sdk/index.js'
import { keptIf, loadedOnce } from '../kept-if.js'
import { foundAddress } from './contract.js'

const DAY_S = 86_400

/** What a search ended in. */
const searchResult = Type.Object({
  found: foundAddress,
  /** Every vendor that serves the question has answered. */
  complete: Type.Boolean(),
})

export type SearchResult = Static<typeof searchResult>

/**
 * The answer for a person. A valid one is kept for a day, and so is another one when every vendor has answered; an unknown one is not kept, since it may
 * be different soon.
 */
export async function kept<S>(
  person: readonly string[],
  context: HandlerContext<S>,
  load: (context: HandlerContext<S>) => Promise<SearchResult>,
): Promise<SearchResult['found']> {
  const key = ['found', ...person]
  const once = (from: HandlerContext<S>): Promise<SearchResult> => loadedOnce(from, { key, shape: searchResult }, load)
  return (await keptIf(context, { key, shape: searchResult, seconds: DAY_S, keep }, once)).found
}

function keep({ found, complete }: SearchResult): boolean {
  return found.verification_status === 'valid' || (found.verification_status !== 'unknown' && complete)
}
