import { Type, type HandlerContext, type Static } from '../../../core/sdk/index.js'
import { keptIf, loadedOnce } from '../kept-if.js'
import { foundAddress } from './contract.js'

const DAY_S = 86_400

/** Result of a search. */
const searchResult = Type.Object({
  found: foundAddress,
  /** Every vendor that supports the input has answered. */
  complete: Type.Boolean(),
})

export type SearchResult = Static<typeof searchResult>

/**
 * The answer for a person. A valid one is cached for a day, and so is another one when every vendor has answered; an
 * unknown one is not cached, since it may change soon.
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
