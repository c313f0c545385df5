import type { Claimed, ClaimRequest, ClaimResult, KeepRequest, KeptResponse } from '../types.js'
import type { Database } from './database.js'
import { storedFacts, storedHeaders } from '../stored.js'

interface ClaimRow {
  readonly state: 'running' | 'kept' | 'final'
  readonly fingerprint: string
  readonly attempt: number
  readonly hold: string
  readonly lock_until: number
  readonly once: number
  readonly expires: number
}

interface KeptRow extends Omit<KeptResponse, 'headers' | 'gzip' | 'facts'> {
  readonly headers: string
  readonly gzip: number
  readonly facts: string
}

/** Idempotency keys: only the current attempt with its hold may end a record. */
export function idempotency(db: Database) {
  const account = db.query<{ n: number }>('select n from accounts where id = ?')
  const read = db.query<ClaimRow>(
    'select state, fingerprint, attempt, hold, lock_until, once, expires from idempotency where acct = ? and key = ?',
  )
  const readKept = db.query<KeptRow>('select status, headers, body, gzip, file, amount, facts from idempotency where acct = ? and key = ?')
  const put = db.query(
    `insert or replace into idempotency (acct, key, fingerprint, state, attempt, hold, owner, lock_until, once, expires)
     values (?, ?, ?, 'running', ?, ?, ?, ?, ?, ?)`,
  )
  const unstore = db.query(
    'update accounts set stored = stored - (select bytes from idempotency where acct = ?1 and key = ?2) where n = ?1',
  )
  const store = db.query('update accounts set stored = stored + ? where n = ?')
  const fence = `where acct = (select n from accounts where id = ?) and key = ? and attempt = ? and hold = ? and state = 'running'`
  const keep = db.query<{ acct: number }>(
    `update idempotency set state = 'kept', status = ?, headers = ?, body = ?, gzip = ?, file = ?, amount = ?, facts = ?, bytes = ? ${fence} returning acct`,
  )
  const free = db.query(`delete from idempotency ${fence}`)
  const finalise = db.query(`update idempotency set state = 'final' ${fence}`)

  const start = (acct: number, request: ClaimRequest, attempt: number, abandoned: string | null): ClaimResult => {
    const { key, fingerprint, hold, owner, lockUntil, once, expires } = request
    put.run(acct, key, fingerprint, attempt, hold, owner, lockUntil, once ? 1 : 0, expires)
    return { state: 'claimed', attempt, abandoned }
  }

  const kept = (acct: number, key: string, row: ClaimRow): ClaimResult => {
    const found = readKept.get(acct, key)
    if (found === undefined) throw new Error('a kept answer was deleted while it was read')
    const { status, body, file, amount } = found
    const headers = storedHeaders(found.headers)
    const response: KeptResponse = { status, headers, body, gzip: found.gzip === 1, file, amount, facts: storedFacts(found.facts) }
    return { state: 'kept', fingerprint: row.fingerprint, hold: row.hold, response }
  }

  const claim = (request: ClaimRequest): ClaimResult => {
    const acct = account.get(request.account)?.n
    if (acct === undefined) throw new RangeError(`account ${request.account} does not exist`)
    const row = read.get(acct, request.key)
    if (row === undefined) return start(acct, request, 1, null)
    const running = { state: 'running', fingerprint: row.fingerprint, lockUntil: row.lock_until } as const
    if (row.state === 'running') {
      if (row.lock_until > request.now || row.fingerprint !== request.fingerprint) return running
      if (row.once === 0) return start(acct, request, row.attempt + 1, row.hold)
      finalise.run(request.account, request.key, row.attempt, row.hold)
      return { state: 'final', fingerprint: row.fingerprint }
    }
    if (row.expires <= request.now) {
      unstore.run(acct, request.key)
      return start(acct, request, row.attempt + 1, null)
    }
    return row.state === 'final' ? { state: 'final', fingerprint: row.fingerprint } : kept(acct, request.key, row)
  }

  return {
    claim,
    /** Counts the bytes in the same step, whatever `counted` says. */
    keep: (request: KeepRequest): boolean => {
      const { status, headers, body, gzip, file, amount, facts } = request.response
      const values = [status, JSON.stringify(headers), body, gzip ? 1 : 0, file, amount, JSON.stringify(facts), body.byteLength]
      const row = keep.get(...values, request.account, request.key, request.attempt, request.hold)
      if (row !== undefined) store.run(body.byteLength, row.acct)
      return row !== undefined
    },
    free: (request: Claimed): boolean => free.run(request.account, request.key, request.attempt, request.hold) > 0,
    finalise: (request: Claimed): boolean => finalise.run(request.account, request.key, request.attempt, request.hold) > 0,
  }
}
