import { type Milli, type PostRequest, type PostResult, StoreUnavailable } from '../types.js'
import { pause, TRIES } from './deadline.js'
import { MOST_UNPUBLISHED } from './publishing.js'
import { op, type Operator, type Plain } from './filter.js'
import { capsField, capsOf, returnToCaps } from './caps.js'
import { factsOf } from './details.js'
import { balanceOf, findEntries, type FoundDocument, JOURNAL, MONEY, SLIM_JOURNAL } from './journal.js'
import { affords, ownOnly, postedBefore, whole, wholeNotNegative } from '../rules.js'
import type { MongoDeps } from './deps.js'
import type { AccountDocument, OutField } from './documents.js'
import { daysOf } from './settle.js'
import { slotOf } from './gateways.js'
import type { Fields, ReadScope } from './table.js'

/** Runs work of one key one after the other, work of different keys at once. */
class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    this.#last.set(key, mine)
    try {
      return await mine
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key)
    }
  }
}

/** An entry to post, with what else changes in the same step. */
interface Plan {
  readonly entry: OutField
  readonly over?: { readonly from: Milli; readonly to: Milli }
}

type Entries = ReadonlyMap<string, FoundDocument>
type Decide = (account: AccountDocument, found: Entries, scope: ReadScope) => PostResult | Plan | Promise<PostResult | Plan>

interface RefundRequest {
  readonly account: string
  readonly hold: string
  readonly reason: string
  readonly owner: string
  readonly now: number
}

interface OverageRequest {
  readonly account: string
  readonly limit: Milli
  readonly ref: string
  readonly owner: string
  readonly now: number
}

/** The references to look up, and the decision to take on what is found. */
interface Step {
  readonly account: string
  readonly refs: readonly string[]
  /** Fields of the unpublished entries that the decision needs. */
  readonly journal: Fields
  readonly decide: Decide
}

/**
 * Entries posted by reference: grants, refunds, adjustments, overage; each at most once per account and reference,
 * because the update matches only while nothing was posted since the reference was looked up. Calls in between do not
 * interfere.
 */
