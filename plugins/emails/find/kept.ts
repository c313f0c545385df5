import type { HandlerContext } from '../../../core/sdk/index.js'
import { foundAddress, type FoundAddress } from './contract.js'

const DAY_S = 86_400

/** Carries an answer out of a load that must not keep it. */
class NotKept extends Error {
  readonly answer: FoundAddress

  constructor(answer: FoundAddress) {
    super('an answer that is not kept')
    this.answer = answer
  }
}

/** The answer for a person: kept for a day unless the mailbox could not be told, which may be otherwise soon. */
export async function kept<S>(
  key: readonly string[],
  context: HandlerContext<S>,
  load: (context: HandlerContext<S>) => Promise<FoundAddress>,
): Promise<FoundAddress> {
  try {
    return await context.cache.get(['found', ...key], { shape: foundAddress, seconds: DAY_S }, async (own) => {
      const answer = await load(own)
      if (answer.verification_status === 'unknown') throw new NotKept(answer)
      return answer
    })
  } catch (error) {
    if (error instanceof NotKept) return error.answer
    throw error
  }
}
