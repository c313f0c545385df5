import type { HandlerContext } from '../../../core/sdk/index.js'
import { notKept } from '../not-kept.js'
import { foundAddress, type FoundAddress } from './contract.js'

const DAY_S = 86_400
const NotKept = notKept<FoundAddress>()

/** What a search ended in. */
export interface SearchResult {
  readonly found: FoundAddress
  /** Every vendor that serves the question has answered. */
  readonly complete: boolean
}

/**
 * The answer for a person. A valid one is kept for a day, and so is another one when every vendor has answered; an unknown one is not kept, since it may
 * be different soon.
 */
export async function kept<S>(
  key: readonly string[],
  context: HandlerContext<S>,
  load: (context: HandlerContext<S>) => Promise<SearchResult>,
): Promise<FoundAddress> {
  try {
    return await context.cache.get(['found', ...key], { shape: foundAddress, seconds: DAY_S }, async (own) => {
      const { found, complete } = await load(own)
      const { verification_status: status } = found
      if (status === 'unknown' || (status !== 'valid' && !complete)) throw new NotKept(found)
      return found
    })
  } catch (error) {
    if (error instanceof NotKept) return error.answer
    throw error
  }
}
