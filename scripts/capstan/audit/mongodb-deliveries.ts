import type { mongo } from 'mongoose'
import type { AuditedGateway, Guards } from './mongodb-documents.js'
import { textOf } from './mongodb-documents.js'
import type { Findings } from './report.js'

/** A charge whose owner records whether its answer was written. */
export interface NumberedCharge {
  readonly account: string
  readonly ref: string
  readonly own: string
  readonly n: number
  readonly at: number
}

interface Database {
  readonly db: mongo.Db
  readonly guards: Guards
  readonly findings: Findings
  readonly now: number
  /** A gateway was alive and could sweep. */
  readonly isAlive: boolean
}

/** Time for sweepers to refund a charge, in ms. */
const SWEPT_MS = 600_000

/** Finds charges that will never be refunded although their answers were not written (L7). The owners are read after the charges: what is settled stays settled. */
export async function checkNumbered({ db, guards, findings, now, isAlive }: Database, charges: readonly NumberedCharge[]): Promise<void> {
  const old = charges.filter(({ at }) => at < now - SWEPT_MS)
  if (old.length === 0) return
  const owners = new Map<string, AuditedGateway>()
  const ids = [...new Set(old.map(({ own }) => own))]
  for await (const document of db.collection<{ _id: string }>('gateways').find({ _id: { $in: ids } })) {
    const gateway: unknown = document
    if (guards.gateway.check(gateway)) owners.set(gateway._id, gateway)
    else findings.add(`L7 gateway ${textOf(gateway, '_id')} cannot be read: ${guards.gateway.explain()}`)
  }
  const lost = old.flatMap((charge) => {
    const why = lostBy(charge, owners.get(charge.own), { now, isAlive })
    return why === null ? [] : [{ ...charge, why }]
  })
  const refunded = await refundsOf(db, lost)
  for (const { account, ref, own, why } of lost)
    if (!refunded.has(JSON.stringify([account, `rf:${ref}`])))
      findings.add(`L7 account ${account}: charge ${ref} was not delivered, its owner ${own} ${why}, and it was not refunded`)
}

/** Why the charge will never be settled; null when it is settled or still will be. */
function lostBy({ n }: NumberedCharge, owner: AuditedGateway | undefined, at: { now: number; isAlive: boolean }): string | null {
  if (owner === undefined) return at.isAlive ? 'is not known' : null
  const { upto = 0, open = [], expires, ended } = owner
  if (n <= upto && !open.includes(n)) return null
  if (ended === true) return 'has ended'
  if (expires !== undefined && expires > at.now - SWEPT_MS) return null
  // Without a running gateway nothing sweeps yet.
  return at.isAlive ? 'has no lease any more' : null
}

/** References of refunds, published or not: the accounts are read first, so that none in transit is missed. */
async function refundsOf(db: mongo.Db, charges: readonly NumberedCharge[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  if (charges.length === 0) return found
  const acct = { $in: [...new Set(charges.map(({ account }) => account))] }
  for await (const { _id, out } of db
    .collection<{ _id: string; out?: unknown }>('accounts')
    .find({ _id: acct }, { projection: { 'out.ref': 1 } }))
    for (const entry of Array.isArray(out) ? out : []) found.add(JSON.stringify([_id, textOf(entry, 'ref')]))
  const refs = { $in: charges.map(({ ref }) => `rf:${ref}`) }
  for await (const entry of db.collection('entries').find({ acct, ref: refs }, { projection: { acct: 1, ref: 1 } }))
    found.add(JSON.stringify([textOf(entry, 'acct'), textOf(entry, 'ref')]))
  return found
}
