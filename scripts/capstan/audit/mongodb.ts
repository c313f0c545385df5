import { mongo } from 'mongoose'
import { unnamedDatabase } from '../../../core/runtime/unnamed-database.js'
import { buildGuards, textOf, type AuditedAccount, type AuditedKey, type AuditedUsage, type Guards } from './mongodb-documents.js'
import { checkNumbered, type NumberedCharge } from './mongodb-deliveries.js'
import { checkDetails, checkOrphanDetails, type DetailsPair } from './mongodb-details.js'
import { checkKept, checkPairs } from './mongodb-lookups.js'
import { AccountWalk, type Pair } from './mongodb-walk.js'
import { Findings, type AuditReport } from './report.js'

interface MongoAuditOptions {
  /** `mongodb://…`, with the database's name. */
  readonly uri: string
  /** Unix ms. */
  readonly now?: number
  /** A gateway was alive, so overlong holds are a problem (L9). By default: when a lease has not run out. */
  readonly alive?: boolean
}

/** Deadline, grace of 30 s, a sweep every 5 s with jitter, and a margin: security.md N-12. */
const OVERLONG_MS = 45_000
/** Accounts per page; each is at most some hundred KiB. */
const PAGE = 50
/** Entries in memory together. */
const ENTRIES = 1000
/** Pairs of entries looked up together. */
const PAIRS = 500

interface Audit {
  readonly db: mongo.Db
  readonly guards: Guards
  readonly findings: Findings
  /** Unix ms to compare deadlines with; null when no gateway could sweep. */
  readonly overlongAt: number | null
  /** A gateway was alive and could sweep. */
  readonly isAlive: boolean
  readonly now: number
  readonly totals: { accounts: number; entries: number }
}

/**
 * Checks a ledger in MongoDB against the invariants L1 to L7 and L9 to L12 with its own queries, independently of the adapter that wrote
 * it. May run beside gateways: an account is checked against its entries up to its number when it was read, and entries are only added,
 * their details trimmed only before the recorded time. Reads each account and each entry once, a page at a time. Storage is not audited:
 * its count may lag after a crash.
 */
