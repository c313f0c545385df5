import type { mongo } from 'mongoose'
import type { Guards } from './mongodb-documents.js'
import type { Pair } from './mongodb-walk.js'
import type { Findings } from './report.js'

interface Found {
  readonly kind: string
  readonly amt: number
}

interface Place {
  readonly account: string
  readonly ref: string
}

const nameOf = ({ account, ref }: Place): string => JSON.stringify([account, ref])

/** Entries by reference, published or not. The account is read first, so that one being published is not missed. */
async function findAll(db: mongo.Db, guards: Guards, places: readonly Place[]): Promise<Map<string, Found>> {
  const found = new Map<string, Found>()
  const accounts = [...new Set(places.map(({ account }) => account))]
  const refs = places.map(({ ref }) => ref)
  for await (const document of db.collection<{ _id: string }>('accounts').find({ _id: { $in: accounts } })) {
    const account: unknown = document
    if (!guards.account.check(account)) continue
    for (const { ref, kind, amt } of account.out) found.set(nameOf({ account: account._id, ref }), { kind, amt })
  }
  const filter = { acct: { $in: accounts }, ref: { $in: refs } }
  for await (const document of db.collection('entries').find(filter)) {
    const entry: unknown = document
    if (guards.entry.check(entry)) found.set(nameOf({ account: entry.acct, ref: entry.ref }), { kind: entry.kind, amt: entry.amt })
  }
  return found
}

/** Checks relations between entries: refunds and their charges, late charges, undelivered answers (L6, L7). */
export async function checkPairs(db: mongo.Db, guards: Guards, pairs: readonly Pair[], findings: Findings): Promise<void> {
  if (pairs.length === 0) return
  const refunds = pairs
    .filter(({ rule }) => rule === 'late' || rule === 'late-without')
    .flatMap(({ account, ref, of }) => [ref, of].map((charge) => ({ account, ref: `rf:${charge}` })))
  const found = await findAll(db, guards, [...pairs, ...refunds])
  for (const pair of pairs) {
    const other = found.get(nameOf(pair))
    const isRefunded = (ref: string) => found.has(nameOf({ account: pair.account, ref: `rf:${ref}` }))
    const problem = judge(pair, other, isRefunded)
    if (problem !== null) findings.add(problem)
  }
}

function judge({ rule, of, ref, amount }: Pair, other: Found | undefined, isRefunded: (ref: string) => boolean): string | null {
  switch (rule) {
    case 'refunded':
      if (other?.kind === 'charge' && other.amt === 0 - amount) return null
      return `L6 refund ${of} of ${amount} gives back ${other?.kind === 'charge' ? 0 - other.amt : 'no charge'}`
    case 'late':
      if (other?.kind !== 'charge' || isRefunded(ref) || isRefunded(of)) return null
      return ref.startsWith('late')
        ? `L6 ${of}: the call was charged late before, as ${ref}`
        : `L6 ${of}: the call was charged in time too, as ${ref}`
    case 'late-without':
      if (other?.kind === 'release' || other?.kind === 'charge') return null
      return `L6 ${of}: its hold ${ref} was neither released nor refunded`
    case 'lost':
      return other?.kind === 'refund' ? null : `L7 undelivered ${of}: the refund is missing`
  }
}

/** Kept answers at a time. */
const BATCH = 200

/** Compares kept answers with their charges (L12). */
export async function checkKept(db: mongo.Db, guards: Guards, findings: Findings): Promise<void> {
  let batch: { place: Place; amount: number }[] = []
  const flush = async () => {
    const found = await findAll(
      db,
      guards,
      batch.map(({ place }) => place),
    )
    for (const { place, amount } of batch) {
      const charge = found.get(nameOf(place))
      if (charge?.kind === 'charge' && charge.amt !== 0 - amount)
        findings.add(`L12 kept answer of ${place.ref} says ${amount} credits, its charge is ${0 - charge.amt}`)
    }
    batch = []
  }
  const projection = { _id: 0, acct: 1, hid: 1, 'answer.amount': 1 }
  for await (const document of db.collection('idempotency').find({ st: 'ready' }, { projection })) {
    const kept: unknown = document
    if (!guards.kept.check(kept)) findings.add(`L12 a kept answer cannot be read: ${guards.kept.explain()}`)
    else batch.push({ place: { account: kept.acct, ref: kept.hid }, amount: kept.answer.amount })
    if (batch.length === BATCH) await flush()
  }
  if (batch.length > 0) await flush()
}
