import type { VendorAccess } from '../sdk/host.js'
import type {
  Capability,
  DeclaredList,
  HandlerContribution,
  PluginContribution,
  Port,
  ProviderContribution,
  SettingValues,
  TObject,
  TSchema,
  Validator,
  Vendor,
} from '../sdk/index.js'
import type { PluginExports } from './plugin-exports.js'

/** A loaded provider: live, dormant (a setting or program is missing) or broken (it is faulty). */
export interface LoadedProvider {
  readonly vendor: Vendor
  readonly contribution: ProviderContribution
  readonly kind: 'local' | 'keyless' | 'keyed'
  /** An opted-out provider is dormant. */
  readonly state: 'live' | 'dormant' | 'broken'
  /** Why it is not live and how to change that; null when it is live. */
  readonly reason: string | null
  /** Variables that configure it. */
  readonly settings: readonly string[]
  readonly access: VendorAccess
  /** The reason if the operator suspended it: it is not called then, whatever its state. */
  readonly suspended?: string
  /** The vendor must be named in the waterfall and is not. */
  readonly optedOut: boolean
  readonly reply: Validator<TSchema> | null
  readonly plugin: string
  /** The file that exports it, relative to its plugin. */
  readonly file: string
}

export interface LoadedPort {
  readonly port: Port
  readonly input: Validator<TObject>
  readonly output: Validator<TSchema>
  /** In the current order, without vendors that it leaves out. */
  readonly providers: readonly LoadedProvider[]
  /** Every provider that serves the port, including those left out. */
  readonly all: readonly LoadedProvider[]
  /** The source of the current order: `operator` at run time, `default` from config/waterfall.json. */
  readonly orderFrom?: 'operator' | 'variable' | 'file' | 'default'
  readonly plugin: string
}

/** A list of a capability that callers may read. */
export interface LoadedList {
  readonly name: string
  readonly path: string
  readonly list: DeclaredList
  readonly query: Validator<TObject>
  readonly response: Validator<TSchema>
}

export interface LoadedCapability {
  readonly capability: Capability
  readonly input: Validator<TObject>
  readonly output: Validator<TSchema>
  readonly handler: HandlerContribution | null
  /** Settings of its plugin, defaults filled in. */
  readonly settings: SettingValues
  /** Credits of a checked input, in thousandths, with the operator's prices. */
  readonly quote: (input: unknown, output?: unknown) => number
  readonly prices: Readonly<Record<string, number>>
  readonly timeoutMs: (input: unknown) => number
  readonly lists: readonly LoadedList[]
  readonly plugin: string
}

export interface PluginReport {
  readonly name: string
  readonly version: string
  readonly folder: string
  readonly party: 'first' | 'third'
  readonly state: 'live' | 'set-aside'
  readonly reason: string | null
  /** Why its current files cannot be used while its earlier version stays loaded; null when they are loaded. */
  readonly outdated: string | null
  /** Single files or exports that were set aside while the rest of the plugin is loaded. */
  readonly remarks: readonly string[]
}

/** The registry of a call; `end` releases it. */
export interface HeldRegistry {
  readonly registry: Registry
  /** Takes another reference to the same registry, before `end`. */
  readonly again: () => HeldRegistry
  readonly end: () => void
}

/** State of providers at run time. */
export interface ProviderMarks {
  /** Suspended by the operator: reasons by `port/vendor`. */
  readonly suspended: ReadonlyMap<string, string>
  /** Vendors whose probe failed: reasons by id. Their providers are broken. */
  readonly failing: ReadonlyMap<string, string>
}

/** Everything that was loaded: immutable, replaced as a whole on reload. */
export interface Registry {
  /** Changes with everything visible to callers. */
  readonly version: string
  readonly ports: ReadonlyMap<string, LoadedPort>
  readonly capabilities: ReadonlyMap<string, LoadedCapability>
  readonly byPath: ReadonlyMap<string, LoadedCapability>
  /** Lists with their capability, by path. */
  readonly lists: ReadonlyMap<string, { readonly loaded: LoadedCapability; readonly list: LoadedList }>
  /** Capability ids by every accepted name (id, spellings, path, aliases). */
  readonly names: ReadonlyMap<string, string>
  readonly plugins: readonly PluginReport[]
  readonly contributions: readonly PluginContribution[]
  /** Exports of the operator's loaded plugins; the next load uses them where files cannot be used. */
  readonly guests: readonly PluginExports[]
  readonly vendors: readonly Vendor[]
  /** The same registry with other orders for some ports and the given states of providers. */
  withOrders(orders: ReadonlyMap<string, readonly string[]>, known?: ProviderMarks): Registry
  /** Whether a capability or port is live, with its limits, or which settings would make it live. */
  liveness(id: string): Liveness
  /**
   * Calls `dispose` of every plugin, once for all registries made by `withOrders`, and waits at most five seconds for
   * each. Rejects with an AggregateError naming those that failed or did not end.
   */
  dispose(): Promise<void>
}

/** The mode field of an input, and the live modes. */
export interface LiveModes {
  readonly field: string
  readonly live: readonly string[]
}

/** Whether a capability is live. */
export interface Liveness extends AnswerState {
  /** If only a part of it is live: which, and why not the rest; null otherwise. */
  readonly limits: string | null
  /** Its modes if some but not all are live; null otherwise. */
  readonly modes: LiveModes | null
}

/** Whether a capability or port is live, and if not why. */
export interface AnswerState {
  readonly live: boolean
  readonly reason: string | null
}
