import { auditMongo } from '../audit/mongodb.js'
import type { MoveSource } from './source.js'
import { EntryDigest, type Collection, type MoveTarget } from './target.js'

/** One line of the comparison; credits are in thousandths. `to` is null where nothing was written. */
export interface MoveLine {
  readonly what: string
  readonly from: number
  readonly to: number | null
}

export interface MoveReport {
  readonly moved: boolean
  readonly from: string
  /** Without its password. */
  readonly to: string
  readonly lines: readonly MoveLine[]
  /** SHA-256 over all entries in order, the same on both sides; null where nothing was written. */
  readonly digest: string | null
}

const WORDS: readonly (readonly [Collection, string])[] = [
  ['accounts', 'accounts'],
  ['entries', 'entries'],
  ['details', 'details of calls'],
  ['keys', 'keys'],
  ['usage_daily', 'days of usage'],
  ['refused', 'counts of refused calls'],
  ['idempotency', 'idempotency keys'],
  ['artifacts', 'records of artifacts'],
  ['audit', 'audit entries'],
]

/** The counts of the source, for a dry run. */
export function sourceLines(source: MoveSource): MoveLine[] {
  const counts = source.counts()
  const lines = WORDS.map(([name, what]) => ({ what, from: counts[name] ?? 0, to: null }))
  return [{ what: 'thousandths of a credit', from: source.credits(), to: null }, ...lines]
}

/** Verifies the target: counts, every balance, every entry, and the audit. Throws an error that names the difference. */
export async function compared(
  uri: string,
  source: MoveSource,
  target: MoveTarget,
  written: EntryDigest,
): Promise<{ lines: MoveLine[]; digest: string }> {
  const counts = source.counts()
  const lines: MoveLine[] = []
  for (const [name, what] of WORDS) lines.push({ what, from: counts[name] ?? 0, to: await target.count(name) })
  const digest = new EntryDigest()
  let credits = 0
  for (const account of source.accounts()) {
    const there = await target.balance(account.id)
    if (there !== account.bal)
      throw new Error(`the balance of account ${account.id} is ${account.bal} in the source and ${there} in the target`)
    credits += there
    await target.digest(account.id, digest)
  }
  const all = [{ what: 'thousandths of a credit', from: source.credits(), to: credits }, ...lines]
  const other = all.find(({ from, to }) => from !== to)
  if (other !== undefined) throw new Error(`the source has ${other.from} ${other.what}, the target ${other.to}`)
  if (digest.hex() !== written.hex()) throw new Error('the entries of the target differ from those of the source')
  const { problems } = await auditMongo({ uri })
  if (problems.length > 0) throw new Error(['the audit of the target found problems:', ...problems.slice(0, 20)].join('\n'))
  return { lines: all, digest: digest.hex() }
}
