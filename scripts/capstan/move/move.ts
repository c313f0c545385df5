import { openMongoStore } from '../../../core/store/mongodb/store.js'
import {
  accountDocument,
  artifactDocument,
  auditDocument,
  entryDocuments,
  idempotencyDocument,
  keyDocument,
  refusedDocument,
  retentionDocument,
  settingsDocument,
  usageDocuments,
} from './documents.js'
import { MoveRefused } from './refused.js'
import { compared, sourceLines, type MoveReport } from './report.js'
import type { AccountRow } from './rows.js'
import { MoveSource } from './source.js'
import { EntryDigest, MoveTarget } from './target.js'

export interface MoveOrder {
  /** The SQLite file. */
  readonly from: string
  /** `mongodb://…`, with the name of an empty database. */
  readonly to: string
  /** Checks everything and writes nothing. */
  readonly dryRun: boolean
  /** Unix ms. */
  readonly now: number
  /** Called with the progress, one sentence at a time. */
  readonly say: (text: string) => void
}

/**
 * Copies a ledger from SQLite to MongoDB exactly: every number, balance and time is preserved. The source is checked before and never
 * changed; the target is checked afterwards. Rejects with MoveRefused, and the target is then empty again; after a killed move the next
 * one starts over. The caller ensures that no gateway runs.
 */
export async function moveStore(order: MoveOrder): Promise<MoveReport> {
  const source = MoveSource.open(order.from)
  const target = new MoveTarget(order.to)
  const places = { from: order.from, to: target.place }
  try {
    order.say('checking the source')
    source.check(order.now)
    const { unfinished } = await target.check()
    if (order.dryRun) return { moved: false, ...places, lines: sourceLines(source), digest: null }
    if (unfinished) {
      order.say('deleting the remains of an unfinished move')
      await target.empty()
    }
    return { moved: true, ...places, ...(await moved(order, source, target)) }
  } finally {
    source.close()
    await target.close()
  }
}

async function moved(order: MoveOrder, source: MoveSource, target: MoveTarget) {
  try {
    await target.begin(order.from, order.now)
    order.say('creating collections and indexes')
    await (await openMongoStore({ uri: order.to, moving: true })).close()
    order.say('copying')
    const digest = await copy(source, target)
    order.say('checking the target')
    const report = await compared(order.to, source, target, digest)
    await target.done()
    return report
  } catch (error) {
    throw await undone(target, error)
  }
}

async function undone(target: MoveTarget, error: unknown): Promise<MoveRefused> {
  const why = error instanceof Error ? error.message : String(error)
  try {
    await target.empty()
    return new MoveRefused(`the move failed and was undone, the source is unchanged: ${why}. Correct that and run the command again`, {
      cause: error,
    })
  } catch (second) {
    const more = second instanceof Error ? second.message : String(second)
    return new MoveRefused(
      `the move failed, the source is unchanged: ${why}. What was written could not be deleted (${more}): run the command again when the server answers, it starts with that`,
      { cause: error },
    )
  }
}

/** Writes every row as a document, each account after its rows. Returns the digest of the entries. */
async function copy(source: MoveSource, target: MoveTarget): Promise<EntryDigest> {
  const digest = new EntryDigest()
  const last = new Map<string, number>()
  for (const account of source.accounts()) {
    last.set(account.id, account.seq)
    await copyAccount(source, account, target, digest)
  }
  for (const page of source.keys())
    await target.insert(
      'keys',
      page.map((key) => keyDocument(key, last.get(key.account) ?? 0)),
    )
  for (const page of source.artifacts()) await target.insert('artifacts', page.map(artifactDocument))
  for (const page of source.audit()) await target.insert('audit', page.map(auditDocument))
  const before = source.trimmedBefore()
  if (before > 0) await target.insert('retention', [retentionDocument(before)])
  await target.replaceSettings(settingsDocument(source.settings()))
  return digest
}

async function copyAccount(source: MoveSource, account: AccountRow, target: MoveTarget, digest: EntryDigest): Promise<void> {
  for (const page of source.entries(account)) {
    const { entries, details } = entryDocuments(page)
    for (const entry of entries) digest.add(entry)
    await target.insert('details', details)
    await target.insert('entries', entries)
  }
  const { rows, applied } = source.usage(account)
  await target.insert('usage_daily', usageDocuments(rows, applied))
  await target.insert('refused', source.refused(account).map(refusedDocument))
  for (const page of source.idempotency(account)) await target.insert('idempotency', page.map(idempotencyDocument))
  await target.insert('accounts', [accountDocument(account, source.caps(account))])
}
