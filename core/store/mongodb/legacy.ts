import type { Collections } from './collections.js'
import { op, type Plain } from './filter.js'
import type { AccountDocument } from './documents.js'
import { openAccounts } from './open-accounts.js'
import type { Publisher } from './publisher.js'
import type { ServerClock } from './server-clock.js'
import type { Fields } from './table.js'

/** The list of leases is read again after this, in ms. */
const READ_MS = 5000

/** Work of the previous version is looked for this long after the last trace of one was seen, in ms. */
const LINGER_MS = 60_000

/** An old gateway marks its accounts itself within this, in ms. */
const UNPUBLISHED_MS = 2000

/** Accounts changed together. */
const TOGETHER = 500

/** Accounts that cannot be published are passed over, up to so many in one sweep. */
const MOST_FAILED = 1000

interface LegacyDeps {
  readonly tables: Collections
  readonly publisher: Publisher
  readonly clock: ServerClock
}

/**
 * Gateways of the previous version beside or before this one. They have leases in a collection of their own, note unpublished accounts
 * by `since` instead of a slot, and open holds without `dl`. All of it costs nothing once none was seen for a minute.
 */
export class Legacy {
  readonly #deps: LegacyDeps
  #read: number | null = null
  #seen: number
  #leases: readonly { readonly _id: string; readonly expires: number }[] = []

  constructor(deps: LegacyDeps) {
    this.#deps = deps
    this.#seen = deps.clock.monotonic()
  }

  /** Old gateways whose lease has not run out. */
  async live(now: number): Promise<string[]> {
    return (await this.#all()).filter(({ expires }) => expires > now).map(({ _id }) => _id)
  }

  /** Old gateways whose lease has run out. */
  async dead(now: number): Promise<string[]> {
    return (await this.#all()).filter(({ expires }) => expires <= now).map(({ _id }) => _id)
  }

  /** True while an old gateway may post: it fences on the number of entries alone. From what was read at most some seconds ago. */
  async mayPost(now: number): Promise<boolean> {
    const { clock } = this.#deps
    if (this.#read === null || clock.monotonic() - this.#read > READ_MS) await this.#all()
    return this.#leases.some(({ expires }) => expires > now)
  }

  /** Publishes what old gateways left with accounts. */
  async publish(now: number): Promise<void> {
    if (this.#active()) await this.#publish(now)
  }

  /** Pages of accounts with open holds whose deadlines are not noted: old gateways made them. */
  async *openAccounts(fields: Fields): AsyncGenerator<readonly AccountDocument[]> {
    if (!this.#active()) return
    for await (const page of openAccounts(this.#deps.tables, { dl: op({ $exists: false }) }, fields)) {
      this.#seen = this.#deps.clock.monotonic()
      yield page
    }
  }

  #active(): boolean {
    return this.#deps.clock.monotonic() - this.#seen <= LINGER_MS
  }

  async #publish(now: number): Promise<void> {
    const { tables, publisher } = this.#deps
    const passed: string[] = []
    for (;;) {
      const old: Record<string, Plain | ReturnType<typeof op>> = { since: op({ $lt: now - UNPUBLISHED_MS }) }
      if (passed.length > 0) old['_id'] = op({ $nin: passed })
      const found = await tables.accounts.many(old, { 'out.ref': 1 }, { sort: { since: 1 }, limit: TOGETHER })
      await publisher.attempt(found.filter(({ out }) => out.length > 0).map(({ _id }) => _id))
      const clean = found.map(({ _id }) => ({ filter: { _id, 'out.0': op({ $exists: false }) }, update: { $unset: { since: 1 } } }))
      const { matched } = await tables.accounts.bulk(clean)
      if (matched < found.length) passed.push(...found.map(({ _id }) => _id))
      if (found.length < TOGETHER || passed.length >= MOST_FAILED) return
    }
  }

  async #all(): Promise<readonly { readonly _id: string; readonly expires: number }[]> {
    const { tables, clock } = this.#deps
    this.#leases = await tables.leases.many({}, { expires: 1 }, { sort: { _id: 1 } })
    this.#read = clock.monotonic()
    if (this.#leases.length > 0) this.#seen = this.#read
    return this.#leases
  }
}
