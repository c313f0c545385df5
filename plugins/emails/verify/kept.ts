import type { Cache } from '../../../core/sdk/index.js'
import { keptIf, loadedOnce } from '../kept-if.js'
import { verdict, type Verdict } from './contract.js'
import { isUnasked } from './finding.js'

const DAY_S = 86_400
/** Cache time for results that may change soon, such as a deferred mailbox. */
const SOON_S = 300

/** The loading call was rejected before any server was asked. */
class TurnedAway extends Error {
  readonly answer: Verdict

  constructor(answer: Verdict) {
    super('nobody was asked')
    this.answer = answer
  }
}

/**
 * The answer for an address: a definite one is cached for a day, an unknown one for five minutes, one without a
 * reachable mail server not at all.
 */
export async function kept<C extends { readonly cache: Cache<C> }>(
  address: string,
  context: C,
  load: (context: C) => Promise<Verdict>,
): Promise<Verdict> {
  for (;;) {
    let loadedHere = false
    const once = (from: C): Promise<Verdict> =>
      loadedOnce(from, { key: [address], shape: verdict }, async (own) => {
        loadedHere = true
        const answer = await load(own)
        if (answer.not_asked === true) throw new TurnedAway(answer)
        return answer
      })
    const soon = (from: C): Promise<Verdict> =>
      keptIf(from, { key: ['soon', address], shape: verdict, seconds: SOON_S, keep: (answer) => !isUnasked(answer) }, once)
    try {
      return await keptIf(
        context,
        { key: ['day', address], shape: verdict, seconds: DAY_S, keep: ({ status }) => status !== 'unknown' },
        soon,
      )
    } catch (error) {
      if (!(error instanceof TurnedAway)) throw error
      // Another call was rejected, perhaps because its account had too many waiting: this call loads by itself.
      if (loadedHere) return error.answer
    }
  }
}
