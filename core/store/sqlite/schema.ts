import { StoreRefused } from '../types.js'
import type { Database } from './database.js'

/** Application id of the file: the letters CAPS. */
export const APPLICATION_ID = 0x43415053

/** Version of the schema. A file of another version is refused; raise it with every change of the schema. */
export const SCHEMA_VERSION = 5

/** Files up to this size in bytes are checked page by page on opening; larger ones by `capstan ledger check`. */
const CHECKED_BYTES = 32 * 1024 * 1024

const SCHEMA = `
create table accounts (
  n integer primary key,
  id text not null unique,
  name text not null,
  created_at integer not null,
  bal integer not null default 0,
  held integer not null default 0 check (held >= 0),
  over integer not null default 0 check (over >= 0),
  seq integer not null default 0 check (seq >= 0),
  open integer not null default 0 check (open >= 0),
  auth integer not null default 0,
  disabled integer not null default 0 check (disabled in (0, 1)),
  max_open integer check (max_open > 0),
  stored integer not null default 0 check (stored >= 0),
  check (bal - held + over >= 0)
) strict;
create index accounts_name on accounts (name);

create table keys (
  id text primary key,
  acct integer not null references accounts (n),
  name text not null,
  hash text not null unique,
  prefix text not null,
  rate integer not null check (rate > 0),
  created_at integer not null,
  last_used_at integer,
  expires_at integer,
  revoked_at integer,
  scopes text,
  credit_limit integer check (credit_limit >= 0),
  credit_limit_per_day integer check (credit_limit_per_day >= 0),
  allowed_ips text,
  used integer not null default 0,
  caps text not null default '[]',
  superseded integer not null default 0 check (superseded in (0, 1))
) strict, without rowid;
-- With revoked_at these two indexes alone answer which keys of an account are active, and how many.
create index keys_active on keys (acct, created_at, id, expires_at, revoked_at) where revoked_at is null;
create index keys_alive on keys (acct, expires_at, superseded, revoked_at) where revoked_at is null;

-- Spending caps have their own rows, because a key and its descendants share them. Column keys: the number of unrevoked ones.
create table caps (
  id text primary key,
  acct integer not null references accounts (n),
  credit_limit integer check (credit_limit >= 0),
  credit_limit_per_day integer check (credit_limit_per_day >= 0),
  used integer not null default 0,
  reserved integer not null default 0 check (reserved >= 0),
  day integer not null default 0,
  day_taken integer not null default 0 check (day_taken >= 0),
  keys integer not null default 0 check (keys >= 0)
) strict, without rowid;
create index caps_active on caps (acct) where keys > 0;

create table holds (
  acct integer not null references accounts (n),
  id text not null,
  amt integer not null check (amt >= 0),
  deadline integer not null,
  at integer not null,
  owner text not null,
  key text not null,
  cap_day integer,
  capability text not null,
  call text,
  caps text,
  primary key (acct, id)
) strict, without rowid;
create index holds_deadline on holds (deadline);

create table series (
  id integer primary key,
  acct integer not null references accounts (n),
  endpoint text not null,
  capability text not null,
  n integer not null default 0,
  unique (acct, endpoint, capability)
) strict;

create table entries (
  id integer primary key,
  acct integer not null references accounts (n),
  seq integer not null check (seq > 0),
  ref text not null,
  kind text not null check (kind in ('grant', 'charge', 'release', 'refund', 'adjust', 'expire')),
  amt integer not null,
  after integer not null,
  at integer not null,
  owner text not null,
  note text,
  key text,
  cap_day integer,
  caps text,
  series integer references series (id),
  nth integer,
  failed integer check (failed in (0, 1)),
  digest text,
  check (kind != 'release' or amt = 0),
  check (kind != 'charge' or amt <= 0),
  check (kind not in ('grant', 'refund') or amt >= 0)
) strict;
create unique index entries_seq on entries (acct, seq);
create unique index entries_ref on entries (acct, ref);
create index entries_series on entries (series, seq, nth) where nth is not null;
create trigger entries_fixed before update on entries begin select raise(abort, 'entries never change'); end;
create trigger entries_kept before delete on entries begin select raise(abort, 'entries are never deleted'); end;

-- Details of calls by id of their entry, which keeps the fields for money and counts: series, number, failed, digest.
-- The digest is half a SHA-256, 32 hexadecimal digits: a second preimage of 16 bytes is out of reach.
create table calls (
  id integer primary key,
  at integer not null,
  facts text not null
) strict;
create trigger calls_fixed before update on calls begin select raise(abort, 'details of calls never change'); end;
create trigger calls_kept before delete on calls when coalesce(old.at < (select value from counters where name = 'trimmed'), 0) = 0
  begin select raise(abort, 'details of calls are kept until they are trimmed'); end;

create table undelivered (
  acct integer not null references accounts (n),
  ref text not null,
  owner text not null,
  refunded integer not null default 0 check (refunded in (0, 1)),
  primary key (acct, ref)
) strict, without rowid;
create index undelivered_owner on undelivered (owner) where refunded = 0;

create table usage (
  acct integer not null references accounts (n),
  day integer not null,
  series integer not null references series (id),
  calls integer not null default 0,
  errors integer not null default 0,
  credits integer not null default 0,
  primary key (acct, day, series)
) strict, without rowid;
create index usage_day on usage (day);

create table refused (
  acct integer not null references accounts (n),
  day integer not null,
  instance text not null,
  endpoint text not null,
  capability text not null,
  status integer not null,
  count integer not null,
  primary key (acct, day, instance, endpoint, capability, status)
) strict, without rowid;
create index refused_day on refused (day);

create table idempotency (
  acct integer not null references accounts (n),
  key text not null,
  fingerprint text not null,
  state text not null check (state in ('running', 'kept', 'final')),
  attempt integer not null,
  hold text not null,
  owner text not null,
  lock_until integer not null,
  once integer not null check (once in (0, 1)),
  expires integer not null,
  bytes integer not null default 0,
  status integer,
  headers text,
  body blob,
  gzip integer,
  file text,
  amount integer,
  facts text,
  primary key (acct, key),
  check (state != 'kept' or (status is not null and body is not null))
) strict;
create index idempotency_expires on idempotency (expires);

create table leases (instance text primary key, expires integer not null) strict, without rowid;

create table settings (name text primary key, value text not null) strict, without rowid;
create table counters (name text primary key, value integer not null) strict, without rowid;
insert into counters values ('settings', 0), ('trimmed', 0);

create table audit (
  id integer primary key autoincrement,
  at integer not null,
  actor text not null,
  action text not null,
  target text not null,
  detail text not null
) strict;

create table artifacts (
  id text primary key,
  acct integer not null references accounts (n),
  name text not null,
  content_type text not null,
  size integer not null check (size >= 0),
  created_at integer not null,
  expires_at integer not null
) strict, without rowid;
create index artifacts_expires on artifacts (expires_at);
`

