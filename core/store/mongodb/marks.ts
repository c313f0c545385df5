import { idOf, op, plainText } from './filter.js'
import type { ChargeRef } from './deliveries.js'
import type { MongoDeps } from './deps.js'

/** Records which answers were written. */
export function marks({ tables, deliveries, publisher, log }: MongoDeps) {
  /** Marks the entries of charges that another gateway numbered, or none did; the entries must be in the journal. */
  const markEntries = async (refs: readonly ChargeRef[]): Promise<void> => {
    const accounts = new Map<string, string[]>()
    for (const { account, ref } of refs) accounts.set(account, [...(accounts.get(account) ?? []), ref])
    const failed = await publisher.attempt([...accounts.keys()])
    for (const [account, error] of failed)
      log('delivery-marks-lost', 'delivery marks of an account are lost', { account, error: error.message })
    const there = [...accounts].filter(([account]) => !failed.has(account))
    const refunds = op({ $in: refs.map(({ ref }) => `rf:${ref}`) })
    const refunded = await tables.entries.many({ acct: op({ $in: there.map(([account]) => account) }), ref: refunds }, { acct: 1, ref: 1 })
    const gone = new Set(refunded.map(({ acct, ref }) => idOf(acct, ref)))
    await tables.entries.bulk(
      there.map(([acct, own]) => {
        const charged = own.filter((ref) => !gone.has(idOf(acct, `rf:${ref}`)))
        const filter = { acct, ref: op({ $in: charged }), kind: 'charge', delivered: null }
        return { filter, update: { $set: { delivered: true } }, many: true }
      }),
    )
  }

  return {
    delivered: async (refs: readonly ChargeRef[]): Promise<void> => {
      for (const { account, ref } of refs) {
        plainText(account, 'an account')
        plainText(ref, 'a reference')
      }
      const known = refs.filter((ref) => deliveries.has(ref))
      const others = refs.filter((ref) => !deliveries.has(ref))
      await Promise.all([deliveries.settle(known), others.length === 0 ? undefined : markEntries(others)])
    },
  }
}
