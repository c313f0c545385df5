/**
 * The collections of the ledger on MongoDB and their fields, in one place (indexes.ts has the indexes): the auditor
 * reads the same names. Amounts are thousandths of a credit, times Unix ms, days the number of the UTC day since 1970;
 * what is "none" is null, not missing, unless it says "absent".
 *
 * - `accounts`, one document an account, which is the unit of every atomic step: `_id`, `name`, `created_at`,
 *   `disabled`, `max_open`; the money `bal`, `held`, `over`, `avail` (always bal - held + over); `seq` (entries ever
 *   made), `ver` (+1 on every change of money or caps), `auth` (+1 on every revocation), `open` (holds in the map);
 *   `holds` {id: {amt, dl, own, key, cap, at, capability, call}}, where `cap` is the day whose caps the hold took from,
 *   null without a cap, `caps` their ids, absent when it is that of its key alone, and `call` what the history records
 *   should the gateway die;
 *   `out` [{ref, kind, amt, at, own, note, key, cap, facts}], the entries not yet published, oldest first: entry i of n
 *   has the number seq - (n - 1 - i); a charge whose delivery is awaited has its owner's sequence number `n`, any other
 *   charge has `delivered: true`;
 *   `pub`, the slot of the account, present while entries are unpublished; `done`, number of the last entry published,
 *   0 before the first; `pseq`, entries posted by reference; `dl`, no later than the earliest deadline of an open hold,
 *   absent when no hold was made since the last sweep found none;
 *   `caps` {cap id: {left, day, dleft, dlim, at}}: spending caps, each with the id of the key it was made for, 2^52
 *   where there is no limit, deleted when no active key spends on it; `capped` (keys in that map);
 *   `stored` (bytes of artifacts and kept answers) and `taken` (when bytes were last reserved).
 * - `entries`, append-only: `acct`, `seq`, `ref`, `kind`, `amt` (signed), `after`, `at`, `own`, `note`, `key`, `cap`,
 *   `caps`, `n`, and `delivered`: null at first; true when the answer was written; false when the charge was refunded.
 *   Nothing else of an entry ever changes. Published (here) or not yet (in `out`), an entry counts the same. A charge
 *   with a number `n` that is not refunded stays at null: its owner in `gateways` records whether its answer was
 *   written. `call` {endpoint, capability, failed, digest}: what an entry keeps of its call, whose facts are in
 *   `details`; absent in entries of no call and in refunds of calls trimmed before.
 * - `details`, what may be trimmed of a call: `_id` account + ' ' + number of the entry in 16 digits, `acct`, `seq`,
 *   `ref`, `amt`, `at`, and `facts`; those of a refund are named `of`, because a refund is no call. Written before
 *   their entry, deleted when older than the time noted in `retention`.
 * - `usage_daily`, one document an account and day: `_id` JSON [acct, day], `acct`, `day`, `applied` (number of the
 *   last entry of that day that is counted), `rows` {endpoint + ' ' + capability, escaped: {calls, errors, credits}}.
 * - `refused`: calls refused before a hold: `_id` JSON [acct, day, endpoint, capability, status], these, and `counts`
 *   {instance, escaped: absolute count}. Deleted by retention when 400 days older than what is trimmed.
 * - `keys`: `_id`, `acct`, the fields of the port, `used` and `applied` (spending of published entries up to that
 *   number), `due` (true while the epoch of the account is still to be raised, else absent).
 * - `idempotency`: `_id` JSON [acct, key hash], `acct`, `fingerprint`, `st` (running, ready, final), `att`, `hid`,
 *   `own`, `lock`, `once`, `expires`, `bytes`, and, when ready, `answer` {status, headers as JSON, body, gzip, file,
 *   amount, facts}.
 * - `retention`, the one document `facts`, absent before the first trim: `before`, the time before which details were
 *   deleted or are being deleted; it only rises, and rises before they are.
 * - `gateways`: `_id` instance; `expires`, end of its lease by the server's clock, absent once it ended; `ended` true
 *   when no work of it is left; `upto`, the last number given to one of its charges, and `open`, those up to it whose
 *   answers are not known to be written: a charge is delivered when its `n` is at most `upto` and not in `open`; `rev`,
 *   +1 on every write of these two; `late`, +1 whenever a charge of it is published while its lease has run out or is
 *   ended. Documents named `lease:` and a name have `own`, the instance that does this work for all until `expires`.
 * - `settings`: the one document `settings` with `version` and `values` {name, escaped: value}, so that value and
 *   version change in one step, and `schema`, the version of all these schemas. `audit`: `at`, `actor`, `action`,
 *   `target`, `detail` as JSON. `artifacts`: `_id`, `acct` and the fields of the port.
 */

import { Schema, type SchemaDefinition } from 'mongoose'

