import { StoreUnavailable, type AccountRecord } from '../types.js'
import { op } from './filter.js'
import type { MongoDeps } from './deps.js'
import type { AccountDocument } from './documents.js'
import { balanceOf } from './journal.js'
import type { Fields } from './table.js'

type Shown = Pick<
  AccountDocument,
  '_id' | 'name' | 'created_at' | 'bal' | 'held' | 'avail' | 'over' | 'open' | 'disabled' | 'max_open' | 'auth'
>

/** The fields that an account's record needs, without its holds and entries. */
export const ACCOUNT: Fields = {
  name: 1,
  created_at: 1,
  bal: 1,
  held: 1,
  avail: 1,
  over: 1,
  open: 1,
  disabled: 1,
  max_open: 1,
  auth: 1,
}

export function accountOf(account: Shown): AccountRecord {
  const { _id: id, name, created_at, over: overage, open, disabled, max_open, auth } = account
  return { id, name, created_at, ...balanceOf(account), overage, open, disabled, max_open, auth }
}

/** Accounts: create, find, list, change. */
export function accounts({ tables: { accounts: table } }: MongoDeps) {
  const get = async (id: string): Promise<AccountRecord | null> => {
    const found = await table.one({ _id: id }, ACCOUNT)
    return found === null ? null : accountOf(found)
  }
  const order = { created_at: 1, _id: 1 } as const

  return {
    get,

    create: async ({ id, name, now }: { id: string; name: string; now: number }): Promise<AccountRecord> => {
      const money = { bal: 0, held: 0, over: 0, avail: 0, seq: 0, ver: 0, done: 0, pseq: 0, auth: 0, open: 0 }
      const rest = { holds: {}, out: [], caps: {}, capped: 0, stored: 0, taken: 0 }
      await table.insert({ _id: id, name, created_at: now, disabled: false, max_open: null, ...money, ...rest })
      const made = await get(id)
      if (made === null) throw new StoreUnavailable('an account just created was not found')
      return made
    },

    byName: async (name: string): Promise<AccountRecord | null> => {
      const [found] = await table.many({ name }, ACCOUNT, { sort: order, limit: 1 })
      return found === undefined ? null : accountOf(found)
    },

    list: async ({ limit, offset }: { limit: number; offset: number }): Promise<AccountRecord[]> =>
      (await table.many({}, ACCOUNT, { sort: order, skip: offset, limit })).map(accountOf),

    /** Changing `disabled` or `max_open` raises the epoch in the same step, because keys are cached with both. */
    patch: async (id: string, change: { disabled?: boolean; max_open?: number | null; name?: string }): Promise<AccountRecord | null> => {
      const { disabled, max_open, name } = change
      if (name !== undefined) await table.update({ _id: id }, { $set: { name } })
      if (max_open !== undefined)
        await table.update({ _id: id, max_open: op({ $ne: max_open }) }, { $set: { max_open }, $inc: { auth: 1 } })
      if (disabled !== undefined)
        await table.update({ _id: id, disabled: op({ $ne: disabled }) }, { $set: { disabled }, $inc: { auth: 1 } })
      return await get(id)
    },
  }
}
