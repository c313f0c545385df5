import { recentlyUsed } from '../../runtime/recent.js'
import { idOf } from './filter.js'
import type { HoldField } from './documents.js'

/** Open holds remembered; beyond that a charge reads the account first. */
const MOST_OPEN = 10_000

/** Ids remembered after they were given out. */
const MOST_USED = 20_000

/**
 * The holds that this process made, so that their charge needs no scope-up of what was held: an amount never changes while a hold is
 * open, and the charge's own condition finds out when it is no longer so.
 */
export class OpenHolds {
  readonly #open = recentlyUsed<HoldField>(MOST_OPEN)
  readonly #used = recentlyUsed<true>(MOST_USED)

  made(account: string, id: string, hold: HoldField): void {
    this.#open.set(idOf(account, id), hold)
    this.#used.set(idOf(account, id), true)
  }

  ended(account: string, id: string): void {
    this.#open.delete(idOf(account, id))
  }

  /** The hold, when this process made it and has not heard of its end. */
  open(account: string, id: string): HoldField | null {
    return this.#open.get(idOf(account, id)) ?? null
  }

  /** True when this process gave the id to a hold before. */
  used(account: string, id: string): boolean {
    return this.#used.has(idOf(account, id))
  }
}
