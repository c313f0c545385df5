import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore, type SqliteOptions } from '../../core/store/sqlite/store.js'
import type {
  ArtifactRecord,
  ChargeRequest,
  ClaimRequest,
  Facts,
  HoldRequest,
  KeyRecord,
  KeptResponse,
  ReleaseRequest,
  Store,
} from '../../core/store/types.js'

/** Noon of a day, so that a test may go some hours either way without changing it. */
export const NOON = Date.UTC(2026, 0, 31, 12)
export const DAY = 86_400_000
/** One page that holds every key of a test. */
export const ALL_KEYS = { now: NOON, limit: 1000, offset: 0 }

export function facts(change: Partial<Facts> = {}): Facts {
  return {
    endpoint: '/v1/search',
    capability: 'search.web',
    mode: 'fast',
    product: 'agent',
    key_id: 'key_1',
    request_id: 'req_1',
    status: 200,
    ms: 12,
    provider_used: 'first',
    providers_tried: ['first'],
    error: null,
    ...change,
  }
}

let last = 0
/** A fresh id; the order of making is the order of sorting. */
export function fresh(prefix = 'h'): string {
  last += 1
  return `${prefix}_${String(last).padStart(8, '0')}`
}

export function holdOf(change: Partial<HoldRequest> = {}): HoldRequest {
  const place = { account: 'acc', hold: fresh(), amount: 1000, deadline: NOON + 60_000, owner: 'gw1', auth: 0, key: 'key_1', capped: false }
  return { ...place, capability: 'search.web', maxOpen: 64, now: NOON, ...change }
}

export function chargeOf(hold: string, amount = 1000, change: Partial<ChargeRequest> = {}): ChargeRequest {
  return { account: 'acc', hold, amount, owner: 'gw1', facts: facts(), now: NOON, ...change }
}

export function releaseOf(hold: string, change: Partial<ReleaseRequest> = {}): ReleaseRequest {
  return {
    account: 'acc',
    hold,
    owner: 'gw1',
    reason: 'provider failed',
    facts: facts({ status: 503, error: 'transient' }),
    now: NOON,
    ...change,
  }
}

export function keyOf(change: Partial<KeyRecord> = {}): KeyRecord {
  const id = change.id ?? 'key_1'
  const life = { created_at: NOON, last_used_at: null, expires_at: null, revoked_at: null }
  const limits = {
    rate_limit_per_minute: 60,
    scopes: null,
    credit_limit: null,
    credit_limit_per_day: null,
    allowed_ips: null,
    credits_used: 0,
  }
  const caps = (change.credit_limit ?? null) === null && (change.credit_limit_per_day ?? null) === null ? [] : [id]
  return { id, account: 'acc', name: 'First key', hash: `hash of ${id}`, prefix: 'cap_12345678', ...life, ...limits, caps, ...change }
}

export function claimOf(change: Partial<ClaimRequest> = {}): ClaimRequest {
  const place = { account: 'acc', key: 'idem', fingerprint: 'same', hold: fresh(), owner: 'gw1', once: false }
  return { ...place, lockUntil: NOON + 30_000, expires: NOON + DAY, now: NOON, ...change }
}

export function answer(change: Partial<KeptResponse> = {}): KeptResponse {
  const body = new TextEncoder().encode('{"ok":true}')
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body,
    gzip: false,
    file: null,
    amount: 1000,
    facts: facts(),
    ...change,
  }
}

export function artifactOf(change: Partial<ArtifactRecord> = {}): ArtifactRecord {
  const times = { created_at: NOON, expires_at: NOON + DAY }
  return { id: fresh('art'), account: 'acc', name: 'shot.png', content_type: 'image/png', size: 100, ...times, ...change }
}

/** Opens an account with money and one key, ready for calls. */
export async function furnish(store: Store, credits = 10_000, account = 'acc'): Promise<void> {
  await store.accounts.create({ id: account, name: 'First Last', now: NOON })
  const grant = {
    account,
    ref: `grant ${account}`,
    kind: 'grant',
    amount: credits,
    note: 'opening',
    facts: null,
    owner: 'cli',
    now: NOON,
  } as const
  if (credits > 0) await store.ledger.post(grant)
  await store.keys.create(keyOf({ account, id: account === 'acc' ? 'key_1' : `key of ${account}` }))
}

/** A folder that is gone after the test. */
export class TemporaryFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'capstan-store-'))

  file(name = 'ledger.db'): string {
    return join(this.path, name)
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** A store on a file of its own, with the way to end both. */
export async function temporaryStore(
  options: Partial<SqliteOptions> = {},
): Promise<{ store: Store; file: string; end: () => Promise<void> }> {
  const folder = new TemporaryFolder()
  const file = options.file ?? folder.file()
  const store = await openSqliteStore({ thread: 'same', ...options, file })
  const end = async () => {
    await store.close()
    folder.remove()
  }
  return { store, file, end }
}
