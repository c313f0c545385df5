import type { Cache } from '../../../core/sdk/index.js'
import { notKept } from '../not-kept.js'
import { verdict, type Verdict } from './contract.js'

const DAY_S = 86_400
/** For what may be otherwise soon, such as a mailbox that was put off. */
const SOON_S = 300
/** Nothing was learned of the mailbox: the time ran out, or nobody could be connected to. */
const NEVER_KEPT = new Set(['timeout_exceeded', 'failed_smtp_connection'])
const NotKept = notKept<Verdict>()

/**
 * The answer for an address: a definite one kept for a day, an unknown one for five minutes, one without a word of a server about the mailbox not
 * at all.
 */
export async function kept<C extends { readonly cache: Cache<C> }>(
  address: string,
  context: C,
  load: (context: C) => Promise<Verdict>,
): Promise<Verdict> {
  const soon = (from: C, loadSoon: typeof load): Promise<Verdict> =>
    from.cache.get(['soon', address], { shape: verdict, seconds: SOON_S }, loadSoon)
  for (;;) {
    const loaded = { here: false }
    try {
      return await context.cache.get(['day', address], { shape: verdict, seconds: DAY_S }, async (day) => {
        const answer = await soon(day, async (own) => {
          loaded.here = true
          const found = await load(own)
          if (isNeverKept(found)) throw new NotKept(found)
          return found
        })
        if (answer.status === 'unknown') throw new NotKept(answer)
        return answer
      })
    } catch (error) {
      if (!(error instanceof NotKept)) throw error
      const { answer } = error
      // The call that loaded for this one was turned away, perhaps because its account had too many waiting.
      if (answer.not_asked === true && !loaded.here) continue
      // The answer of a load that fails does not say which vendor gave it, and what is kept does: it is kept by a load of its own.
      return isNeverKept(answer) ? answer : await soon(context, () => Promise.resolve(answer))
    }
  }
}

function isNeverKept({ status, sub_status }: Verdict): boolean {
  return status === 'unknown' && NEVER_KEPT.has(sub_status ?? '')
}
