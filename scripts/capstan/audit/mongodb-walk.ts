import { dayText, DayCounts, type CallSummary } from './mongodb-days.js'
import type { NumberedCharge } from './mongodb-deliveries.js'
import { digestOf, type DetailsPair } from './mongodb-details.js'
import type { AuditedAccount, AuditedKey, AuditedLine, AuditedNews, AuditedUsage } from './mongodb-documents.js'
import type { Findings } from './report.js'

/** The parts of an account that were read together. */
interface AccountParts {
  /** Read before `usage` and `keys`: entries published by then must be counted in them. */
  readonly before: AuditedAccount
  /** Read after them and before its entries: no entry up to its `seq` may be missing. */
  readonly account: AuditedAccount
  readonly usage: readonly AuditedUsage[]
  readonly keys: readonly AuditedKey[]
}

/** A relation that must hold between two entries of an account. */
export interface Pair {
  readonly account: string
  /** The reference to look up. */
  readonly ref: string
  readonly of: string
  readonly rule: 'refunded' | 'late' | 'late-without' | 'lost'
  readonly amount: number
}

/** Checks the entries of one account in order, published ones first, and compares their results with the account's own values. */
export class AccountWalk {
  readonly #parts: AccountParts
  readonly #findings: Findings
  readonly #days: DayCounts
  readonly #keys: ReadonlyMap<string, AuditedKey>
  /** Spending of each key in the entries that its document has counted. */
  readonly #spent = new Map<string, { applied: number }>()
  /** Spending on each cap by all its keys: in total, and on the day of the cap. */
  readonly #taken = new Map<string, { all: number; today: number }>()
  #pairs: Pair[] = []
  #withDetails: DetailsPair[] = []
  #numbered: NumberedCharge[] = []
  #seq = 0
  #after = 0
  entries = 0
  /** Largest entry number in the journal beyond that of the account when it was read. */
  beyond = 0

  constructor(parts: AccountParts, findings: Findings) {
    this.#parts = parts
    this.#findings = findings
    this.#days = new DayCounts(parts.account._id, parts.usage, findings)
    this.#keys = new Map(parts.keys.map((key) => [key._id, key]))
  }

