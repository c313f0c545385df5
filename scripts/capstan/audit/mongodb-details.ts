import { createHash } from 'node:crypto'
import type { mongo } from 'mongoose'
import type { AuditedCall, AuditedDetails, AuditedLine, Guards } from './mongodb-documents.js'
import { textOf } from './mongodb-documents.js'
import type { Findings } from './report.js'

/** An entry of a call, whose details are to be compared with its call summary. */
export interface DetailsPair {
  readonly line: AuditedLine
  readonly call: AuditedCall
  /** Called when there are none: whether they may have been trimmed is determined later. */
  readonly missing: () => void
}

interface Database {
  readonly db: mongo.Db
  readonly guards: Guards
  readonly findings: Findings
}

/** Details in memory together. */
const BATCH = 500

/** First 32 digits of the SHA-256 of the facts as JSON. */
export function digestOf(facts: unknown): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32)
}

const idOf = (acct: string, seq: number): string => `${acct} ${String(seq).padStart(16, '0')}`

/** Compares the details of published entries with the digests in the entries (L10). */
export async function checkDetails({ db, guards, findings }: Database, pairs: readonly DetailsPair[]): Promise<void> {
  if (pairs.length === 0) return
  const found = new Map<string, AuditedDetails>()
  const ids = pairs.map(({ line }) => idOf(line.acct, line.seq))
  for await (const document of db.collection<{ _id: string }>('details').find({ _id: { $in: ids } })) {
    const details: unknown = document
    if (guards.details.check(details)) found.set(details._id, details)
    else findings.add(`L10 details ${textOf(details, '_id')} cannot be read: ${guards.details.explain()}`)
  }
  for (const { line, call, missing } of pairs) {
    const details = found.get(idOf(line.acct, line.seq))
    if (details === undefined) missing()
    else if (!isSame(line, call, details))
      findings.add(
        `L10 account ${line.acct}, entry ${line.seq} (${line.kind} ${line.ref}): its details are not those that it was made with`,
      )
  }
}

function isSame({ kind, ref, amt, at }: AuditedLine, call: AuditedCall, details: AuditedDetails): boolean {
  const facts = kind === 'refund' ? details.of : details.facts
  const isCall = textOf(facts, 'endpoint') === call.endpoint && textOf(facts, 'capability') === call.capability
  return isCall && details.ref === ref && details.amt === amt && details.at === at && digestOf(facts) === call.digest
}

/** Finds details whose entry is neither published nor pending (L10). */
export async function checkOrphanDetails({ db, guards, findings }: Database): Promise<void> {
  let batch: AuditedDetails[] = []
  const flush = async () => {
    await checkOwners(db, batch, findings)
    batch = []
  }
  for await (const document of db.collection('details').find().sort({ _id: 1 }).batchSize(BATCH)) {
    const details: unknown = document
    if (guards.details.check(details)) batch.push(details)
    if (batch.length === BATCH) await flush()
  }
  if (batch.length > 0) await flush()
}

/** The details were read first, then the accounts, then the entries: what an account no longer has was published by then. */
async function checkOwners(db: mongo.Db, batch: readonly AuditedDetails[], findings: Findings): Promise<void> {
  const accounts = [...new Set(batch.map(({ acct }) => acct))]
  const own = new Map<string, { readonly seq: number; readonly published: number }>()
  const projection = { seq: 1, 'out.ref': 1 }
  for await (const document of db.collection<{ _id: string }>('accounts').find({ _id: { $in: accounts } }, { projection })) {
    const { _id, seq, out }: { _id: string; seq?: unknown; out?: unknown } = document
    if (typeof seq === 'number' && Array.isArray(out)) own.set(_id, { seq, published: seq - out.length })
  }
  const refs = new Map<string, string>()
  const places = accounts.map((acct) => ({ acct, seq: { $in: batch.filter((one) => one.acct === acct).map(({ seq }) => seq) } }))
  for await (const entry of db.collection('entries').find({ $or: places }, { projection: { acct: 1, seq: 1, ref: 1 } }))
    refs.set(idOf(textOf(entry, 'acct'), Number(textOf(entry, 'seq'))), textOf(entry, 'ref'))
  for (const { _id, acct, seq, ref } of batch) {
    const account = own.get(acct)
    const isUnpublished = account !== undefined && seq > account.published && seq <= account.seq
    const there = refs.get(idOf(acct, seq))
    if (there === undefined ? !isUnpublished : there !== ref) findings.add(`L10 details ${_id} (${ref}) belong to no entry`)
  }
}
