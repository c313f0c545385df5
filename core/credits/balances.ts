import type { Caller } from '../accounts/caller.js'
import { recentlyUsed } from '../runtime/recent.js'
import type { Milli } from '../store/types.js'

/** The last balance this gateway heard of each account, so that an answer that touches no money can still say it. */
export class Balances {
  readonly #known = recentlyUsed<{ balance: Milli; at: number }>(100_000)
  readonly #monotonic: () => number

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  note(account: string, balance: Milli): void {
    this.#known.set(account, { balance, at: this.#monotonic() })
  }

  /** The newer of what was heard last and what was read with the key. */
  of({ account, readAt }: Caller): Milli {
    const known = this.#known.get(account.id)
    return known === undefined || known.at < readAt ? account.balance : known.balance
  }
}
