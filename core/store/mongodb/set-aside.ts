import type { AccountSetAside } from '../types.js'
import { StoreUnavailable } from '../types.js'

/** An account set aside is tried again after this, in ms. */
const AGAIN_MS = 60_000

/** Accounts whose entries contradict the journal: they are refused and retried from time to time. */
export class AccountsSetAside {
  readonly #monotonic: () => number
  readonly #accounts = new Map<string, { readonly error: string; readonly again: number }>()

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** True when it was not set aside before. */
  add(account: string, error: string): boolean {
    const fresh = !this.#accounts.has(account)
    this.#accounts.set(account, { error, again: this.#monotonic() + AGAIN_MS })
    return fresh
  }

  /** True when it was set aside. */
  remove(account: string): boolean {
    return this.#accounts.delete(account)
  }

  /** True while the account must not be retried yet. */
  mustWait(account: string): boolean {
    return (this.#accounts.get(account)?.again ?? -Infinity) > this.#monotonic()
  }

  /** Accounts due for a retry. */
  due(): string[] {
    return [...this.#accounts.keys()].filter((account) => !this.mustWait(account))
  }

  /** Throws StoreUnavailable for an account set aside. */
  refuse(account: string): void {
    const found = this.#accounts.get(account)
    if (found !== undefined) throw new StoreUnavailable(`the account is set aside: ${found.error}`, { sent: false })
  }

  list(): AccountSetAside[] {
    return [...this.#accounts].map(([account, { error }]) => ({ account, error }))
  }
}
