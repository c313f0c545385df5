import type { Clock } from '../runtime/clock.js'
import type { Sandbox } from '../exec/types.js'
import type { Outbound } from '../outbound/types.js'
import type { Registry } from '../loader/types.js'
import type { Store } from '../store/types.js'
import type { Log } from '../runtime/log-events.js'
import type { Load } from '../limits/shedding.js'
import type { ProcessFaults } from '../telemetry/metrics.js'

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
