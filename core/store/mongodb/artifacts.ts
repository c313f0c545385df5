import { StoreUnavailable, type ArtifactRecord } from '../types.js'
import type { ArtifactGrowth } from '../ports/artifacts.js'
import { op } from './filter.js'
import type { MongoDeps } from './deps.js'
import type { ArtifactDocument } from './documents.js'
import { storage } from './storage.js'

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
