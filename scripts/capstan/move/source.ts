import { existsSync } from 'node:fs'
import { auditLedger } from '../audit/ledger.js'
import { Database } from '../../../core/store/sqlite/database.js'
import { APPLICATION_ID, SCHEMA_VERSION } from '../../../core/store/sqlite/schema.js'
import { MoveRefused } from './refused.js'
import type { AccountRow, KeyRow, CapRow, EntryRow, UsageRow, RefusedRow, IdempotencyRow, AuditRow, ArtifactRow } from './rows.js'

/** Rows read at a time: kept answers may be a quarter of a MiB each. */
const PAGE = 200

/** A ledger file, locked against other writers while it is open. */
export class MoveSource {
  readonly file: string
  readonly #db: Database

  private constructor(file: string, db: Database) {
    this.file = file
    this.#db = db
  }

  /** Opens and locks the file. Throws MoveRefused when it does not exist, is not ours, or has another version. */
  static open(file: string): MoveSource {
    if (!existsSync(file)) throw new MoveRefused(`there is no ledger at ${file}: set it with --from sqlite:{path}`)
    const db = new Database({ file, busyMs: 2000 })
    try {
      if (db.pragma('application_id') !== APPLICATION_ID) throw new MoveRefused(`${file} is not a ledger of capstan`)
      const version = db.pragma('user_version')
      if (version !== SCHEMA_VERSION)
        throw new MoveRefused(
          `${file} has schema version ${version}, but this version of capstan moves ${SCHEMA_VERSION}: use the version that wrote it`,
        )
      db.exec('begin immediate')
      return new MoveSource(file, db)
    } catch (error) {
      db.close()
      throw error
    }
  }

  close(): void {
    if (this.#db.inTransaction) this.#db.exec('rollback')
    this.#db.close()
  }

  /** Throws MoveRefused while calls are unsettled or the audit finds problems; `now` in Unix ms. */
  check(now: number): void {
    const alive = this.#number('select count(*) n from leases where expires > ?', now)
    if (alive > 0) throw new MoveRefused('a gateway has a lease on the ledger: stop it; after a crash wait 20 seconds')
    const open = this.#number('select count(*) n from holds')
    const lost = this.#number('select count(*) n from undelivered where refunded = 0')
    if (open + lost > 0)
      throw new MoveRefused(
        `the last gateway left ${open} holds open and ${lost} answers undelivered: start it once on this ledger, which settles them, stop it with SIGTERM, and then move`,
      )
    const { ok, problems } = auditLedger({ file: this.file, now })
    if (!ok)
      throw new MoveRefused(
        [`the ledger is not in order, nothing was moved; capstan ledger check reports:`, ...problems.slice(0, 20)].join('\n'),
      )
  }

  *accounts(): Generator<AccountRow> {
    const query = this.#db.query<AccountRow>(
      'select n, id, name, created_at, bal, over, seq, auth, disabled, max_open, stored from accounts where n > ? order by n limit ?',
    )
    for (const page of pages((last: AccountRow | undefined) => query.all(last?.n ?? 0, PAGE))) yield* page
  }

  /** Spending caps of one account that are used by a key that is not revoked. */
  caps(account: { readonly n: number }): CapRow[] {
    return this.#db
      .query<CapRow>(
        `select c.id, c.credit_limit, c.credit_limit_per_day, c.used, c.day, c.day_taken, k.created_at
         from caps c join keys k on k.id = c.id where c.acct = ? and c.keys > 0 order by c.id`,
      )
      .all(account.n)
  }

