import type { ArtifactGrowth, ArtifactRecord } from '../types.js'
import type { Database } from './database.js'

const COLUMNS = 'f.id, a.id account, f.name, f.content_type, f.size, f.created_at, f.expires_at'

/** Records of artifacts; their bytes are counted on the account in the same step. */
export function artifacts(db: Database) {
  const account = db.query<{ n: number; stored: number }>('select n, stored from accounts where id = ?')
  const insert = db.query('insert into artifacts (id, acct, name, content_type, size, created_at, expires_at) values (?, ?, ?, ?, ?, ?, ?)')
  const count = db.query('update accounts set stored = stored + ? where n = ?')
  const size = db.query<{ acct: number; size: number }>('select acct, size from artifacts where id = ?')
  const resize = db.query('update artifacts set size = ? where id = ?')
  const take = db.query<{ n: number }>(
    `update accounts set stored = stored + ?1 where id = ?2 and stored + ?1 <= ?3
     and exists (select 1 from artifacts f where f.id = ?4 and f.acct = accounts.n) returning n`,
  )
  const enlarge = db.query('update artifacts set size = size + ? where id = ?')
  const get = db.query<ArtifactRecord>(`select ${COLUMNS} from artifacts f join accounts a on a.n = f.acct where f.id = ?`)
  const remove = db.query('delete from artifacts where id = ?')
  const expired = db.query<ArtifactRecord>(
    `select ${COLUMNS} from artifacts f join accounts a on a.n = f.acct where f.expires_at <= ? order by f.expires_at limit ?`,
  )

  return {
    artifactReserve: (artifact: ArtifactRecord, quota: number): boolean => {
      const owner = account.get(artifact.account)
      if (owner === undefined || owner.stored + artifact.size > quota) return false
      const { id, name, content_type, created_at, expires_at } = artifact
      insert.run(id, owner.n, name, content_type, artifact.size, created_at, expires_at)
      count.run(artifact.size, owner.n)
      return true
    },
    artifactGrow: ({ id, account: owner, bytes, quota }: ArtifactGrowth): boolean => {
      if (take.get(bytes, owner, quota, id) === undefined) return false
      enlarge.run(bytes, id)
      return true
    },
    artifactSettle: (id: string, bytes: number): void => {
      const row = size.get(id)
      if (row === undefined) return
      resize.run(bytes, id)
      count.run(bytes - row.size, row.acct)
    },
    artifactGet: (id: string): ArtifactRecord | null => get.get(id) ?? null,
    artifactRemove: (id: string): void => {
      const row = size.get(id)
      if (row === undefined) return
      remove.run(id)
      count.run(0 - row.size, row.acct)
    },
    artifactsExpired: (now: number, limit: number): ArtifactRecord[] => expired.all(now, limit),
    artifactsUsed: (id: string): number => account.get(id)?.stored ?? 0,
  }
}
