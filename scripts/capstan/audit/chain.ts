import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Findings } from './report.js'
import { createHash } from 'node:crypto'
import { trusted } from '../../../core/sdk/trusted.js'
import { LINKS } from './rules.js'

/** A row of `LINKS`. */
interface Link {
  readonly account: string
  readonly balance: number
  readonly last: number
  readonly acct: number
  readonly seq: number | null
  readonly ref: string
  readonly kind: string
  readonly amt: number
  readonly after: number
  readonly series: number | null
  readonly nth: number | null
  /** Digest of its details in the entry; null for an entry without a call. */
  readonly digest: string | null
  readonly details: string | null
  readonly trimmed: number
}

/** Checks the entries of one account after the other, in order. */
class Walk {
  readonly #findings: Findings
  #account: Link | null = null
  #seq = 0
  #after = 0
  /** Last number of each series of this account. */
  #counted = new Map<number, number>()
  entries = 0

  constructor(findings: Findings) {
    this.#findings = findings
  }

  step(link: Link): void {
    if (this.#account?.acct !== link.acct) this.#start(link)
    if (link.seq === null) return
    this.entries += 1
    this.#follow(link, link.seq)
  }

  #start(link: Link): void {
    this.end()
    this.#account = link
    this.#seq = 0
    this.#after = 0
    this.#counted = new Map()
  }

  /** Compares the results of the entries with the account's own values. */
  end(): void {
    const account = this.#account
    if (account === null) return
    if (this.#seq !== account.last)
      this.#findings.add(`L4 account ${account.account}: the last entry is ${this.#seq}, the account says ${account.last}`)
    if (this.#after !== account.balance) {
      this.#findings.add(`L3 account ${account.account}: its entries add up to ${this.#after}, its balance is ${account.balance}`)
    }
  }

  #follow(link: Link, seq: number): void {
    const where = `account ${link.account}, entry ${seq} (${link.kind} ${link.ref})`
    const sum = this.#after + link.amt
    if (seq !== this.#seq + 1) this.#findings.add(`L4 ${where}: follows entry ${this.#seq}`)
    if (link.after !== sum) this.#findings.add(`L4 ${where}: ${this.#after} and ${link.amt} make ${sum}, not ${link.after}`)
    this.#seq = seq
    this.#after = link.after
    this.#count(link, where)
  }

  #count(link: Link, where: string): void {
    const isCall = link.kind === 'charge' || link.kind === 'release'
    if (isCall && link.digest === null) this.#findings.add(`L10 ${where}: says nothing of its call`)
    if (link.digest !== null && link.details === null && link.trimmed === 0)
      this.#findings.add(`L10 ${where}: has no details, and nothing of its time was trimmed`)
    if (link.details !== null && !isDigest(link.digest, link.details))
      this.#findings.add(`L11 ${where}: its details are not those it was made with`)
    const isListed = isCall && link.digest !== null
    if (isListed !== (link.nth !== null))
      this.#findings.add(`L10 ${where}: ${isListed ? 'missing in' : 'should not be in'} the call history`)
    if (link.nth === null || link.series === null) return
    const before = this.#counted.get(link.series) ?? 0
    if (link.nth !== before + 1) this.#findings.add(`L10 ${where}: number ${link.nth} of its series follows ${before}`)
    this.#counted.set(link.series, link.nth)
  }
}

function isDigest(digest: string | null, details: string): boolean {
  return createHash('sha256').update(details).digest('hex').slice(0, 32) === digest
}

/** Walks every account's entries in order, one row in memory at a time: L3, L4, the digests of details and the numbering of the call history. Returns the number of entries. */
export function checkChains(db: DatabaseSyncInstance, findings: Findings): number {
  const walk = new Walk(findings)
  for (const row of db.prepare(LINKS).iterate()) walk.step(trusted<Link>(row))
  walk.end()
  return walk.entries
}
