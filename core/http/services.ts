import type { CallServices } from '../calls/order.js'
import type { DiskWatch } from '../runtime/disk-watch.js'
import type { Settings } from '../config/types.js'
import type { AccountService } from '../credits/account-service.js'
import type { GatewayDiagnosis } from '../diagnosis/types.js'
import type { ProviderControl } from '../dispatch/provider-control.js'
import type { Log } from '../runtime/log-events.js'
import type { Artifacts } from '../files/artifacts.js'
import type { Uploads } from '../files/uploads.js'
import type { Authenticator, KeyUses } from '../accounts/authenticate.js'
import type { AbortLimit, AccountLimit } from '../limits/unpaid.js'
import type { ByteBudget } from '../limits/byte-budget.js'
import type { Concurrency } from '../limits/concurrency.js'
import type { FailedLogins } from '../accounts/login-guard.js'
import type { RateLimit } from '../limits/rate.js'
import type { Shedder } from '../limits/shedding.js'
import type { Registry } from '../loader/types.js'
import type { SchemaCompiler } from '../sdk/index.js'
import type { Store } from '../store/types.js'
import type { History } from '../accounts/history.js'
import type { Refusals } from '../accounts/refusals.js'
import type { KeyService } from '../accounts/service.js'
import type { AdminToken } from '../accounts/admin-token.js'
import type { HttpMiddleware } from './exchange.js'
import type { LargeBodies } from './large/bodies.js'
import type { Readiness } from '../diagnosis/readiness.js'
import type { Telemetry } from '../telemetry/types.js'

/** The result of an audit. */
interface LedgerReport {
  readonly ok: boolean
  readonly accounts: number
  readonly entries: number
  readonly problems: readonly string[]
}

/** The services that the HTTP layer uses, and those of the calls that it starts. */
export interface HttpServices extends CallServices {
  readonly settings: Settings
  readonly log: Log
  readonly store: Store
  readonly registry: () => Registry
  readonly authenticator: Authenticator
  readonly adminToken: AdminToken
  readonly accounts: AccountService
  readonly history: History
  readonly keys: KeyService
  readonly keyUses: KeyUses
  readonly logins: FailedLogins
  readonly rates: RateLimit
  readonly concurrency: Concurrency
  readonly aborts: AbortLimit
  readonly accountLimits: readonly AccountLimit[]
  readonly shedder: Shedder
  /** Memory of incoming request bodies and unread answers. */
  readonly bytes: ByteBudget
  readonly refusals: Refusals
  readonly artifacts: Artifacts
  readonly uploads: Uploads
  readonly telemetry: Telemetry
  readonly compiler: SchemaCompiler
  readonly largeBodies: LargeBodies
  readonly providerControl: ProviderControl
  readonly readiness: () => Promise<Readiness>
  readonly diagnosis: () => Promise<GatewayDiagnosis>
  /** Audits the ledger that a store setting names. It shares no code with the ledger, and so is no part of the core. */
  readonly audit: (store: string) => Promise<LedgerReport>
  /** The MCP endpoint: a client of the HTTP API within the process, and so no part of the core. */
  readonly mcp: (services: HttpServices) => HttpMiddleware
  readonly disks: Pick<DiskWatch, 'suspect'>
  /** Reloads plugins and configuration here and on all replicas; a failed reload keeps the old state and throws. */
  readonly reloadAll: () => Promise<void>
  /** Names of settings that have changed and require a restart, as of the last reload. */
  readonly needRestart: () => readonly string[]
}
