import { idOf, op } from './filter.js'
import type { GatewayDocument } from './documents.js'
import type { Table } from './table.js'

export interface ChargeRef {
  readonly account: string
  readonly ref: string
}

interface OwnerLogEntry {
  readonly owner: OwnerLog
  readonly n: number
}

/**
 * Tracks which charges of this process had their answers written. Each charge that awaits delivery has a sequence
 * number of its owner, kept here from before the charge is sent until it is settled; the settled numbers of all
 * accounts are written to the owner's one document.
 */
export class DeliveryLog {
  readonly #gateways: Table<GatewayDocument>
  readonly #owners = new Map<string, OwnerLog>()
  readonly #charges = new Map<string, OwnerLogEntry>()

  constructor(gateways: Table<GatewayDocument>) {
    this.#gateways = gateways
  }

  /** The number of a charge; the same again until it is settled. */
  assign(owner: string, { account, ref }: ChargeRef): { n: number; fresh: boolean } {
    const id = idOf(account, ref)
    const known = this.#charges.get(id)
    if (known !== undefined) return { n: known.n, fresh: false }
    const log = this.#owners.get(owner) ?? new OwnerLog(this.#gateways, owner)
    this.#owners.set(owner, log)
    const n = log.assign()
    this.#charges.set(id, { owner: log, n })
    return { n, fresh: true }
  }

  has({ account, ref }: ChargeRef): boolean {
    return this.#charges.has(idOf(account, ref))
  }

  /** Forgets a charge that was refunded or never made. Written with the next `settle`. */
  drop({ account, ref }: ChargeRef): void {
    const id = idOf(account, ref)
    const known = this.#charges.get(id)
    known?.owner.settle(known.n)
    this.#charges.delete(id)
  }

  /** Records that the answers of these charges were written; resolves when durable. Unknown charges are skipped. */
  async settle(refs: readonly ChargeRef[]): Promise<void> {
    const ids = refs.map(({ account, ref }) => idOf(account, ref))
    const owners = new Set<OwnerLog>()
    for (const id of ids) {
      const known = this.#charges.get(id)
      if (known === undefined) continue
      known.owner.settle(known.n)
      owners.add(known.owner)
    }
    await Promise.all([...owners].map((owner) => owner.save()))
    // Only now: a batch that failed is retried, and must still be known then.
    for (const id of ids) this.#charges.delete(id)
  }

  /** Writes the state of an owner; false while the answers of some of its charges are not known to be written. */
  async close(owner: string): Promise<boolean> {
    const log = this.#owners.get(owner)
    if (log === undefined) return true
    await log.save()
    return log.pending === 0
  }

  /** Charges whose answers are not known to be written. */
  get pending(): number {
    return [...this.#owners.values()].reduce((sum, log) => sum + log.pending, 0)
  }
}

/** The numbers of one owner, and the document that records which are settled. */
class OwnerLog {
  readonly #gateways: Table<GatewayDocument>
  readonly #owner: string
  readonly #open = new Set<number>()
  #last = 0
  #rev = 0
  #running: Promise<void> = Promise.resolve()
  #queued: Promise<void> | null = null

  constructor(gateways: Table<GatewayDocument>, owner: string) {
    this.#gateways = gateways
    this.#owner = owner
  }

  get pending(): number {
    return this.#open.size
  }

  assign(): number {
    this.#last += 1
    this.#open.add(this.#last)
    return this.#last
  }

  settle(n: number): void {
    this.#open.delete(n)
  }

  /** One write at a time; calls during a write share the next one. */
  save(): Promise<void> {
    this.#queued ??= this.#running.then(() => {
      this.#queued = null
      const written = this.#write()
      this.#running = written.catch(() => undefined)
      return written
    })
    return this.#queued
  }

  /** A delayed write finds a higher revision and is refused as a duplicate: it is superseded. */
  async #write(): Promise<void> {
    this.#rev += 1
    const state = { upto: this.#last, open: [...this.#open], rev: this.#rev }
    await this.#gateways.bulk([{ filter: { _id: this.#owner, rev: op({ $lt: this.#rev }) }, update: { $set: state }, upsert: true }])
  }
}
