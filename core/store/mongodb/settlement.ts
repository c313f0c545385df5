import { settledBefore, wholeNotNegative } from '../rules.js'
import { type ChargeRequest, type HoldState, type Milli, type ReleaseRequest, type Settlement, StoreUnavailable } from '../types.js'
import { pause, TRIES } from './deadline.js'
import type { ChargeRef } from './deliveries.js'
import type { MongoDeps } from './deps.js'
import type { AccountDocument, HoldField } from './documents.js'
import { idOf, isFieldName, op, plainText } from './filter.js'
import { balanceOf, findEntries, MONEY, SLIM_JOURNAL } from './journal.js'
import { type CapDays, daysOf, type End, settling } from './settle.js'
import type { ReadScope } from './table.js'

interface HoldRef {
  readonly account: string
  readonly hold: string
}

/** Charge and release: the first to find the hold open resolves it, the other receives its outcome. */
export function settlement({ tables, holds, deliveries, publishing }: MongoDeps) {
  const { accounts } = tables

  const close = async ({ account, hold: id }: HoldRef, hold: HoldField, end: End, days: CapDays): Promise<Settlement | null> => {
    const { filter, update } = settling(account, new Map([[id, hold]]), end, days)
    const closed = await accounts.change(filter, update, { ...MONEY, seq: 1, done: 1 })
    if (closed === null) return null
    holds.ended(account, id)
    publishing.publishIfBehind(end.owner, account, closed)
    return { ok: true, already: false, seq: closed.seq, amount: end.amount, ...balanceOf(closed) }
  }

  const read = async (place: HoldRef, scope: ReadScope): Promise<AccountDocument | null> =>
    await accounts.one({ _id: place.account }, { ...MONEY, ...SLIM_JOURNAL, caps: 1, [`holds.${place.hold}`]: 1 }, scope)

  /** Reads the hold and closes it when open. Null when it changed between the read and the update: try again. */
  const settle = async (place: HoldRef, end: End, scope: ReadScope): Promise<Settlement | null> => {
    const account = await read(place, scope)
    if (account === null) return { ok: false, why: 'absent' }
    const hold = account.holds[place.hold]
    if (hold === undefined) {
      holds.ended(place.account, place.hold)
      return settledBefore((await findEntries(tables, account, [place.hold], scope)).get(place.hold), end.kind, balanceOf(account))
    }
    if (end.amount > hold.amt) throw new RangeError(`a charge of ${end.amount} is more than the ${hold.amt} that were held`)
    return await close(place, hold, end, daysOf(account.caps))
  }

  const finish = async (place: HoldRef, end: End): Promise<Settlement> => {
    if (!isFieldName(place.hold)) return { ok: false, why: 'absent' }
    const hold = holds.open(place.account, place.hold)
    if (hold !== null && end.amount <= hold.amt) {
      const closed = await close(place, hold, end, () => hold.cap)
      if (closed !== null) return closed
    }
    return await tables.consistently(async (scope) => {
      for (let attempt = 0; attempt < TRIES; attempt++) {
        const settled = await settle(place, end, scope)
        if (settled !== null) return settled
        await pause(attempt)
      }
      throw new StoreUnavailable(`the account changed under each of ${TRIES} tries to end a hold`)
    })
  }

  return {
    charge: async (request: ChargeRequest): Promise<Settlement> => {
      wholeNotNegative(request.amount, 'amount of a charge')
      const { amount, owner, facts, now, account, hold, keptBytes } = request
      const end = { kind: 'charge', amount, owner, note: null, facts, now, ...(keptBytes === undefined ? {} : { keptBytes }) } as const
      if (request.delivery === 'none') return await finish(request, { ...end, n: null })
      const charge = { account, ref: hold }
      const { n, fresh } = deliveries.assign(owner, charge)
      const settled = await finish(request, { ...end, n })
      // Not charged now, or charged before under a forgotten number: no delivery will ever be reported for this number.
      if (!settled.ok || (settled.already && fresh)) deliveries.drop(charge)
      return settled
    },

    release: async (request: ReleaseRequest): Promise<Settlement> => {
      const { owner, reason, facts, now } = request
      const settled = await finish(request, { kind: 'release', amount: 0, owner, note: reason, facts, now })
      if (settled.ok) deliveries.drop({ account: request.account, ref: request.hold })
      return settled
    },

    resolve: async (account: string, hold: string): Promise<{ state: HoldState; amount: Milli; balance: Milli | null }> => {
      if (!isFieldName(hold)) return { state: 'absent', amount: 0, balance: null }
      return await tables.consistently(async (scope) => {
        const found = await read({ account, hold }, scope)
        if (found === null) return { state: 'absent', amount: 0, balance: null }
        const { bal: balance } = found
        const held = found.holds[hold]
        if (held !== undefined) return { state: 'open', amount: held.amt, balance }
        const refund = `rf:${hold}`
        const has = (ref: string): boolean => found.out.some((entry) => entry.ref === ref)
        // A refund comes after its charge, and entries after an unpublished one are unpublished too.
        const refs = has(hold) && !has(refund) ? [hold] : [hold, refund]
        const entries = await findEntries(tables, found, refs, scope)
        const entry = entries.get(hold)
        if (entry?.kind === 'charge') return { state: entries.has(refund) ? 'refunded' : 'charged', amount: 0 - entry.amt, balance }
        return { state: entry?.kind === 'release' ? 'released' : 'absent', amount: 0, balance }
      })
    },
  }
}

/** Records which answers were written. */
export function marks({ tables, deliveries, publisher, log }: MongoDeps) {
  /** Marks the entries of charges that another gateway numbered, or none did; the entries must be in the journal. */
  const markEntries = async (refs: readonly ChargeRef[]): Promise<void> => {
    const accounts = new Map<string, string[]>()
    for (const { account, ref } of refs) accounts.set(account, [...(accounts.get(account) ?? []), ref])
    const failed = await publisher.attempt([...accounts.keys()])
    for (const [account, error] of failed)
      log('delivery-marks-lost', 'delivery marks of an account are lost', { account, error: error.message })
    const there = [...accounts].filter(([account]) => !failed.has(account))
    const refunds = op({ $in: refs.map(({ ref }) => `rf:${ref}`) })
    const refunded = await tables.entries.many({ acct: op({ $in: there.map(([account]) => account) }), ref: refunds }, { acct: 1, ref: 1 })
    const gone = new Set(refunded.map(({ acct, ref }) => idOf(acct, ref)))
    await tables.entries.bulk(
      there.map(([acct, own]) => {
        const charged = own.filter((ref) => !gone.has(idOf(acct, `rf:${ref}`)))
        const filter = { acct, ref: op({ $in: charged }), kind: 'charge', delivered: null }
        return { filter, update: { $set: { delivered: true } }, many: true }
      }),
    )
  }

  return {
    delivered: async (refs: readonly ChargeRef[]): Promise<void> => {
      for (const { account, ref } of refs) {
        plainText(account, 'an account')
        plainText(ref, 'a reference')
      }
      const known = refs.filter((ref) => deliveries.has(ref))
      const others = refs.filter((ref) => !deliveries.has(ref))
      await Promise.all([deliveries.settle(known), others.length === 0 ? undefined : markEntries(others)])
    },
  }
}
