import type { Balance, HoldRequest, HoldResult, PostRequest, PostResult, Settlement, SweepReport } from '../../core/store/types.js'
import { DAY } from '../support/store.js'

interface Line {
  readonly ref: string
  readonly kind: string
  readonly amount: number
  readonly after: number
  readonly owner: string
  readonly key: string | null
  readonly capDay: number | null
  delivered: boolean
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const byId = (a: HoldRequest, b: HoldRequest) => compare(a.hold, b.hold)

/** The ledger of one account as plainly as it can be written: no database, no batches, no speed. What it answers is what an adapter must answer. */
export class Reference {
  bal = 0
  over = 0
  auth = 0
  readonly holds = new Map<string, HoldRequest & { readonly capDay: number | null }>()
  readonly lines: Line[] = []
  readonly keys = new Map<
    string,
    { limit: number | null; perDay: number | null; used: number; reserved: number; day: number; taken: number }
  >()

  get held(): number {
    return [...this.holds.values()].reduce((sum, hold) => sum + hold.amount, 0)
  }

  get balance(): Balance {
    return { balance: this.bal, held: this.held, available: this.bal - this.held + this.over }
  }

  #append(line: Omit<Line, 'after' | 'delivered'>): void {
    this.bal += line.amount
    this.lines.push({ ...line, after: this.bal, delivered: false })
  }

  find(ref: string): Line | undefined {
    return this.lines.find((line) => line.ref === ref)
  }

  hold(request: HoldRequest): HoldResult {
    if (request.auth !== this.auth) return { ok: false, why: 'stale-auth' }
    if (this.holds.has(request.hold) || this.find(request.hold) !== undefined) return { ok: false, why: 'duplicate' }
    let why = this.#shortage(request)
    const expired = [...this.holds.values()].filter((hold) => hold.deadline < request.now).toSorted(byId)
    if (why !== null && expired.length > 0) {
      for (const hold of expired) this.#close(hold.hold, 'release', 0, request.owner)
      why = this.#shortage(request)
    }
    if (why === 'insufficient') return { ok: false, why, ...this.balance }
    if (why !== null) return { ok: false, why }
    this.holds.set(request.hold, { ...request, capDay: request.capped ? this.#take(request) : null })
    return { ok: true, ...this.balance }
  }

  #shortage(request: HoldRequest): 'too-many-open' | 'capped' | 'insufficient' | null {
    if (this.holds.size >= request.maxOpen) return 'too-many-open'
    const key = this.keys.get(request.key)
    if (request.capped && key !== undefined) {
      const taken = key.day === Math.floor(request.now / DAY) ? key.taken : 0
      if (key.limit !== null && key.used + key.reserved + request.amount > key.limit) return 'capped'
      if (key.perDay !== null && taken + request.amount > key.perDay) return 'capped'
    }
    return this.balance.available < request.amount ? 'insufficient' : null
  }

  #take(request: HoldRequest): number {
    const day = Math.floor(request.now / DAY)
    const key = this.keys.get(request.key)
    if (key === undefined) throw new Error('no such key')
    if (key.day !== day) [key.day, key.taken] = [day, 0]
    key.taken += request.amount
    key.reserved += request.amount
    return day
  }

