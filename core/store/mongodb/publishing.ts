import type { Collections } from './collections.js'
import { op, type Filter } from './filter.js'
import type { AccountDocument } from './documents.js'
import { gatewaysAlive, SlotOwners, SLOTS } from './gateways.js'
import { PUBLISH_BATCH, type Publisher } from './publisher.js'
import type { ServerClock } from './server-clock.js'
import { JOURNAL } from './journal.js'

/** An account with this many unpublished entries is published at once by the gateway that owns its slot. */
const PUBLISH_AT = 64

/** The same for any gateway. */
const PUBLISH_FOR_OTHERS_AT = 256

/** Holds are refused at this many unpublished entries: the document stays far below the server's limit of 16 MB. */
export const MOST_UNPUBLISHED = 512

/** Age at which the list of live gateways is read again, in ms. */
const ALIVE_MS = 5000

interface PublishingDeps {
  readonly tables: Collections
  readonly publisher: Publisher
  readonly clock: ServerClock
}

interface PublishPosition {
  readonly pub: number
  readonly _id: string
}

/** Decides which gateway publishes which account, and runs the publishing rounds of this one. */
export class Publishing {
  readonly #tables: Collections
  readonly #publisher: Publisher
  readonly #clock: ServerClock
  #owners: SlotOwners | null = null
  #read = -Infinity
  #running: Promise<void> | null = null

  constructor({ tables, publisher, clock }: PublishingDeps) {
    this.#tables = tables
    this.#publisher = publisher
    this.#clock = clock
  }

  /** Publishes all accounts in this instance's slots, then throws the first error. Concurrent calls share a round. */
  async round(instance: string): Promise<void> {
    this.#running ??= this.#round(instance).finally(() => {
      this.#running = null
    })
    await this.#running
  }

  async #round(instance: string): Promise<void> {
    const slots = (await this.#responsible(instance)).of(instance)
    let firstError: Error | null = null
    for (let last: PublishPosition | null = null; ;) {
      const page: AccountDocument[] = await this.#page(slots, last)
      const publisher = this.#publisher
      // Accounts that the publisher is working on would be inserted twice.
      const due = page.filter(({ _id }) => !publisher.aside.mustWait(_id) && !publisher.isBusy(_id))
      for (const [account, error] of await publisher.round(due)) if (!publisher.aside.mustWait(account)) firstError ??= error
      const end = page.at(-1)
      if (end?.pub === undefined || page.length < PUBLISH_BATCH) break
      last = { pub: end.pub, _id: end._id }
    }
    if (firstError !== null) throw firstError
  }

  /** Publishes an account early when many entries wait; the threshold is higher when another instance owns its slot. */
  publishIfBehind(instance: string, account: string, { seq, done }: Pick<AccountDocument, 'seq' | 'done'>): void {
    const waiting = seq - done
    const own = this.#owners?.has(instance, account) ?? true
    if (waiting >= (own ? PUBLISH_AT : PUBLISH_FOR_OTHERS_AT)) this.#publisher.publishLater(account)
  }

  /** The next page after `last`, by slot and account. Published accounts have left the index. */
  async #page(slots: readonly number[], last: PublishPosition | null): Promise<AccountDocument[]> {
    const found = last === null ? [] : await this.#find({ pub: last.pub, _id: op({ $gt: last._id }) }, PUBLISH_BATCH)
    const behind = last?.pub ?? -1
    const rest = slots.filter((slot) => slot > behind)
    if (found.length === PUBLISH_BATCH || rest.length === 0) return found
    // All slots are a range, in the order of the index.
    const pub = slots.length === SLOTS ? op({ $gt: behind }) : op({ $in: rest })
    return [...found, ...(await this.#find({ pub }, PUBLISH_BATCH - found.length))]
  }

  async #find(filter: Filter, limit: number): Promise<AccountDocument[]> {
    const tables = this.#tables
    const page = { sort: { pub: 1, _id: 1 }, limit } as const
    return await tables.consistently((scope) => tables.accounts.many(filter, { ...JOURNAL, pub: 1 }, page, scope))
  }

  async #responsible(instance: string): Promise<SlotOwners> {
    const clock = this.#clock
    if (this.#owners === null || clock.monotonic() - this.#read >= ALIVE_MS) {
      this.#owners = new SlotOwners([...(await gatewaysAlive(this.#tables, clock.now())), instance])
      this.#read = clock.monotonic()
    }
    return this.#owners
  }
}
