import { op } from './filter.js'
import type { AccountDocument, EntryWithFacts } from './documents.js'
import { numbered, type Numbered } from './snapshot.js'
import type { Change } from './table.js'

/** The unpublished entries of one account at one moment, and the updates that publish them. */
export class Snapshot {
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
