import type { Milli } from '../../core/store/types.js'
import type { Hit } from './lost-replies-links.js'
import { MONEY, type LossyWorld } from './lost-replies-world.js'

export const ACCOUNT = 'default'
/** Longer than any deadline and its grace, in ms. */
const DEADLINE_MS = 120_000
const PAGE = 500

export interface LostRepliesReport {
  /** Messages lost. */
  lost: number
  /** Of them, those whose command had been carried out. */
  carriedOut: number
  calls: number
  audits: number
  /** Answers that were seen and are not paid for: in the caller's favour. */
  readonly forgiven: string[]
  /** How often each command of the protocol was hit, by name and collection. */
  readonly hits: Record<string, number>
  readonly violations: string[]
}

/** What the clients saw, to be held against what the ledger says. */
export class Books {
  readonly report: LostRepliesReport = { lost: 0, carriedOut: 0, calls: 0, audits: 0, forgiven: [], hits: {}, violations: [] }
  readonly #world: LossyWorld
  /** Net amount of each request since the last audit, as its client has to find it. */
  #owed = new Map<string, Milli>()
  #seq = 0
  #balance = 0

  constructor(world: LossyWorld) {
    this.#world = world
  }

  /** A request whose entries must add up to so much. */
  owe(id: string, net: Milli): void {
    this.report.calls += 1
    this.#owed.set(id, net)
  }

  wrong(what: string): void {
    this.report.violations.push(what)
  }

  note(hit: Hit | null): void {
    if (hit === null) return
    this.report.lost += 1
    if (hit.fault !== 'cut-request') this.report.carriedOut += 1
    this.report.hits[hit.command] = (this.report.hits[hit.command] ?? 0) + 1
  }

  /** Declares the gateway dead, sweeps until nothing is left, audits, and compares request by request (L7, L8). */
  async settle(): Promise<void> {
    const { direct, clock, instance } = this.#world
    await this.#world.flush()
    clock.pass(DEADLINE_MS)
    const request = { now: clock.now(), graceMs: 30_000, owner: 'sweeper', deadOwners: [instance, 'dead'] }
    for (let more = true; more;) {
      const { released, refunded } = await direct.ledger.sweep(request)
      more = released + refunded > 0
    }
    this.report.audits += 1
    this.report.violations.push(...(await this.#world.audit()))
    await this.#compare()
  }

  async #compare(): Promise<void> {
    const made = await this.#made()
    for (const [id, owed] of this.#owed) {
      const paid = made.get(id) ?? 0
      if (owed < 0 && paid === 0) this.report.forgiven.push(id)
      else if (owed !== paid) this.wrong(`${id}: its client has to find ${owed}, the ledger says ${paid}`)
    }
    for (const [id, paid] of made) {
      this.#balance += paid
      if (!this.#owed.has(id) && paid !== 0 && id !== 'opening-balance' && id !== MONEY)
        this.wrong(`${id}: ${paid} that no client requested`)
    }
    this.#owed = new Map()
    const balance = await this.#world.direct.ledger.balance(ACCOUNT)
    if (balance === null || balance.balance !== this.#balance || balance.held !== 0 || balance.open !== 0)
      this.wrong(`the account has ${JSON.stringify(balance)}, its entries make ${this.#balance} with nothing held`)
  }

  /** Sums of the entries since the last time, by request or, without one, by reference. */
  async #made(): Promise<Map<string, Milli>> {
    const made = new Map<string, Milli>()
    for (;;) {
      const page = await this.#world.direct.ledger.entries({ account: ACCOUNT, afterSeq: this.#seq, limit: PAGE })
      for (const { ref, amount, facts } of page) {
        const id = facts?.request_id ?? ref
        made.set(id, (made.get(id) ?? 0) + amount)
      }
      this.#seq = page.at(-1)?.seq ?? this.#seq
      if (page.length < PAGE) return made
    }
  }
}