  /** One published entry. Entries made after the account was read are left to the next audit. */
  step(line: AuditedLine): void {
    const { account } = this.#parts
    if (line.seq > account.seq) {
      this.beyond = line.seq
      return
    }
    const news = account.out[line.seq - this.#published - 1]
    // Published between the reading of the account and of its entries, or by a publisher that died before it recorded it.
    if (line.seq > this.#published && news !== undefined) this.#compare(line, news)
    else this.#follow(line, line.call ?? null)
    const { call } = line
    if (call !== undefined) this.#withDetails.push({ line, call, missing: () => this.#days.missing(line) })
  }

  /** Returns the relations to look up, once. */
  takePairs(): Pair[] {
    const pairs = this.#pairs
    this.#pairs = []
    return pairs
  }

  /** Returns the entries whose details are to be checked, once. */
  takeWithDetails(): DetailsPair[] {
    const withDetails = this.#withDetails
    this.#withDetails = []
    return withDetails
  }

  /** Returns the charges whose owners are to be checked, once. */
  takeNumbered(): NumberedCharge[] {
    const numbered = this.#numbered
    this.#numbered = []
    return numbered
  }

  /** After the last published entry: continues with unpublished ones. */
  endPublished(): void {
    const { account } = this.#parts
    for (const [index, news] of account.out.entries()) {
      const { facts } = news
      const line = { ...news, acct: account._id, seq: this.#published + 1 + index, after: this.#after + news.amt, delivered: null }
      this.#follow(line, facts === null ? null : { ...facts, failed: facts.error !== null })
    }
  }

  /** Compares the results after the lookups; `trimmed` as for `DayCounts`. */
  end(trimmed: number): void {
    const { _id: id, seq, bal } = this.#parts.account
    if (this.#seq !== seq) this.#findings.add(`L4 account ${id}: the last entry is ${this.#seq}, the account says ${seq}`)
    if (this.#after !== bal) this.#findings.add(`L3 account ${id}: its entries add up to ${this.#after}, its balance is ${bal}`)
    this.#days.end(trimmed)
    this.#endKeys()
  }

  get #published(): number {
    return this.#parts.account.seq - this.#parts.account.out.length
  }

  #compare(line: AuditedLine, news: AuditedNews): void {
    const same = JSON.stringify(essence(line)) === JSON.stringify(essence(news))
    if (!same || line.call?.digest !== (news.facts === null ? undefined : digestOf(news.facts)))
      this.#findings.add(`L11 account ${line.acct}, entry ${line.seq} (${line.kind} ${line.ref}): published otherwise than it was made`)
  }

  #follow(line: AuditedLine, call: CallSummary | null): void {
    const where = `account ${line.acct}, entry ${line.seq} (${line.kind} ${line.ref})`
    const sum = this.#after + line.amt
    if (line.seq !== this.#seq + 1) this.#findings.add(`L4 ${where}: follows entry ${this.#seq}`)
    if (line.after !== sum) this.#findings.add(`L4 ${where}: ${this.#after} and ${line.amt} make ${sum}, not ${line.after}`)
    this.#seq = line.seq
    this.#after = line.after
    this.entries += 1
    this.#judge(line, where)
    this.#spend(line)
    this.#days.add(line, call, this.#isSettled(line.seq))
  }

  #judge(line: AuditedLine, where: string): void {
    const { acct: account, ref, kind, amt, delivered } = line
    const wrong =
      (kind === 'charge' && amt > 0) || (kind === 'release' && amt !== 0) || ((kind === 'grant' || kind === 'refund') && amt < 0)
    if (wrong) this.#findings.add(`L6 entry ${ref}: a ${kind} of ${amt}`)
    if (delivered !== null && kind !== 'charge') this.#findings.add(`L11 ${where}: a ${kind} is marked as delivered`)
    if (kind === 'refund' && ref.startsWith('rf:')) this.#pairs.push({ account, ref: ref.slice(3), of: ref, rule: 'refunded', amount: amt })
    if (kind === 'charge') this.#judgeLate(line)
    if (kind === 'charge' && line.n !== undefined) this.#numbered.push({ account, ref, own: line.own, n: line.n, at: line.at })
    if (kind === 'charge' && delivered === false) this.#pairs.push({ account, ref: `rf:${ref}`, of: ref, rule: 'lost', amount: amt })
    if (Object.hasOwn(this.#parts.account.holds, ref)) this.#findings.add(`L5 hold ${ref} is open and in the journal as ${kind}`)
  }

  /** A call charged late must not also be charged in time, nor late under an earlier reference; and its hold must have ended. */
  #judgeLate({ acct: account, ref: of, amt: amount }: AuditedLine): void {
    const [, nth, hold] = /^late(\d*):(.*)$/s.exec(of) ?? []
    if (hold === undefined) return
    const before = Array.from(
      { length: Math.min(Number(nth === '' ? 1 : nth), MOST_LATE) - 1 },
      (_, index) => `late${index === 0 ? '' : index + 1}:${hold}`,
    )
    for (const ref of [hold, ...before]) this.#pairs.push({ account, ref, of, rule: 'late', amount })
    this.#pairs.push({ account, ref: hold, of, rule: 'late-without', amount })
  }

  #spend(line: AuditedLine): void {
    const { key, amt, seq, cap } = line
    if (key === null || amt === 0) return
    for (const id of capsOf(line)) {
      const taken = this.#taken.get(id) ?? { all: 0, today: 0 }
      this.#taken.set(id, taken)
      taken.all -= amt
      if (cap !== null && cap === this.#parts.account.caps[id]?.day) taken.today -= amt
    }
    const spent = this.#spent.get(key) ?? { applied: 0 }
    this.#spent.set(key, spent)
    const applied = this.#keys.get(key)?.applied
    if (applied === undefined) return
    if (seq <= applied) spent.applied -= amt
    else if (this.#isSettled(seq)) this.#findings.add(`caps key ${key}: entry ${seq} is published and not counted in used`)
  }

  /** True when it was published, counted and removed from the account before rollups and keys were read. */
  #isSettled(seq: number): boolean {
    const { before } = this.#parts
    return seq <= before.seq - before.out.length
  }

  #endKeys(): void {
    const { account } = this.#parts
    for (const { _id: id, used, applied } of this.#keys.values()) {
      const spent = this.#spent.get(id)?.applied ?? 0
      if (used !== spent) this.#findings.add(`caps key ${id}: used is ${used}, its entries up to ${applied} add up to ${spent}`)
    }
    for (const [id, { left, day, dleft, dlim }] of Object.entries(account.caps)) {
      const key = this.#keys.get(id)
      if (key === undefined) {
        this.#findings.add(`caps key ${id}: the account ${account._id} has a cap of a key that is not there`)
        continue
      }
      const { all, today } = this.#taken.get(id) ?? { all: 0, today: 0 }
      const holds = Object.values(account.holds).filter((hold) => hold.cap !== null && capsOf(hold).includes(id))
      const total = (key.credit_limit ?? UNLIMITED) - all - sum(holds)
      if (left !== total) this.#findings.add(`caps key ${id}: left is ${left}, its limit less its entries and holds is ${total}`)
      const limit = key.credit_limit_per_day ?? UNLIMITED
      const rest = limit - today - sum(holds.filter((hold) => hold.cap === day))
      if (dlim !== limit || dleft !== rest)
        this.#findings.add(
          `caps key ${id}: ${dleft} of ${dlim} are left on ${dayText(day)}, its limit less its entries and holds of the day is ${rest} of ${limit}`,
        )
    }
  }
}

function sum(holds: readonly { readonly amt: number }[]): number {
  return holds.reduce((total, hold) => total + hold.amt, 0)
}

/** Ids of the caps that a hold or an entry used: that of its key, unless it names them. */
function capsOf({ key, caps }: { readonly key: string | null; readonly caps?: readonly string[] }): readonly string[] {
  return caps ?? (key === null ? [] : [key])
}

/** Most earlier references of a late charge to look up. */
const MOST_LATE = 100

/** Represents no limit in `caps`. */
const UNLIMITED = 2 ** 52

function essence({ ref, kind, amt, at, own, note, key, cap, caps, n }: AuditedLine | AuditedNews) {
  return [ref, kind, amt, at, own, note, key, cap, caps ?? null, n ?? null]
}
