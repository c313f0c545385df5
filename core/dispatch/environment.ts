import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import type { Sandbox, Workers } from '../exec/types.js'
import type { Api, Net, Web } from '../outbound/types.js'
import type { CallFiles } from '../files/blobs.js'
import type { OpenedLink } from '../files/own-links.js'
import type { ScratchFolder } from '../files/scratch-folder.js'
import type { HeldRegistry, Registry } from '../loader/types.js'
import type { EntryCache } from './cached/cache.js'
import type { CapCounts } from '../limits/caps.js'
import type { SharedNames } from '../runtime/id.js'
import type { Telemetry } from '../telemetry/types.js'
import type { CleanUps, Probes } from './background-work.js'
import type { Ports } from './port-request.js'
import type { Resources } from './resources.js'
import type { Shapes } from './shapes.js'
import type { Suspensions } from './suspension.js'

/** The dependencies of dispatch: the loaded plugins and access to network, sandbox, files and shared state. */
export interface Environment {
  /** The current registry; replaced as a whole on reload. */
  readonly registry: () => Registry
  /** The current registry, or that of the call; its plugins stay loaded until `end`. */
  readonly begin: () => HeldRegistry
  readonly clock: Clock
  readonly api: Api
  readonly web: Web
  readonly net: Net
  readonly sandbox: Sandbox
  readonly workers: Workers
  readonly files: CallFiles
  /** Opens the file of a link to this gateway; null for any other address. Faults as `Scratch.stored`. */
  readonly openLink: (address: string, cancel: Cancel) => Promise<OpenedLink | null>
  /** A folder for the files of one call. */
  readonly openScratch: () => ScratchFolder
  readonly resources: Resources
  readonly suspensions: Suspensions
  readonly probes: Probes
  readonly cleanUps: CleanUps
  readonly shapes: Shapes
  /** Names of what calls share: cached values and counts of caps. */
  readonly names: SharedNames
  readonly cache: EntryCache
  readonly caps: CapCounts
  /** Other ports, for handlers and for providers that build on them. */
  readonly ports: Ports
  readonly log: Log
  /** Counts every finished try, and the costs and tokens that vendors reported. */
  readonly telemetry: Pick<Telemetry, 'attempt' | 'cost' | 'tokens'>
}
