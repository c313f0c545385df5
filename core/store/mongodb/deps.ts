import { recentlyUsed } from '../../runtime/recent.js'
import { idOf } from './filter.js'
import type { HoldField } from './documents.js'
import type { Log } from '../../runtime/log-events.js'
import type { Collections } from './collections.js'
import type { DeliveryLog } from './deliveries.js'
import type { Publisher } from './publisher.js'
import type { Publishing } from './publishing.js'
import type { ServerClock } from './server-clock.js'

/** Open holds remembered; a charge of any other reads the account first. */
const MOST_OPEN = 10_000

/** Hold ids remembered after use. */
const MOST_USED = 20_000

/**
 * The holds that this process made, so that their charge need not look up the amount held: it never changes while a
 * hold is open, and the charge's own condition fails once the hold has ended.
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

  /** The hold, when this process made it and has not seen it end; else null. */
  open(account: string, id: string): HoldField | null {
    return this.#open.get(idOf(account, id)) ?? null
  }

  /** True when this process used the id for a hold before. */
  used(account: string, id: string): boolean {
    return this.#used.has(idOf(account, id))
  }
}

/** What the commands of one store share. */
export interface MongoDeps {
  readonly tables: Collections
  readonly holds: OpenHolds
  readonly publisher: Publisher
  readonly publishing: Publishing
  readonly deliveries: DeliveryLog
  readonly clock: ServerClock
  readonly log: Log
}