export async function auditMongo(options: MongoAuditOptions): Promise<AuditReport> {
  const findings = new Findings()
  const totals = { accounts: 0, entries: 0 }
  const client = new mongo.MongoClient(options.uri, { serverSelectionTimeoutMS: 3000, socketTimeoutMS: 60_000, appName: 'capstan audit' })
  try {
    const db = client.db(unnamedDatabase(options.uri))
    const now = options.now ?? Date.now()
    const isAlive = options.alive ?? (await hasLease(db, now))
    await checkAll({ db, guards: buildGuards(), findings, overlongAt: isAlive ? now - OVERLONG_MS : null, isAlive, now, totals })
  } catch (error) {
    findings.add(`database: cannot be read to its end: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await client.close()
  }
  const problems = findings.lines()
  return { ok: problems.length === 0, ...totals, problems }
}

/** True when the lease of a gateway has not run out. */
async function hasLease(db: mongo.Db, now: number): Promise<boolean> {
  const alive = { expires: { $gt: now }, own: { $exists: false } }
  return (await db.collection('gateways').findOne(alive, { projection: { _id: 1 } })) !== null
}

async function checkAll(audit: Audit): Promise<void> {
  await checkIndexes(audit)
  if ((await trimmedBefore(audit)) > audit.now) audit.findings.add('L10 entries are trimmed up to a time that has not come')
  let after: string | null = null
  do {
    const page: unknown[] = await audit.db
      .collection<{ _id: string }>('accounts')
      .find(after === null ? {} : { _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(PAGE)
      .toArray()
    const last: string | null = page.length < PAGE ? null : textOf(page.at(-1), '_id')
    await checkPage(audit, page, { after, last })
    after = last
  } while (after !== null)
  await checkOrphanDetails(audit)
  await checkKept(audit.db, audit.guards, audit.findings)
}

/** The two indexes that make numbers and references unique; where one is missing its rule is checked by a query. */
async function checkIndexes({ db, findings }: Audit): Promise<void> {
  const entries = db.collection('entries')
  const has = new Set<string>()
  for (const { key, unique, partialFilterExpression } of await entries.indexes())
    if (unique === true && partialFilterExpression === undefined) has.add(Object.keys(key).join(', '))
  if (!has.has('acct, seq')) findings.add('L4 the unique index on entries (acct, seq) is missing')
  if (has.has('acct, ref')) return
  findings.add('L5 the unique index on entries (acct, ref) is missing')
  const places = entries.aggregate([{ $group: { _id: { acct: '$acct', ref: '$ref' }, n: { $sum: 1 } } }, { $match: { n: { $gt: 1 } } }], {
    allowDiskUse: true,
  })
  for await (const document of places) {
    const { _id: place, n }: { _id?: unknown; n?: unknown } = document
    findings.add(`L5 reference ${textOf(place, 'ref')} is used ${String(n)} times`)
  }
}

/** Checks a page of accounts, and all entries after the previous page up to its last account. */
async function checkPage(audit: Audit, page: readonly unknown[], range: { after: string | null; last: string | null }): Promise<void> {
  const { db, guards, findings, totals } = audit
  const walks = await walksOf(audit, page)
  const pairs: Pair[] = []
  const withDetails: DetailsPair[] = []
  const numbered: NumberedCharge[] = []
  const acct = { ...(range.after === null ? {} : { $gt: range.after }), ...(range.last === null ? {} : { $lte: range.last }) }
  const cursor = db
    .collection('entries')
    .find(Object.keys(acct).length === 0 ? {} : { acct })
    .sort({ acct: 1, seq: 1 })
    .batchSize(ENTRIES)
  for await (const document of cursor) {
    const entry: unknown = document
    if (!guards.entry.check(entry)) {
      findings.add(`L11 entry ${textOf(entry, 'ref')} of account ${textOf(entry, 'acct')} cannot be read: ${guards.entry.explain()}`)
      continue
    }
    const walk = walks.get(entry.acct)
    if (walk === undefined) await checkOrphan(audit, entry)
    walk?.step(entry)
    pairs.push(...(walk?.takePairs() ?? []))
    withDetails.push(...(walk?.takeWithDetails() ?? []))
    numbered.push(...(walk?.takeNumbered() ?? []))
    if (pairs.length >= PAIRS) await checkPairs(db, guards, pairs.splice(0), findings)
    if (withDetails.length >= PAIRS) await checkDetails(audit, withDetails.splice(0))
    if (numbered.length >= PAIRS) await checkNumbered(audit, numbered.splice(0))
  }
  for (const walk of walks.values()) {
    walk.endPublished()
    pairs.push(...walk.takePairs())
    numbered.push(...walk.takeNumbered())
  }
  await checkPairs(db, guards, pairs, findings)
  await checkDetails(audit, withDetails)
  await checkNumbered(audit, numbered)
  const trimmed = await trimmedBefore(audit)
  for (const [id, walk] of walks) {
    walk.end(trimmed)
    if (walk.beyond > 0) await checkBeyond(audit, id, walk.beyond)
    totals.entries += walk.entries
  }
}

/** The time before which entries may have been trimmed, 0 for none: it is recorded before the trimming, so it covers everything read. */
async function trimmedBefore({ db, guards }: Audit): Promise<number> {
  const document: unknown = await db.collection<{ _id: string }>('retention').findOne({ _id: 'facts' })
  return guards.retention.check(document) ? document.before : 0
}

/** Entries with a number above the account's are new, or not its own. */
async function checkBeyond({ db, findings }: Audit, id: string, last: number): Promise<void> {
  const account: unknown = await db.collection<{ _id: string }>('accounts').findOne({ _id: id }, { projection: { seq: 1 } })
  const seq = Number(textOf(account, 'seq'))
  if (seq < last) findings.add(`L4 account ${id}: the last entry is ${last}, the account says ${seq}`)
}

/** An entry of an account outside the page: the account may be new. */
async function checkOrphan({ db, findings, totals }: Audit, entry: { acct: string; ref: string }): Promise<void> {
  totals.entries += 1
  const account = await db.collection<{ _id: string }>('accounts').findOne({ _id: entry.acct }, { projection: { _id: 1 } })
  if (account === null) findings.add(`L3 entry ${entry.ref} belongs to no account`)
}

/** Reads the data of the accounts in the order that AccountParts requires, and checks the accounts themselves. */
async function walksOf(audit: Audit, page: readonly unknown[]): Promise<Map<string, AccountWalk>> {
  const { db, guards, findings, totals } = audit
  totals.accounts += page.length
  const before = page.filter((document) => guards.account.check(document))
  const ids = before.map((account) => account._id)
  const usage: AuditedUsage[] = []
  for await (const document of db.collection('usage_daily').find({ acct: { $in: ids } })) {
    const day: unknown = document
    if (guards.usage.check(day)) usage.push(day)
    else findings.add(`L10 account ${textOf(day, 'acct')}, day ${textOf(day, 'day')}: the rollup cannot be read: ${guards.usage.explain()}`)
  }
  const keys: AuditedKey[] = []
  for await (const document of db.collection('keys').find({ acct: { $in: ids } })) {
    const key: unknown = document
    if (guards.key.check(key)) keys.push(key)
    else findings.add(`caps key ${textOf(key, '_id')}: cannot be read: ${guards.key.explain()}`)
  }
  const [usageOf, keysOf] = [byAccount(usage), byAccount(keys)]
  const first = new Map(before.map((account) => [account._id, account]))
  const walks = new Map<string, AccountWalk>()
  const all = page.map((document) => textOf(document, '_id'))
  for await (const document of db.collection<{ _id: string }>('accounts').find({ _id: { $in: all } })) {
    const account: unknown = document
    if (!guards.account.check(account)) {
      findings.add(`L1 account ${textOf(account, '_id')} cannot be read: ${guards.account.explain()}`)
      continue
    }
    checkAccount(account, audit)
    const { _id: id } = account
    const parts = { before: first.get(id) ?? account, account, usage: usageOf.get(id) ?? [], keys: keysOf.get(id) ?? [] }
    walks.set(id, new AccountWalk(parts, findings))
  }
  return walks
}

function byAccount<T extends { readonly acct: string }>(documents: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const document of documents) groups.set(document.acct, [...(groups.get(document.acct) ?? []), document])
  return groups
}

/** Checks an account's document alone: L1, L2, L9 and the number of capped keys. */
function checkAccount(account: AuditedAccount, { findings, overlongAt }: Audit): void {
  const { _id: id, bal, held, over, avail, open, holds, caps, capped } = account
  const all = Object.entries(holds)
  const sum = all.reduce((total, [, hold]) => total + hold.amt, 0)
  if (sum !== held || all.length !== open)
    findings.add(`L1 account ${id}: holds add up to ${sum} in ${all.length}, the account says ${held} in ${open}`)
  if (avail !== bal - held + over)
    findings.add(`L1 account ${id}: ${bal} less ${held} and ${over} make ${bal - held + over} available, not ${avail}`)
  if (bal - held + over < 0) findings.add(`L2 account ${id}: ${bal - held + over} available`)
  if (Object.keys(caps).length !== capped)
    findings.add(`caps account ${id}: ${Object.keys(caps).length} keys have a cap, the account says ${capped}`)
  checkMarks(account, findings)
  if (overlongAt === null) return
  for (const [hold, { dl }] of all)
    if (dl < overlongAt) findings.add(`L9 hold ${hold} is ${overlongAt + OVERLONG_MS - dl} ms past its deadline`)
}

/** The fields by which sweepers and publishers find an account: if they are wrong, it is skipped. */
function checkMarks({ _id: id, seq, out, holds, pub, done, dl }: AuditedAccount, findings: Findings): void {
  if (out.length > 0 && pub === undefined) findings.add(`L10 account ${id}: ${out.length} entries are unpublished, and it is in no slot`)
  if (done > seq - out.length) findings.add(`L10 account ${id}: entries are published up to ${done}, it says, and ${seq - out.length} are`)
  if (dl === undefined) return
  for (const [hold, { dl: deadline }] of Object.entries(holds))
    if (deadline < dl) findings.add(`L9 hold ${hold}: its deadline is ${dl - deadline} ms before the earliest of account ${id}`)
}
