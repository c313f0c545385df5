import type { Collections } from './collections.js'
import { op, plainText } from './filter.js'
import { roll } from './rollup.js'
import type { AccountDocument, EntryDocument } from './documents.js'
import { JOURNAL, numbered, type Numbered } from './snapshot.js'
import type { Change } from './table.js'

interface Ref {
  readonly account: string
  readonly ref: string
}

/** What is to be done next, and who waits for it. */
class Batch {
  readonly accounts = new Set<string>()
  /** References of charges whose answers were written. */
  readonly delivered = new Map<string, Set<string>>()
  /** Accounts whose entries cannot be published, and why; the others go on. */
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

/** Accounts published together: each takes a place in five commands. */
const TOGETHER = 64

/**
 * Copies entries from accounts to the journal, counts them, and takes them off the accounts: in this order, so that whoever looks at the
 * account first never misses one. Any number of publishers may do the same at once. What is asked for while a batch is under way goes
 * into the next one together.
 */
export class Publisher {
  readonly #tables: Collections
  #next: Batch | null = null
  #running: Promise<void> | null = null

  constructor(tables: Collections) {
    this.#tables = tables
  }

  /** Resolves when every entry made before the call is in the journal. Rejects when those of one of the accounts cannot be. */
  async publish(accounts: readonly string[]): Promise<void> {
    for (const error of (await this.attempt(accounts)).values()) throw error
  }

  /** Like `publish`, but answers which accounts could not be published. */
  async attempt(accounts: readonly string[]): Promise<ReadonlyMap<string, Error>> {
    if (accounts.length === 0) return new Map()
    for (const account of accounts) plainText(account, 'an account')
    const batch = (this.#next ??= new Batch())
    for (const account of accounts) batch.accounts.add(account)
    await this.#ask(batch)
    return new Map([...batch.failed].filter(([account]) => accounts.includes(account)))
  }

  /** Publishes, and marks these charges as delivered; a refunded one stays as it is. */
  async delivered(refs: readonly Ref[]): Promise<void> {
    if (refs.length === 0) return
    for (const { account, ref } of refs) {
      plainText(account, 'an account')
      plainText(ref, 'a reference')
    }
    const batch = (this.#next ??= new Batch())
    for (const { account, ref } of refs) {
      batch.accounts.add(account)
      const of = batch.delivered.get(account) ?? new Set()
      batch.delivered.set(account, of.add(ref))
    }
    await this.#ask(batch)
    for (const [account, error] of batch.failed) if (refs.some((ref) => ref.account === account)) throw error
  }

  /** Waits for what is under way. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #ask(batch: Batch): Promise<void> {
    this.#running ??= this.#work()
    await batch.done
  }

  async #work(): Promise<void> {
    for (let batch = this.#next; batch !== null; batch = this.#next) {
      // One turn later, so that all who ask in this turn of the event loop share the batch.
      await Promise.resolve()
      this.#next = null
      try {
        const accounts = [...batch.accounts]
        for (let at = 0; at < accounts.length; at += TOGETHER) await this.#round(accounts.slice(at, at + TOGETHER), batch)
        batch.finish()
      } catch (error) {
        batch.fail(error)
      }
    }
    // In the same turn as the last scope at what is next: whoever asks from now on starts the work again.
    this.#running = null
  }

  async #round(ids: readonly string[], { delivered, failed }: Batch): Promise<void> {
    const { accounts, entries } = this.#tables
    const found = await accounts.many({ _id: op({ $in: ids }) }, JOURNAL)
    const all = found.map((account) => new Snapshot(account, delivered.get(account._id) ?? new Set()))
    const inserts = all.flatMap((snapshot) => snapshot.entries)
    const refused = new Set(await entries.insertNew(inserts))
    await this.#compare(
      inserts.filter((_, index) => refused.has(index)),
      failed,
    )
    const snapshots = all.filter((snapshot) => !failed.has(snapshot.account))
    const fresh = new Set(inserts.filter((_, index) => !refused.has(index)))
    await entries.bulk(snapshots.flatMap((snapshot) => snapshot.marks(fresh)))
    const full = snapshots.filter((snapshot) => snapshot.entries.length > 0)
    await Promise.all(full.map((snapshot) => roll(this.#tables, snapshot.account, snapshot.entries)))
    await accounts.bulk(full.map((snapshot) => snapshot.pull()))
  }

  /** What was refused must be there already, the same: else another entry has its number or reference, and taking it off the account would lose it in silence. */
  async #compare(refused: readonly EntryDocument[], failed: Map<string, Error>): Promise<void> {
    for (const acct of new Set(refused.map((entry) => entry.acct))) {
      const own = refused.filter((entry) => entry.acct === acct)
      const there = await this.#tables.entries.many({ acct, seq: op({ $in: own.map((entry) => entry.seq) }) }, { seq: 1, ref: 1 })
      const refs = new Map(there.map((entry) => [entry.seq, entry.ref]))
      const lost = own.find((entry) => refs.get(entry.seq) !== entry.ref)
      if (lost === undefined) continue
      const what = `entry ${lost.seq} of account ${acct} (${lost.kind} ${lost.ref})`
      failed.set(acct, new Error(`${what} cannot be published: its number or reference is taken by another`))
    }
  }
}

/** The unpublished entries of one account at one moment. */
class Snapshot {
  readonly account: string
  readonly entries: readonly EntryDocument[]
  readonly #refunded: ReadonlySet<string>
  readonly #delivered: ReadonlySet<string>

  constructor(account: AccountDocument, delivered: ReadonlySet<string>) {
    const entries = numbered(account)
    this.account = account._id
    this.#refunded = new Set(entries.filter(({ kind, ref }) => kind === 'refund' && ref.startsWith('rf:')).map(({ ref }) => ref.slice(3)))
    this.#delivered = new Set([...delivered].filter((ref) => !this.#refunded.has(ref)))
    this.entries = entries.map((entry) => ({ ...entry, acct: account._id, delivered: this.#mark(entry) }))
  }

  #mark({ kind, ref }: Numbered): boolean | null {
    if (kind !== 'charge') return null
    if (this.#refunded.has(ref)) return false
    return this.#delivered.has(ref) ? true : null
  }

  /** Marks of charges that were in the journal before, and of those that another publisher inserted first. */
  marks(fresh: ReadonlySet<EntryDocument>): Change[] {
    const done = new Set(this.entries.filter((entry) => fresh.has(entry)).map((entry) => entry.ref))
    const mark = (refs: ReadonlySet<string>, delivered: boolean): Change[] => {
      const late = [...refs].filter((ref) => !done.has(ref))
      if (late.length === 0) return []
      const filter = { acct: this.account, ref: op({ $in: late }), kind: 'charge', delivered: null }
      return [{ filter, update: { $set: { delivered } }, many: true }]
    }
    return [...mark(this.#refunded, false), ...mark(this.#delivered, true)]
  }

  pull(): Change {
    const refs = this.entries.map((entry) => entry.ref)
    return { filter: { _id: this.account }, update: { $pull: { out: { ref: { $in: refs } } } } }
  }
}