  #close(id: string, kind: 'charge' | 'release', amount: number, owner: string): void {
    const hold = this.holds.get(id)
    if (hold === undefined) throw new Error('no such hold')
    this.holds.delete(id)
    this.#append({ ref: id, kind, amount: 0 - amount, owner, key: hold.key, capDay: hold.capDay })
    const key = this.keys.get(hold.key)
    if (key === undefined) return
    key.used += amount
    if (hold.capDay === null) return
    key.reserved -= hold.amount
    if (key.day === hold.capDay) key.taken -= hold.amount - amount
  }

  resolve(id: string, kind: 'charge' | 'release', amount: number, owner: string): Settlement {
    const already = !this.holds.has(id)
    if (!already) this.#close(id, kind, amount, owner)
    const line = this.find(id)
    if (line === undefined || (line.kind !== 'charge' && line.kind !== 'release')) return { ok: false, why: 'absent' }
    if (line.kind !== kind) return { ok: false, why: line.kind === 'charge' ? 'charged' : 'released' }
    return { ok: true, already, seq: this.lines.indexOf(line) + 1, amount: 0 - line.amount, ...this.balance }
  }

  post(request: Pick<PostRequest, 'ref' | 'kind' | 'amount' | 'owner'>, of: Line | null = null): PostResult {
    const known = this.find(request.ref)
    if (known !== undefined) {
      return known.kind === request.kind && known.amount === request.amount
        ? { ok: true, applied: false, ...this.balance }
        : { ok: false, why: 'conflict' }
    }
    const own = this.balance.available - (request.kind === 'adjust' ? this.over : 0)
    if (request.amount < 0 && own < -request.amount) return { ok: false, why: 'insufficient' }
    const { ref, kind, amount, owner } = request
    this.#append({ ref, kind, amount, owner, key: of?.key ?? null, capDay: of?.capDay ?? null })
    return { ok: true, applied: true, ...this.balance }
  }

  refund(id: string, owner: string): PostResult {
    const charge = this.find(id)
    if (charge?.kind !== 'charge') return { ok: false, why: 'absent' }
    const result = this.post({ ref: `rf:${id}`, kind: 'refund', amount: 0 - charge.amount, owner }, charge)
    const key = charge.key === null ? undefined : this.keys.get(charge.key)
    if (result.ok && result.applied && key !== undefined) {
      key.used += charge.amount
      if (charge.capDay === key.day) key.taken += charge.amount
    }
    if (result.ok) charge.delivered = false
    return result
  }

  setOverage(limit: number, ref: string, owner: string): PostResult {
    const known = this.find(ref)
    if (known === undefined && this.balance.available < this.over - limit) return { ok: false, why: 'insufficient' }
    if (known === undefined) this.over = limit
    return this.post({ ref, kind: 'adjust', amount: 0, owner })
  }

  /** Takes over the order in which an adapter wrote what it did in one command: of those, no order is promised. */
  reorder(from: number, refs: readonly string[]): void {
    let after = this.lines[from - 1]?.after ?? 0
    const done = this.lines.splice(from).toSorted((a, b) => refs.indexOf(a.ref) - refs.indexOf(b.ref))
    for (const line of done) {
      after += line.amount
      this.lines.push({ ...line, after })
    }
  }

  deliver(id: string): void {
    const line = this.find(id)
    if (line?.kind === 'charge' && this.find(`rf:${id}`) === undefined) line.delivered = true
  }

  sweep(
    now: number,
    graceMs: number,
    owner: string,
    dead: readonly string[] | 'all-but-owner',
  ): Omit<SweepReport, 'leases' | 'idempotency' | 'aside'> {
    const gone = (other: string) => (dead === 'all-but-owner' ? other !== owner : dead.includes(other))
    const all = [...this.holds.values()]
    const overdue = all.filter((hold) => hold.deadline + graceMs < now).toSorted((a, b) => a.deadline - b.deadline || byId(a, b))
    const orphaned = all.filter((hold) => dead === 'all-but-owner' && hold.owner !== owner && !overdue.includes(hold)).toSorted(byId)
    for (const hold of [...overdue, ...orphaned]) this.#close(hold.hold, 'release', 0, owner)
    const lost = this.lines
      .filter((line) => line.kind === 'charge' && !line.delivered && gone(line.owner) && this.find(`rf:${line.ref}`) === undefined)
      .toSorted((a, b) => compare(a.owner, b.owner) || compare(a.ref, b.ref))
    for (const line of lost) this.refund(line.ref, owner)
    return { released: overdue.length + orphaned.length, refunded: lost.length }
  }
}
