import { escaped, idOf } from '../../../core/store/mongodb/filter.js'
import { capsField } from '../../../core/store/mongodb/caps.js'
import { splitDetails } from '../../../core/store/mongodb/details.js'
import { rowName } from '../../../core/store/mongodb/rollup.js'
import { SCHEMA_VERSION } from '../../../core/store/mongodb/schemas.js'
import type {
  AccountDocument,
  AnswerField,
  ArtifactDocument,
  AuditDocument,
  CapField,
  DetailsDocument,
  EntryDocument,
  EntryWithFacts,
  IdempotencyDocument,
  KeyDocument,
  RefusedDocument,
  RetentionDocument,
  SettingsDocument,
  UsageCount,
  UsageDocument,
} from '../../../core/store/mongodb/documents.js'
import { factsOrNull, storedFacts, storedTexts } from '../../../core/store/stored.js'
import type { AccountRow, ArtifactRow, AuditRow, CapRow, EntryRow, IdempotencyRow, KeyRow, RefusedRow, UsageRow } from './rows.js'

/** Represents no limit in the caps of an account. */
const UNLIMITED = 2 ** 52

/** An account without open holds and with every entry published. */
export function accountDocument(row: AccountRow, capped: readonly CapRow[]): AccountDocument {
  const { id, name, created_at, max_open, bal, over, seq, auth, stored: bytes } = row
  return {
    ...{ _id: id, name, created_at, disabled: row.disabled === 1, max_open },
    ...{ bal, held: 0, over, avail: bal + over, seq, ver: seq, done: seq, pseq: 0, auth, open: 0, holds: {}, out: [] },
    ...{ caps: Object.fromEntries(capped.map((cap) => [cap.id, capField(cap)])), capped: capped.length, stored: bytes, taken: 0 },
  }
}

function capField({ credit_limit, credit_limit_per_day, used, day, day_taken, created_at }: CapRow): CapField {
  const dlim = credit_limit_per_day ?? UNLIMITED
  return { left: (credit_limit ?? UNLIMITED) - used, day, dleft: dlim - day_taken, dlim, at: created_at }
}

/** A key whose spending is counted up to the account's last entry. */
export function keyDocument(row: KeyRow, applied: number): KeyDocument {
  const {
    id,
    account,
    name,
    hash,
    prefix,
    rate,
    created_at,
    last_used_at,
    expires_at,
    revoked_at,
    credit_limit,
    credit_limit_per_day,
    used,
  } = row
  const lists = { scopes: list(row.scopes), allowed_ips: list(row.allowed_ips) }
  const times = { created_at, last_used_at, expires_at, revoked_at }
  const limits = {
    credit_limit,
    credit_limit_per_day,
    caps: storedTexts(row.caps),
    ...(row.superseded === 1 ? { superseded: true } : {}),
  }
  return { _id: id, acct: account, name, hash, prefix, rate, ...times, ...lists, ...limits, used, applied }
}

function list(text: string | null): readonly string[] | null {
  return text === null ? null : storedTexts(text)
}

/** Entries with their call summaries, and the details of calls that were not trimmed. */
export function entryDocuments(rows: readonly EntryRow[]): {
  readonly entries: readonly EntryDocument[]
  readonly details: readonly DetailsDocument[]
} {
  return splitDetails(rows.map(entryDocument))
}

function entryDocument(row: EntryRow): EntryWithFacts {
  const { account, seq, ref, kind, amt, after, at, owner, note, key, cap_day } = row
  const facts = factsOrNull(row.facts)
  const caps = list(row.caps) ?? []
  const line = { ref, kind, amt, at, own: owner, note, key, cap: cap_day, ...(caps.length === 0 ? {} : capsField(key, caps)), facts }
  const delivered = kind === 'charge' ? deliveredOf(row.refunded) : null
  return { ...line, acct: account, seq, after, delivered, ...keptOf(row) }
}

/** The summary of a call, which remains after its details were trimmed. */
function keptOf({ facts, endpoint, capability, failed, digest }: EntryRow): Pick<EntryDocument, 'call'> {
  if (facts !== null || digest === null || endpoint === null || capability === null) return {}
  return { call: { endpoint, capability, failed: failed === 1, digest } }
}

/** Recorded as undelivered: null (unknown yet) or false (refunded). Not recorded: true. */
function deliveredOf(refunded: number | null): boolean | null {
  if (refunded === null) return true
  return refunded === 1 ? false : null
}

/** One document for each day. */
export function usageDocuments(rows: readonly UsageRow[], applied: ReadonlyMap<number, number>): UsageDocument[] {
  const days = new Map<number, UsageRow[]>()
  for (const row of rows) days.set(row.day, [...(days.get(row.day) ?? []), row])
  return [...days].map(([day, counts]) => {
    const acct = counts[0]?.account ?? ''
    const named = counts.map(({ endpoint, capability, calls, errors, credits }): [string, UsageCount] => [
      rowName(endpoint, capability),
      { calls, errors, credits },
    ])
    return { _id: idOf(acct, day), acct, day, applied: applied.get(day) ?? 0, rows: Object.fromEntries(named) }
  })
}

/** Every instance that counted in the file has ended, and no instance is named twice, so their counts are added. */
export function refusedDocument({ account: acct, day, endpoint, capability, status, count }: RefusedRow): RefusedDocument {
  return { _id: idOf(acct, day, endpoint, capability, status), acct, day, endpoint, capability, status, counts: { moved: count } }
}

export function idempotencyDocument(row: IdempotencyRow): IdempotencyDocument {
  const { account: acct, key, fingerprint, state, attempt, hold, owner, lock_until, once, expires, bytes } = row
  return {
    ...{ _id: idOf(acct, key), acct, fingerprint, st: state === 'kept' ? 'ready' : state, att: attempt, hid: hold, own: owner },
    ...{ lock: lock_until, once: once === 1, expires, bytes, answer: state === 'kept' ? answerOf(row) : null },
  }
}

function answerOf({ status, headers, body, gzip, file, amount, facts }: IdempotencyRow): AnswerField {
  if (status === null || headers === null || body === null || amount === null || facts === null)
    throw new Error('a kept answer is incomplete; see capstan ledger check')
  return { status, headers, body: Buffer.from(body), gzip: gzip === 1, file, amount, facts: storedFacts(facts) }
}

export function settingsDocument({
  version,
  values,
}: {
  version: number
  values: readonly { name: string; value: string }[]
}): SettingsDocument {
  return {
    _id: 'settings',
    schema: SCHEMA_VERSION,
    version,
    values: Object.fromEntries(values.map(({ name, value }) => [escaped(name), value])),
  }
}

/** The time up to which the copied entries are trimmed. */
export function retentionDocument(before: number): RetentionDocument {
  return { _id: 'facts', before }
}

export function auditDocument({ at, actor, action, target, detail }: AuditRow): AuditDocument {
  return { at, actor, action, target, detail }
}

export function artifactDocument({ id, account, name, content_type, size, created_at, expires_at }: ArtifactRow): ArtifactDocument {
  return { _id: id, acct: account, name, content_type, size, created_at, expires_at }
}