function refuseOthers(db: Database, file: string, version: number): void {
  // In this order: tables that another process is creating appear together with their application id.
  const tables = db.query<{ n: number }>('select count(*) n from sqlite_schema').get()?.n ?? 0
  const application = db.pragma('application_id')
  if (application !== APPLICATION_ID && tables > 0) throw new StoreRefused(`${file} is a database of another program; nothing was changed`)
  if (version > SCHEMA_VERSION)
    throw new StoreRefused(
      `${file} has schema version ${version}, this version of capstan supports ${SCHEMA_VERSION}: update capstan; nothing was changed`,
    )
  if (version > 0 && version < SCHEMA_VERSION)
    throw new StoreRefused(
      `${file} has schema version ${version}, of a version before the first release, this version of capstan supports ${SCHEMA_VERSION}: name another file; nothing was changed`,
    )
}

function checkPages(db: Database, file: string): void {
  if (db.pragma('page_count') * db.pragma('page_size') > CHECKED_BYTES) return
  const found = db.query<{ quick_check: string }>('pragma quick_check(1)').get()?.quick_check
  if (found !== 'ok')
    throw new StoreRefused(`${file} is damaged (${String(found).split('\n').at(-1)}): restore a backup; nothing was repaired`)
}

/** Creates the tables, unless another process did meanwhile. */
function make(db: Database): void {
  db.exec('begin immediate')
  try {
    if (db.pragma('user_version') === 0)
      db.exec(`${SCHEMA} pragma application_id = ${APPLICATION_ID}; pragma user_version = ${SCHEMA_VERSION}`)
    db.exec('commit')
  } catch (error) {
    if (db.inTransaction) db.exec('rollback')
    throw error
  }
}

/**
 * Checks the file and makes this connection its writer; a new file gets the tables. Throws StoreRefused, before
 * anything is changed, for a file that is corrupt, of another program, or of another version of the schema.
 */
export function prepare(db: Database, file: string): void {
  const version = db.pragma('user_version')
  refuseOthers(db, file, version)
  if (version > 0) checkPages(db, file)
  db.becomeWriter()
  if (version === 0) make(db)
}