  *keys(): Generator<KeyRow[]> {
    const query = this.#db.query<KeyRow>(
      'select k.*, a.id account from keys k join accounts a on a.n = k.acct where k.id > ? order by k.id limit ?',
    )
    yield* pages((last: KeyRow | undefined) => query.all(last?.id ?? '', PAGE))
  }

  *entries(account: { readonly n: number }): Generator<EntryRow[]> {
    const query = this.#db.query<EntryRow>(
      `select a.id account, e.seq, e.ref, e.kind, e.amt, e.after, e.at, e.owner, e.note, e.key, e.cap_day,
         coalesce(e.caps, k.caps) caps, c.facts, s.endpoint, s.capability, e.failed, e.digest, u.refunded
       from entries e join accounts a on a.n = e.acct left join calls c on c.id = e.id left join series s on s.id = e.series
       left join keys k on k.id = e.key left join undelivered u on u.acct = e.acct and u.ref = e.ref
       where e.acct = ? and e.seq > ? order by e.seq limit ?`,
    )
    yield* pages((last: EntryRow | undefined) => query.all(account.n, last?.seq ?? 0, PAGE))
  }

  /** The rollup of one account, and the last entry of each day. */
  usage(account: { readonly n: number }): { rows: UsageRow[]; applied: Map<number, number> } {
    const rows = this.#db
      .query<UsageRow>(
        `select a.id account, u.day, s.endpoint, s.capability, u.calls, u.errors, u.credits from usage u
         join series s on s.id = u.series join accounts a on a.n = u.acct where u.acct = ? order by u.day`,
      )
      .all(account.n)
    const last = this.#db.query<{ day: number; seq: number }>(
      'select cast(floor(at / 86400000.0) as integer) day, max(seq) seq from entries where acct = ? group by 1',
    )
    return { rows, applied: new Map(last.all(account.n).map(({ day, seq }) => [day, seq])) }
  }

  refused(account: { readonly n: number }): RefusedRow[] {
    return this.#db
      .query<RefusedRow>(
        `select a.id account, r.day, r.endpoint, r.capability, r.status, sum(r.count) count from refused r join accounts a on a.n = r.acct
         where r.acct = ? group by r.day, r.endpoint, r.capability, r.status`,
      )
      .all(account.n)
  }

  *idempotency(account: { readonly n: number }): Generator<IdempotencyRow[]> {
    const query = this.#db.query<IdempotencyRow>(
      'select i.*, a.id account from idempotency i join accounts a on a.n = i.acct where i.acct = ? and i.key > ? order by i.key limit ?',
    )
    yield* pages((last: IdempotencyRow | undefined) => query.all(account.n, last?.key ?? '', PAGE))
  }

  settings(): { version: number; values: { name: string; value: string }[] } {
    return {
      version: this.#number(`select value n from counters where name = 'settings'`),
      values: this.#db.query<{ name: string; value: string }>('select name, value from settings order by name').all(),
    }
  }

  /** The time before which entries were trimmed, 0 if none was. */
  trimmedBefore(): number {
    return this.#number(`select value n from counters where name = 'trimmed'`)
  }

  *audit(): Generator<AuditRow[]> {
    const query = this.#db.query<AuditRow>('select id, at, actor, action, target, detail from audit where id > ? order by id limit ?')
    yield* pages((last: AuditRow | undefined) => query.all(last?.id ?? 0, PAGE))
  }

  *artifacts(): Generator<ArtifactRow[]> {
    const query = this.#db.query<ArtifactRow>(
      'select f.id, a.id account, f.name, f.content_type, f.size, f.created_at, f.expires_at from artifacts f join accounts a on a.n = f.acct where f.id > ? order by f.id limit ?',
    )
    yield* pages((last: ArtifactRow | undefined) => query.all(last?.id ?? '', PAGE))
  }

  /** Number of documents of each collection. */
  counts(): Readonly<Record<string, number>> {
    const names = ['accounts', 'entries', 'keys', 'idempotency', 'artifacts', 'audit']
    const counted = names.map((name): [string, number] => [name, this.#number(`select count(*) n from ${name}`)])
    return Object.fromEntries([
      ...counted,
      ['details', this.#number('select count(*) n from calls')],
      ['refused', this.#number('select count(*) n from (select distinct acct, day, endpoint, capability, status from refused)')],
      ['usage_daily', this.#number('select count(*) n from (select distinct acct, day from usage)')],
    ])
  }

  /** Sum of the balances of all accounts, in thousandths of a credit. */
  credits(): number {
    return this.#number('select coalesce(sum(bal), 0) n from accounts')
  }

  #number(text: string, ...values: number[]): number {
    return this.#db.query<{ n: number }>(text).get(...values)?.n ?? 0
  }
}

function* pages<T>(next: (last: T | undefined) => T[]): Generator<T[]> {
  let last: T | undefined
  do {
    const page = next(last)
    if (page.length > 0) yield page
    last = page.length < PAGE ? undefined : page.at(-1)
  } while (last !== undefined)
}
