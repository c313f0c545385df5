import { type ArtifactGrowth, type ArtifactRecord, StoreUnavailable } from '../types.js'
import type { MongoDeps } from './deps.js'
import type { ArtifactDocument } from './documents.js'
import { op } from './filter.js'

/** By this age, in ms, a reservation's record is written or its process has died. */
const RESERVING_MS = 60_000

/** Tries of a recount that a concurrent change may defeat. */
const RECOUNTS = 3

interface Room {
  readonly account: string
  readonly bytes: number
  readonly quota: number
  readonly now: number
}

/** Bytes of an account's artifacts and kept answers, counted on the account. */
export function storage({ tables }: Pick<MongoDeps, 'tables'>) {
  const { accounts, artifacts, idempotency } = tables

  /** Reserves bytes when they fit the quota. */
  const take = async ({ account, bytes, quota, now }: Room): Promise<boolean> =>
    await accounts.update({ _id: account, stored: op({ $lte: quota - bytes }) }, { $inc: { stored: bytes }, $max: { taken: now } })

  /** Removes reservations of dead processes from the count, when none is recent. True if that made room. */
  const recount = async ({ account: acct, now }: Pick<Room, 'account' | 'now'>): Promise<boolean> => {
    const idle = op({ $lt: now - RESERVING_MS })
    const account = await accounts.one({ _id: acct, taken: idle }, { stored: 1 })
    if (account === null) return false
    const [files, answers] = await Promise.all([artifacts.sum({ acct }, 'size'), idempotency.sum({ acct, st: 'ready' }, 'bytes')])
    const stored = files + answers
    return stored < account.stored && (await accounts.update({ _id: acct, stored: account.stored, taken: idle }, { $set: { stored } }))
  }

  return {
    /** Adds bytes, or subtracts when negative, whatever the quota. */
    count: async (acct: string, bytes: number): Promise<void> => {
      if (bytes !== 0) await accounts.update({ _id: acct }, { $inc: { stored: bytes } })
    },
    /** Subtracts bytes of several accounts. */
    countAll: async (bytes: ReadonlyMap<string, number>): Promise<void> => {
      await accounts.bulk([...bytes].map(([_id, released]) => ({ filter: { _id }, update: { $inc: { stored: 0 - released } } })))
    },
    recount: async (room: Pick<Room, 'account' | 'now'>): Promise<void> => {
      for (let tries = 0; tries < RECOUNTS; tries++) if (await recount(room)) return
    },
    reserve: async (room: Room): Promise<boolean> => (await take(room)) || ((await recount(room)) && (await take(room))),
    /** Never negative, even when a count was lost with its process. */
    used: async (acct: string): Promise<number> => Math.max(0, (await accounts.one({ _id: acct }, { stored: 1 }))?.stored ?? 0),
  }
}

function recordOf({ _id: id, acct: account, name, content_type, size, created_at, expires_at }: ArtifactDocument): ArtifactRecord {
  return { id, account, name, content_type, size, created_at, expires_at }
}

/** Records of artifacts. Room is reserved before and released after them: a recount corrects what a crash leaves. */
export function artifacts(deps: MongoDeps) {
  const { artifacts: table } = deps.tables
  const room = storage(deps)

  return {
    reserve: async (artifact: ArtifactRecord, quota: number): Promise<boolean> => {
      const { id: _id, account: acct, name, content_type, size, created_at, expires_at } = artifact
      if (!(await room.reserve({ account: acct, bytes: size, quota, now: created_at }))) return false
      if (await table.insert({ _id, acct, name, content_type, size, created_at, expires_at })) return true
      await room.count(acct, 0 - size)
      throw new StoreUnavailable('an artifact of this id exists')
    },

    grow: async ({ id: _id, account, bytes, quota, now }: ArtifactGrowth): Promise<boolean> => {
      if (!(await room.reserve({ account, bytes, quota, now }))) return false
      if (await table.update({ _id, acct: account }, { $inc: { size: bytes } })) return true
      await room.count(account, 0 - bytes)
      return false
    },

    settle: async (id: string, size: number): Promise<void> => {
      const before = await table.exchange({ _id: id }, { $set: { size } }, { acct: 1, size: 1 })
      if (before !== null) await room.count(before.acct, size - before.size)
    },

    get: async (id: string): Promise<ArtifactRecord | null> => {
      const found = await table.one({ _id: id })
      return found === null ? null : recordOf(found)
    },

    remove: async (id: string): Promise<void> => {
      const gone = await table.take({ _id: id }, { acct: 1, size: 1 })
      if (gone !== null) await room.count(gone.acct, 0 - gone.size)
    },

    expired: async (now: number, limit: number): Promise<ArtifactRecord[]> =>
      (await table.many({ expires_at: op({ $lte: now }) }, {}, { sort: { expires_at: 1 }, limit })).map(recordOf),

    used: room.used,
  }
}
