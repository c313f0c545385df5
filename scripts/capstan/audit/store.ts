import { auditInThread } from './thread.js'
import type { AuditReport } from './report.js'

/** Audits the ledger that the store setting names; loads the MongoDB library only if needed. Throws a RangeError for a setting that names no ledger. `alive` as for the auditors. */
export async function auditStore(setting: string, options: { readonly alive?: boolean } = {}): Promise<AuditReport> {
  const file = sqliteFile(setting)
  if (file !== null) return await auditInThread({ file, ...options })
  if (!/^mongodb(\+srv)?:/.test(setting)) throw new RangeError('the store setting names no ledger that can be audited')
  const { auditMongo } = await import('./mongodb.js')
  return await auditMongo({ uri: setting, ...options })
}

/** The file of a store setting, null when it names a server. */
export function sqliteFile(setting: string): string | null {
  return /^sqlite:(.+)$/.exec(setting)?.[1] ?? null
}
