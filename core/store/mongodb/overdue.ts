import { sumOver, type SweepRequest } from './sweep-request.js'
import { earliest } from './deadlines.js'
import { settling, daysOf, type End } from './settle.js'
import { op, type Filter } from './filter.js'
import type { MongoDeps } from './deps.js'
import type { AccountDocument, HoldField } from './documents.js'
import { openAccounts } from './open-accounts.js'
import type { Change } from './table.js'

/** Holds that one sweep releases; the next sweep continues. */
const MOST = 2000

/** Accounts per page. */
const PAGE = 200

const FIELDS = { holds: 1, caps: 1, ver: 1, dl: 1 } as const

type Lost = ReadonlyMap<string, HoldField>

/** Releases holds whose calls have died. */
export function overdue({ tables }: Pick<MongoDeps, 'tables'>) {
  const { accounts } = tables

  /** Releases holds of an account, together or else one by one; returns how many were still open. */
  const release = async (account: AccountDocument, lost: Lost, end: End): Promise<number> => {
    const all = settling(account._id, lost, end, daysOf(account.caps))
    if (await accounts.update(all.filter, all.update)) return lost.size
    const again = await accounts.one({ _id: account._id }, { holds: 1, caps: 1 })
    if (again === null) return 0
    let released = 0
    for (const [id, hold] of lost) {
      if (again.holds[id] === undefined) continue
      const { filter, update } = settling(account._id, new Map([[id, hold]]), end, daysOf(again.caps))
      if (await accounts.update(filter, update)) released += 1
    }
    return released
  }

  const endOf = (request: SweepRequest, note: string): End => {
    const { owner, now } = request
    return { kind: 'release', amount: 0, owner, note, facts: null, now }
  }

  /** The next page of accounts after `last`, by earliest deadline. */
  const page = async (before: number, last: AccountDocument | null): Promise<AccountDocument[]> => {
    const order = { sort: { dl: 1, _id: 1 } } as const
    const find = async (filter: Filter, limit: number) => await accounts.many(filter, FIELDS, { ...order, limit })
    if (last?.dl === undefined) return await find({ dl: op({ $lt: before }) }, PAGE)
    const same = await find({ dl: last.dl, _id: op({ $gt: last._id }) }, PAGE)
    return same.length === PAGE ? same : [...same, ...(await find({ dl: op({ $gt: last.dl, $lt: before }) }, PAGE - same.length))]
  }

  const isOverdue = (before: number) => (hold: HoldField) => hold.dl < before
  const lostOf = (account: AccountDocument, isLost: (hold: HoldField) => boolean): Lost =>
    new Map(Object.entries(account.holds).filter(([, hold]) => isLost(hold)))

  return {
    /** Releases holds past deadline and grace. An account is read again only when another of its holds is due. */
    releaseOverdue: async (request: SweepRequest): Promise<number> => {
      const before = request.now - request.graceMs
      const end = endOf(request, 'deadline passed')
      let released = 0
      for (let last: AccountDocument | null = null; released < MOST;) {
        const found: AccountDocument[] = await page(before, last)
        const later: Change[] = []
        released += await sumOver(found, async (account) => {
          const lost = lostOf(account, isOverdue(before))
          const ended = lost.size === 0 ? 0 : await release(account, lost, end)
          const left = Object.fromEntries(Object.entries(account.holds).filter(([id]) => !lost.has(id)))
          // Releasing all together changed the account once. After any other change the deadline is left as it is.
          const ver = account.ver + (lost.size === 0 ? 0 : 1)
          if (ended === lost.size) later.push({ filter: { _id: account._id, ver }, update: earliest(left) })
          return ended
        })
        await accounts.bulk(later)
        last = found.at(-1) ?? null
        if (found.length < PAGE) return released
      }
      return released
    },

    /** Releases holds of all gateways except `spared`, whatever their deadline. */
    releaseOthers: async (request: SweepRequest, spared: ReadonlySet<string>): Promise<number> => {
      const end = endOf(request, 'gateway ended')
      let released = 0
      for await (const found of openAccounts(tables, { holds: 1, caps: 1 })) {
        released += await sumOver(found, async (account) => {
          const lost = lostOf(account, (hold) => !spared.has(hold.own))
          return lost.size === 0 ? 0 : await release(account, lost, end)
        })
        if (released >= MOST) return released
      }
      return released
    },
  }
}
