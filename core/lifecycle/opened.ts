import type { Clock } from '../runtime/clock.js'
import type { Sandbox } from '../exec/types.js'
import type { Outbound } from '../outbound/types.js'
import type { Registry } from '../loader/types.js'
import type { Store } from '../store/types.js'
import type { Log } from '../runtime/log-events.js'
import type { Load } from '../limits/shedding.js'
import type { Metrics, ProcessFaults } from '../telemetry/metrics.js'
import type { Config } from '../config/types.js'
import type { BlobStore } from '../files/blobs.js'
import type { RegistryHolder } from '../loader/holder.js'
import type { RedisLink } from '../redis/types.js'
import type { Telemetry } from '../telemetry/types.js'

/** Replacements for the real parts, for tests or an embedding process. */
export interface Overrides {
  readonly clock?: Clock
  readonly log?: Log
  /** Faults of the process outside the gateway. */
  readonly faults?: ProcessFaults
  readonly store?: Store
  readonly outbound?: Outbound
  readonly sandbox?: Sandbox
  /** Loads the plugins; the default reads the bundled folder and the configured ones. */
  readonly load?: () => Promise<Registry>
  readonly measureLoad?: () => Load
}

/** Parts that are opened asynchronously before the container is built. */
export interface Opened {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  readonly faults: ProcessFaults
  readonly instance: string
  readonly store: Store
  readonly outbound: Outbound
  readonly sandbox: Sandbox
  readonly blobs: BlobStore
  /** The Redis that replicas share; null where this gateway keeps its limits in memory. */
  readonly redis: RedisLink | null
  readonly holder: RegistryHolder
  readonly telemetryFor: (metrics: Metrics) => Telemetry
  readonly linkSecret: string
  readonly publicUrl: () => string
  readonly measureLoad?: (() => Load) | undefined
}