export function posts({ tables, publisher, deliveries }: MongoDeps) {
  const { accounts } = tables
  const queue = new KeyedQueue()

  const attempt = async ({ account: id, refs, journal, decide }: Step, scope: ReadScope): Promise<PostResult | null> => {
    const account = await accounts.one({ _id: id }, { ...MONEY, ...journal, over: 1, caps: 1, pseq: 1 }, scope)
    if (account === null) return { ok: false, why: 'absent' }
    const plan = await decide(account, await findEntries(tables, account, refs, scope), scope)
    if ('ok' in plan) return plan
    if (account.out.length >= MOST_UNPUBLISHED) await publisher.publish([id])
    const { filter, update } = posting(account, plan)
    const posted = await accounts.change(filter, update, MONEY)
    return posted === null ? null : { ok: true, applied: true, ...balanceOf(posted) }
  }

  const once = async (step: Step): Promise<PostResult> =>
    await queue.run(
      step.account,
      async () =>
        await tables.consistently(async (scope) => {
          for (let tries = 0; tries < TRIES; tries++) {
            const result = await attempt(step, scope)
            if (result !== null) return result
            await pause(tries)
          }
          throw new StoreUnavailable(`the account changed under each of ${TRIES} tries to post`)
        }),
    )

  /** Caps of a key: late charges carry only the key, and are too rare to store more. */
  const capsOfKey = async (acct: string, key: string | null): Promise<readonly string[] | undefined> =>
    key === null ? undefined : (await tables.keys.one({ _id: key, acct }, { caps: 1 }))?.caps

  const post = async (request: PostRequest): Promise<PostResult> => {
    whole(request.amount, 'amount')
    const { account, ref, kind, amount: amt, now: at, owner: own, note, facts } = request
    const key = facts?.key_id ?? null
    const fields = { ref, kind, amt, at, own, note, key, cap: null, ...capsField(key, await capsOfKey(account, key)), facts }
    const entry: OutField = kind === 'charge' ? { ...fields, delivered: true } : fields
    const decide = (there: AccountDocument, found: Entries): PostResult | Plan =>
      postedBefore(found.get(ref), { kind, amount: amt }, balanceOf(there)) ?? afforded(there, { entry })
    return await once({ account, refs: [ref], journal: SLIM_JOURNAL, decide })
  }

  const refund = async (request: RefundRequest): Promise<PostResult> => {
    const ref = `rf:${request.hold}`
    const decide: Decide = async (account, found, scope) => {
      const charge = found.get(request.hold)
      if (charge?.kind !== 'charge') return { ok: false, why: 'absent' }
      const { key, cap, caps } = charge
      const amt = 0 - charge.amt
      const { now: at, owner: own, reason: note } = request
      const earlier = postedBefore(found.get(ref), { kind: 'refund', amount: amt }, balanceOf(account))
      if (earlier !== null) return earlier
      const facts = charge.call === undefined ? (charge.facts ?? null) : await factsOf(tables, account._id, charge.seq, scope)
      return { entry: { ref, kind: 'refund', amt, at, own, note, key, cap, ...capsField(key, caps), facts } }
    }
    const result = await once({ account: request.account, refs: [request.hold, ref], journal: JOURNAL, decide })
    // Refunded or never charged: delivery no longer matters.
    if (result.ok || result.why === 'absent') deliveries.drop({ account: request.account, ref: request.hold })
    return result
  }

  const setOverage = async (request: OverageRequest): Promise<PostResult> => {
    wholeNotNegative(request.limit, 'limit of overage')
    const { ref, limit: to, now: at, owner: own } = request
    const decide = (account: AccountDocument, found: Entries): PostResult | Plan => {
      const earlier = postedBefore(found.get(ref), { kind: 'adjust', amount: 0 }, balanceOf(account))
      if (earlier !== null) return earlier
      const from = account.over
      if (account.avail < from - to) return { ok: false, why: 'insufficient' }
      const note = `overage ${from} to ${to}`
      return { entry: { ref, kind: 'adjust', amt: 0, at, own, note, key: null, cap: null, facts: null }, over: { from, to } }
    }
    return await once({ account: request.account, refs: [ref], journal: SLIM_JOURNAL, decide })
  }

  return { post, refund, setOverage }
}

function afforded({ avail: available, over: overage }: AccountDocument, plan: Plan): PostResult | Plan {
  return affords({ available, overage }, plan.entry.kind, plan.entry.amt) ? plan : { ok: false, why: 'insufficient' }
}

/** The conditional update: matches while nothing was posted since the snapshot and the money is still available. */
function posting(account: AccountDocument, { entry, over }: Plan) {
  const raised = over === undefined ? 0 : over.to - over.from
  const gain = entry.amt + raised
  const filter: Record<string, Plain | Operator> = {
    _id: account._id,
    pseq: account.pseq,
    'out.ref': op({ $ne: entry.ref }),
  }
  // The overage of the snapshot is current: a change of it is posted too.
  if (gain < 0) filter['avail'] = op({ $gte: (entry.amt < 0 ? ownOnly(entry.kind, account.over) : 0) - gain })
  if (over !== undefined) filter['over'] = over.from
  const inc: Record<string, number> = { bal: entry.amt, avail: gain, seq: 1, pseq: 1, ver: 1 }
  const add = (field: string, amount: number): void => {
    inc[field] = amount
  }
  // A late charge counts against the totals of its caps only; a refund also against their day while it is unchanged.
  const day = entry.amt > 0 ? entry.cap : null
  if (entry.amt !== 0) returnToCaps(capsOf(entry), { amount: entry.amt, day, days: daysOf(account.caps) }, filter, add)
  return {
    filter,
    update: {
      $inc: inc,
      $set: { pub: slotOf(account._id), ...(over === undefined ? {} : { over: over.to }) },
      $push: { out: entry },
    },
  }
}
