import { StoreUnavailable, type Claimed, type ClaimRequest, type ClaimResult, type KeepRequest, type KeptResponse } from '../types.js'
import { storedHeaders } from '../stored.js'
import { pause, TRIES } from './deadline.js'
import { idOf, type Filter } from './filter.js'
import type { MongoDeps } from './deps.js'
import type { AnswerField, IdempotencyDocument } from './documents.js'
import { storage } from './artifacts.js'

/** Idempotency keys: only the current attempt with its hold may end a record. */
export function idempotency(deps: MongoDeps) {
  const { idempotency: table } = deps.tables
  const room = storage(deps)

  const record = (request: ClaimRequest, att: number): IdempotencyDocument => {
    const { account: acct, key, fingerprint, hold: hid, owner: own, lockUntil: lock, once, expires } = request
    return { _id: idOf(acct, key), acct, fingerprint, st: 'running', att, hid, own, lock, once, expires, bytes: 0, answer: null }
  }

  /** Takes over the record as read; false when another claim was first. */
  const takeOver = async (found: IdempotencyDocument, request: ClaimRequest): Promise<boolean> => {
    const { _id, ...fresh } = record(request, found.att + 1)
    const before = await table.exchange({ _id, st: found.st, att: found.att, hid: found.hid }, { $set: fresh }, { acct: 1, bytes: 1 })
    if (before !== null) await room.count(before.acct, 0 - before.bytes)
    return before !== null
  }

  /** The result for a request that found this record; null when the record changed meanwhile. */
  const decide = async (found: IdempotencyDocument, request: ClaimRequest): Promise<ClaimResult | null> => {
    const { fingerprint, hid: hold, lock: lockUntil } = found
    if (found.st === 'running') {
      // The request's own record: the reply to its first try was lost.
      if (hold === request.hold) return { state: 'claimed', attempt: found.att, abandoned: null }
      if (lockUntil > request.now || fingerprint !== request.fingerprint) return { state: 'running', fingerprint, lockUntil }
      if (found.once) return (await finalise(found)) ? { state: 'final', fingerprint } : null
      return (await takeOver(found, request)) ? { state: 'claimed', attempt: found.att + 1, abandoned: hold } : null
    }
    if (found.expires <= request.now)
      return (await takeOver(found, request)) ? { state: 'claimed', attempt: found.att + 1, abandoned: null } : null
    if (found.answer === null) return { state: 'final', fingerprint }
    return { state: 'kept', fingerprint, hold, response: responseOf(found.answer) }
  }

  const finalise = ({ _id, att, hid }: Pick<IdempotencyDocument, '_id' | 'att' | 'hid'>): Promise<boolean> =>
    table.update({ _id, att, hid, st: 'running' }, { $set: { st: 'final' } })

  const fence = ({ account, key, attempt: att, hold: hid }: Claimed): Filter & { _id: string; att: number; hid: string } => ({
    _id: idOf(account, key),
    att,
    hid,
    st: 'running',
  })

  return {
    claim: async (order: ClaimRequest): Promise<ClaimResult> => {
      const shift = deps.clock.shift(order.now)
      const request = {
        ...order,
        now: order.now + shift,
        lockUntil: order.lockUntil + shift,
        expires: order.expires + shift,
      }
      const fresh = record(request, 1)
      for (let attempt = 0; attempt < TRIES; attempt++) {
        // The unique `_id` alone decides who is first: an upsert that also reads let several claims win at once.
        if (await table.insert(fresh)) return { state: 'claimed', attempt: 1, abandoned: null }
        const found = await table.one({ _id: fresh._id })
        const result = found === null ? null : await decide(found, request)
        if (result?.state === 'running') return { ...result, lockUntil: result.lockUntil - shift }
        if (result !== null) return result
        await pause(attempt)
      }
      throw new StoreUnavailable(`the idempotency key changed under each of ${TRIES} tries to claim it`)
    },

    keep: async (request: KeepRequest): Promise<boolean> => {
      const { headers, body, ...rest } = request.response
      const answer: AnswerField = { ...rest, headers: JSON.stringify(headers), body: Buffer.from(body) }
      const won = await table.update(fence(request), { $set: { st: 'ready', bytes: body.byteLength, answer } })
      // If this process dies here, or the charge never comes, the bytes stay uncounted: in the account's favour.
      if (won && request.counted !== 'by-charge') await room.count(request.account, body.byteLength)
      return won
    },

    free: async (request: Claimed): Promise<boolean> => (await table.remove(fence(request))) > 0,
    finalise: (request: Claimed): Promise<boolean> => finalise(fence(request)),
  }
}

function responseOf({ headers, body, ...rest }: AnswerField): KeptResponse {
  return { ...rest, headers: storedHeaders(headers), body: Uint8Array.from(body) }
}
