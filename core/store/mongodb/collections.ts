import type { Connection } from 'mongoose'
import { mapFailure } from './failure.js'
import type {
  AccountDocument,
  ArtifactDocument,
  AuditDocument,
  DetailsDocument,
  EntryDocument,
  GatewayDocument,
  IdempotencyDocument,
  KeyDocument,
  RefusedDocument,
  RetentionDocument,
  SettingsDocument,
  UsageDocument,
} from './documents.js'
import { buildSchemas } from './schemas.js'
import { Table, type LooseModel, type ReadScope, type CommandOptions } from './table.js'

/** The collections of one connection, and causally consistent sessions for reads. */
export interface Collections {
  readonly accounts: Table<AccountDocument>
  readonly entries: Table<EntryDocument>
  readonly details: Table<DetailsDocument>
  readonly usage: Table<UsageDocument>
  readonly refused: Table<RefusedDocument>
  readonly keys: Table<KeyDocument>
  readonly idempotency: Table<IdempotencyDocument>
  readonly gateways: Table<GatewayDocument>
  readonly retention: Table<RetentionDocument>
  readonly settings: Table<SettingsDocument>
  readonly audit: Table<AuditDocument>
  readonly artifacts: Table<ArtifactDocument>
  /** Runs reads in one causally consistent session with read concern majority; a single server needs no session. */
  consistently<R>(reads: (scope: ReadScope) => Promise<R>): Promise<R>
}

/** The models of a connection, by name. */
export function buildModels(connection: Connection): Record<keyof ReturnType<typeof buildSchemas>, LooseModel> {
  const schemas = buildSchemas()
  const model = (name: keyof typeof schemas): LooseModel => connection.model<Record<string, unknown>>(name, schemas[name])
  return {
    accounts: model('accounts'),
    entries: model('entries'),
    details: model('details'),
    usage: model('usage'),
    refused: model('refused'),
    keys: model('keys'),
    idempotency: model('idempotency'),
    gateways: model('gateways'),
    retention: model('retention'),
    settings: model('settings'),
    audit: model('audit'),
    artifacts: model('artifacts'),
  }
}

export function buildCollections(
  connection: Connection,
  models: ReturnType<typeof buildModels>,
  options: CommandOptions,
  copies: boolean,
): Collections {
  const consistently = async <R>(reads: (scope: ReadScope) => Promise<R>): Promise<R> => {
    if (!copies) return await reads({})
    const session = await connection.startSession({ causalConsistency: true }).catch((error: unknown) => {
      throw mapFailure(error)
    })
    try {
      return await reads({ session, readConcern: { level: 'majority' } })
    } finally {
      await session.endSession()
    }
  }
  return {
    accounts: new Table(models.accounts, options),
    entries: new Table(models.entries, options),
    details: new Table(models.details, options),
    usage: new Table(models.usage, options),
    refused: new Table(models.refused, options),
    keys: new Table(models.keys, options),
    idempotency: new Table(models.idempotency, options),
    gateways: new Table(models.gateways, options),
    retention: new Table(models.retention, options),
    settings: new Table(models.settings, options),
    audit: new Table(models.audit, options),
    artifacts: new Table(models.artifacts, options),
    consistently,
  }
}
