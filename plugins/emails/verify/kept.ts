import type { HandlerContext } from '../../../core/sdk/index.js'
import { verdict, type Verdict } from './contract.js'

const DAY_S = 86_400
/** What may be otherwise soon: a mailbox that was put off, a server that was not reached. */
const SOON_S = 300

/** Carries an answer out of a load that must not keep it. */
class NotKept extends Error {
  readonly answer: Verdict

  constructor(answer: Verdict) {
    super('an answer that is not kept')
    this.answer = answer
  }
}

/** The answer for an address: a definite one kept for a day, an unknown one for five minutes, one that ran out of time not at all. */
export async function kept<S>(
  address: string,
  context: HandlerContext<S>,
  load: (context: HandlerContext<S>) => Promise<Verdict>,
): Promise<Verdict> {
  const soon = (from: HandlerContext<S>, ask: typeof load): Promise<Verdict> =>
    from.cache.get(['soon', address], { shape: verdict, seconds: SOON_S }, ask)
  try {
    return await context.cache.get(['day', address], { shape: verdict, seconds: DAY_S }, async (day) => {
      const answer = await soon(day, async (own) => {
        const found = await load(own)
        if (found.sub_status === 'timeout_exceeded') throw new NotKept(found)
        return found
      })
      if (answer.status === 'unknown') throw new NotKept(answer)
      return answer
    })
  } catch (error) {
    if (!(error instanceof NotKept)) throw error
    // What is kept also says whose answer it is, which a load that fails does not.
    return error.answer.sub_status === 'timeout_exceeded' ? error.answer : await soon(context, () => Promise.resolve(error.answer))
  }
}