// Without casts: a value of another type is refused, not converted.
const maybeText = { type: String, cast: false } as const
const maybeNumber = { type: Number, cast: false } as const
const maybeFlag = { type: Boolean, cast: false } as const
const text = { ...maybeText, required: true } as const
const count = { ...maybeNumber, required: true } as const
const flag = { ...maybeFlag, required: true } as const
const someText = { ...maybeText, default: null } as const
const someNumber = { ...maybeNumber, default: null } as const
const object = { type: Schema.Types.Mixed, default: null } as const
const mixed = { type: Schema.Types.Mixed, required: true } as const

/** Unknown fields are errors in documents, updates and filters; nothing is created or indexed implicitly. */
const STRICT = { strict: 'throw', strictQuery: 'throw', versionKey: false, id: false, minimize: false } as const
const MADE = { autoIndex: false, autoCreate: false, bufferCommands: false } as const

type Loose = Record<string, unknown>

const part = (fields: SchemaDefinition): Schema<Loose> => new Schema<Loose>(fields, { ...STRICT, _id: false })
const schema = (collection: string, fields: SchemaDefinition): Schema<Loose> =>
  new Schema<Loose>(fields, { ...STRICT, ...MADE, collection })

const entryFields = {
  ref: text,
  kind: text,
  amt: count,
  at: count,
  own: text,
  note: someText,
  key: someText,
  cap: someNumber,
  caps: Schema.Types.Mixed,
  n: maybeNumber,
}

/** Version of these schemas; ledgers of others are refused. Raise it when earlier documents cannot be used. */
export const SCHEMA_VERSION = 1

/** One schema per collection, built for every connection. */
export function buildSchemas() {
  // Mongoose treats an empty text as missing; here it is a text like any other.
  Schema.Types.String.checkRequired((value) => typeof value === 'string')
  const accounts = schema('accounts', {
    _id: text,
    name: text,
    created_at: count,
    disabled: flag,
    max_open: someNumber,
    bal: count,
    held: count,
    over: count,
    avail: count,
    seq: count,
    ver: count,
    auth: count,
    open: count,
    holds: mixed,
    out: [part({ ...entryFields, facts: object, delivered: maybeFlag })],
    pub: maybeNumber,
    done: count,
    pseq: count,
    dl: maybeNumber,
    caps: mixed,
    capped: count,
    stored: count,
    taken: count,
  })

  const entries = schema('entries', {
    ...entryFields,
    acct: text,
    seq: count,
    after: count,
    delivered: { ...maybeFlag, default: null },
    call: Schema.Types.Mixed,
  })

  const details = schema('details', {
    _id: text,
    acct: text,
    seq: count,
    ref: text,
    amt: count,
    at: count,
    facts: Schema.Types.Mixed,
    of: Schema.Types.Mixed,
  })

  const usage = schema('usage_daily', { _id: text, acct: text, day: count, applied: count, rows: mixed })

  const refused = schema('refused', {
    _id: text,
    acct: text,
    day: count,
    endpoint: text,
    capability: text,
    status: count,
    counts: mixed,
  })

  const keys = schema('keys', {
    _id: text,
    acct: text,
    name: text,
    hash: text,
    prefix: text,
    rate: count,
    created_at: count,
    last_used_at: someNumber,
    expires_at: someNumber,
    revoked_at: someNumber,
    scopes: object,
    credit_limit: someNumber,
    credit_limit_per_day: someNumber,
    allowed_ips: object,
    used: count,
    applied: count,
    due: maybeFlag,
    caps: mixed,
    superseded: maybeFlag,
  })

  const answer = part({ status: count, headers: text, body: Buffer, gzip: flag, file: someText, amount: count, facts: object })
  const idempotency = schema('idempotency', {
    _id: text,
    acct: text,
    fingerprint: text,
    st: text,
    att: count,
    hid: text,
    own: text,
    lock: count,
    once: flag,
    expires: count,
    bytes: count,
    answer: { type: answer, default: null },
  })

  const gateways = schema('gateways', {
    _id: text,
    expires: maybeNumber,
    rev: maybeNumber,
    upto: maybeNumber,
    open: { type: [Number], default: undefined },
    ended: maybeFlag,
    late: maybeNumber,
    own: maybeText,
  })
  const retention = schema('retention', { _id: text, before: count })
  const settings = schema('settings', { _id: text, schema: count, version: count, values: mixed })
  const audit = schema('audit', { at: count, actor: text, action: text, target: text, detail: text })
  const artifacts = schema('artifacts', {
    _id: text,
    acct: text,
    name: text,
    content_type: text,
    size: count,
    created_at: count,
    expires_at: count,
  })

  return { accounts, entries, details, usage, refused, keys, idempotency, gateways, retention, settings, audit, artifacts }
}
