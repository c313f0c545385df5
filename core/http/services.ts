import type { CallServices } from '../calls/order.js'
import type { Clock } from '../runtime/clock.js'
import type { DiskWatch } from '../runtime/disk-watch.js'
import type { Settings } from '../config/types.js'
import type { Log } from '../runtime/log-events.js'
import type { Suspensions } from '../dispatch/suspension.js'
import type { Artifacts } from '../files/artifacts.js'
import type { Uploads } from '../files/uploads.js'
import type { Authenticator, KeyUses } from '../accounts/authenticate.js'
import type { AbortLimit, UnpaidUse } from '../limits/unpaid.js'
import type { ByteBudget } from '../limits/byte-budget.js'
import type { Concurrency } from '../limits/concurrency.js'
import type { FailedLogins } from '../accounts/login-guard.js'
import type { RateLimit } from '../limits/rate.js'
import type { Shedder } from '../limits/shedding.js'
import type { Registry } from '../loader/types.js'
import type { SchemaCompiler } from '../sdk/index.js'
import type { Store } from '../store/types.js'
import type { Refusals } from '../accounts/refusals.js'
import type { KeyService } from '../accounts/service.js'
import type { AdminToken } from '../accounts/admin-token.js'
import type { LargeBodies } from './large/bodies.js'
import type { Readiness } from '../diagnosis/readiness.js'
import type { Telemetry } from '../telemetry/types.js'

/** Dependencies of the HTTP layer. */
export interface HttpServices {
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
  readonly store: Store
  readonly registry: () => Registry
  readonly calls: CallServices
  readonly authenticator: Authenticator
  readonly adminToken: AdminToken
  readonly keyUses: KeyUses
  readonly logins: FailedLogins
  readonly rates: RateLimit
  readonly concurrency: Concurrency
  readonly aborts: AbortLimit
  readonly unpaid: UnpaidUse
  readonly shedder: Shedder
  /** Memory of incoming request bodies and unread answers. */
  readonly bytes: ByteBudget
  readonly refusals: Refusals
  readonly artifacts: Artifacts
  readonly uploads: Uploads
  readonly telemetry: Telemetry
  readonly compiler: SchemaCompiler
  readonly largeBodies: LargeBodies
  readonly publicUrl: () => string
  readonly readiness: () => Promise<Readiness>
  readonly disks: Pick<DiskWatch, 'suspect'>
  /** Reloads plugins and configuration; a failed reload keeps the old state and throws. */
  readonly reload: () => Promise<void>
  /** The same on all replicas. */
  readonly reloadAll: () => Promise<void>
  /** Names of settings that have changed and require a restart, as of the last reload. */
  readonly needRestart: () => readonly string[]
  readonly suspensions: Suspensions
  readonly keys: KeyService
}
