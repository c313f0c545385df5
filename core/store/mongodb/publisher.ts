import { type AccountSetAside, StoreUnavailable } from '../types.js'
import { op, plainText } from './filter.js'
import type { AccountDocument, EntryDocument, EntryWithFacts } from './documents.js'
import { JOURNAL, numbered, type Numbered } from './journal.js'
import type { Change } from './table.js'
import type { Collections } from './collections.js'
import { splitDetails } from './details.js'
import { noteLate } from './gateways.js'
import { roll } from './rollup.js'
import type { Log } from '../../runtime/log-events.js'
import type { ServerClock } from './server-clock.js'

/** An account set aside is tried again after this, in ms. */
const AGAIN_MS = 60_000

/** Accounts whose entries contradict the journal: they are refused and retried from time to time. */
class AccountsSetAside {
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

/** The unpublished entries of one account at one moment, and the updates that publish them. */
class Snapshot {
  readonly account: string
  readonly entries: readonly EntryWithFacts[]
  readonly #seq: number
  readonly #refunded: ReadonlySet<string>

  constructor(account: Pick<AccountDocument, '_id' | 'seq' | 'bal' | 'out'>) {
    const entries = numbered(account)
    this.account = account._id
    this.#seq = account.seq
    this.#refunded = new Set(entries.filter(({ kind, ref }) => kind === 'refund' && ref.startsWith('rf:')).map(({ ref }) => ref.slice(3)))
    this.entries = entries.map((entry) => ({ ...entry, acct: account._id, delivered: this.#mark(entry) }))
  }

  /** The field `delivered`: false when the charge was refunded; a charge without a number has it on its own entry. */
  #mark({ kind, ref, delivered }: Numbered): boolean | null {
    if (kind !== 'charge') return null
    return this.#refunded.has(ref) ? false : (delivered ?? null)
  }

  /** Marks charges published earlier as refunded. */
  marks(fresh: ReadonlySet<EntryWithFacts>): Change[] {
    const done = new Set(this.entries.filter((entry) => fresh.has(entry)).map((entry) => entry.ref))
    const late = [...this.#refunded].filter((ref) => !done.has(ref))
    if (late.length === 0) return []
    const filter = { acct: this.account, ref: op({ $in: late }), kind: 'charge', delivered: op({ $ne: false }) }
    return [{ filter, update: { $set: { delivered: false } }, many: true }]
  }

  /** Removes the entries and the slot from the account; matches only while it has no other entries. */
  pullAll(): Change {
    const { filter, update } = this.pull()
    return { filter: { ...filter, seq: this.#seq }, update: { ...update, $unset: { pub: 1 } } }
  }

  /** The same for an account with newer entries: it keeps its slot. */
  pull(): Change {
    const refs = this.entries.map((entry) => entry.ref)
    return {
      filter: { _id: this.account },
      update: { $pull: { out: { ref: { $in: refs } } }, $max: { done: this.#seq } },
    }
  }
}

type Journal = Pick<AccountDocument, '_id' | 'seq' | 'bal' | 'out'>

/** Accounts to publish next, and the promise that their callers await. */
class PublishBatch {
  readonly accounts = new Set<string>()
  /** Accounts whose entries cannot be published, and why; the others are published. */
  readonly failed = new Map<string, Error>()
  readonly done: Promise<void>
  finish: () => void = () => undefined
  fail: (error: unknown) => void = () => undefined

  constructor() {
    this.done = new Promise((resolve, reject) => {
      this.finish = resolve
      this.fail = reject
    })
  }
}

/** Accounts published together: bounds the size of the commands. */
export const PUBLISH_BATCH = 64

/** Entries inserted together: a slow server must insert them within one round trip. */
const INSERT_BATCH = 250

/** Most accounts queued for publishing; more are left to the next round. */
const MOST_WAITING = 10_000

interface PublisherDeps {
  readonly tables: Collections
  readonly log: Log
  readonly clock: Pick<ServerClock, 'now' | 'monotonic'>
}

/**
 * Copies entries from accounts to the journal, their details first, counts them, and removes them from the accounts: in
 * this order, so that a reader that reads the account first misses none. Any number of publishers may run at once. Requests
 * during a batch share the next one.
 */
export class Publisher {
  readonly aside: AccountsSetAside
  readonly #tables: Collections
  readonly #log: Log
  readonly #clock: PublisherDeps['clock']
  /** Accounts being published now. */
  readonly #busy = new Set<string>()
  #next: PublishBatch | null = null
  #running: Promise<void> | null = null

  constructor({ tables, log, clock }: PublisherDeps) {
    this.#tables = tables
    this.#log = log
    this.#clock = clock
    this.aside = new AccountsSetAside(() => clock.monotonic())
  }

  /** Resolves when all entries made before are in the journal. Rejects when one of the accounts cannot be published. */
  async publish(accounts: readonly string[]): Promise<void> {
    for (const error of (await this.attempt(accounts)).values()) throw error
  }

  /** Like `publish`, but returns the accounts that could not be published, with their errors. */
  async attempt(accounts: readonly string[]): Promise<ReadonlyMap<string, Error>> {
    if (accounts.length === 0) return new Map()
    for (const account of accounts) plainText(account, 'an account')
    const batch = (this.#next ??= new PublishBatch())
    for (const account of accounts) batch.accounts.add(account)
    this.#running ??= this.#work()
    await batch.done
    return new Map([...batch.failed].filter(([account]) => accounts.includes(account)))
  }

  /** Publishes an account in the background, unless too many wait; a failure is left to the next round. */
  publishLater(account: string): void {
    if (this.aside.mustWait(account) || this.#busy.has(account) || (this.#next?.accounts.size ?? 0) >= MOST_WAITING) return
    if (this.#next?.accounts.has(account) === true) return
    this.attempt([account]).catch((error: unknown) => {
      this.#log('publishing-failed', 'entries could not be published yet', { account, error: String(error) })
    })
  }

  /** Publishes accounts just read with read concern majority; returns those that could not be, with their errors. */
  async round(found: readonly Journal[], failed = new Map<string, Error>()): Promise<ReadonlyMap<string, Error>> {
    for (const { _id } of found) this.#busy.add(_id)
    try {
      await this.#copy(found, failed)
    } finally {
      for (const { _id } of found) this.#busy.delete(_id)
    }
    return failed
  }

  async #copy(found: readonly Journal[], failed: Map<string, Error>): Promise<void> {
    const { details, entries, accounts } = this.#tables
    const all = found.filter(({ out }) => out.length > 0).map((account) => new Snapshot(account))
    const inserts = all.flatMap((snapshot) => snapshot.entries)
    const refused = new Set<number>()
    for (let at = 0; at < inserts.length; at += INSERT_BATCH) {
      const part = splitDetails(inserts.slice(at, at + INSERT_BATCH))
      await details.insertNew(part.details)
      for (const index of await entries.insertNew(part.entries)) refused.add(at + index)
    }
    await this.#compare(
      inserts.filter((_, index) => refused.has(index)),
      failed,
    )
    await noteLate(this.#tables, [...new Set(inserts.filter(({ n }) => n !== undefined).map(({ own }) => own))], this.#clock.now())
    const fresh = new Set(inserts.filter((_, index) => !refused.has(index)))
    await entries.bulk(all.filter(({ account }) => !failed.has(account)).flatMap((snapshot) => snapshot.marks(fresh)))
    await Promise.all(all.filter(({ account }) => !failed.has(account)).map((snapshot) => this.#count(snapshot, failed)))
    const full = all.filter(({ account }) => !failed.has(account))
    const { matched } = await accounts.bulk(full.map((snapshot) => snapshot.pullAll()))
    if (matched < full.length) await accounts.bulk(full.map((snapshot) => snapshot.pull()))
    for (const { account } of full)
      if (this.aside.remove(account)) this.#log('account-restored', 'an account set aside can be published again', { account })
  }

  /** True while this process publishes the account. */
  isBusy(account: string): boolean {
    return this.#busy.has(account)
  }

  /** Accounts waiting to be published. */
  get waiting(): number {
    return this.#next?.accounts.size ?? 0
  }

  /** Waits for the running work. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #work(): Promise<void> {
    for (let batch = this.#next; batch !== null; batch = this.#next) {
      // One microtask later, so that calls of the same turn share the batch.
      await Promise.resolve()
      this.#next = null
      try {
        const accounts = [...batch.accounts]
        for (let at = 0; at < accounts.length; at += PUBLISH_BATCH) await this.#read(accounts.slice(at, at + PUBLISH_BATCH), batch.failed)
        batch.finish()
      } catch (error) {
        batch.fail(error)
      }
    }
    // In the same turn as the last check of `#next`: a later call starts the work again.
    this.#running = null
  }

  async #read(ids: readonly string[], failed: Map<string, Error>): Promise<void> {
    const tables = this.#tables
    const found = await tables.consistently((scope) => tables.accounts.many({ _id: op({ $in: ids }) }, JOURNAL, {}, scope))
    await this.round(found, failed)
  }

  /** A day or key contended for too long delays only its own account. */
  async #count({ account, entries }: Snapshot, failed: Map<string, Error>): Promise<void> {
    try {
      await roll(this.#tables, account, entries)
    } catch (error) {
      failed.set(account, error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Sets accounts aside whose refused entry is not in the journal: removing it from the account would lose it. */
  async #compare(refused: readonly EntryDocument[], failed: Map<string, Error>): Promise<void> {
    for (const acct of new Set(refused.map((entry) => entry.acct))) {
      const own = refused.filter((entry) => entry.acct === acct)
      const seq = op({ $in: own.map((entry) => entry.seq) })
      const there = await this.#tables.entries.many({ acct, seq }, { seq: 1, ref: 1, kind: 1, amt: 1 })
      const same = new Set(there.map(identity))
      const lost = own.find((entry) => !same.has(identity(entry)))
      if (lost === undefined) continue
      const what = `entry ${lost.seq} of account ${acct} (${lost.kind} ${lost.ref})`
      const error = `${what} cannot be published: its number or reference is taken by another`
      failed.set(acct, new Error(error))
      if (this.aside.add(acct, error))
        this.#log('account-set-aside', 'the entries of an account cannot be published', { account: acct, error })
    }
  }
}

function identity({ seq, ref, kind, amt }: Pick<EntryDocument, 'seq' | 'ref' | 'kind' | 'amt'>): string {
  return JSON.stringify([seq, ref, kind, amt])
}
