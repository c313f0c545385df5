import type { Caller } from '../accounts/caller.js'
import { recentlyUsed } from '../runtime/recent.js'
import type { Milli } from '../store/types.js'

/** The last known balance of each account, for answers to calls that move no credits. */
export class Balances {
  readonly #known = recentlyUsed<{ balance: Milli; at: number }>(100_000)
  readonly #monotonic: () => number

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  note(account: string, balance: Milli): void {
    this.#known.set(account, { balance, at: this.#monotonic() })
  }

  /** The newer of the last known balance and the one read with the key. */
  of({ account, readAt }: Caller): Milli {
    const known = this.#known.get(account.id)
    return known === undefined || known.at < readAt ? account.balance : known.balance
  }
}
