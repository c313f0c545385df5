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

/** A provider as loaded: live, dormant (something is not configured or installed) or broken (its own file is wrong). */
export interface LoadedProvider {
  readonly vendor: Vendor
  readonly contribution: ProviderContribution
  readonly kind: 'local' | 'keyless' | 'keyed'
  /** An opted-out provider is dormant, so that nobody asks it by mistake. */
  readonly state: 'live' | 'dormant' | 'broken'
  /** Why it is not live and how to change that; null when it is live. */
  readonly reason: string | null
  /** Variables that configure it. */
  readonly settings: readonly string[]
  readonly access: VendorAccess
  /** The operator took it out, and why: it is not asked, whatever its state. */
  readonly suspended?: string
  /** The vendor must be named in the waterfall and is not. */
  readonly optedOut: boolean
  readonly reply: Validator<TSchema> | null
  readonly plugin: string
}

export interface LoadedPort {
  readonly port: Port
  readonly input: Validator<TObject>
  readonly output: Validator<TSchema>
  /** In the order in force; vendors that were left out are not here. */
  readonly providers: readonly LoadedProvider[]
  /** Every provider that serves the port, left out or not. */
  readonly all: readonly LoadedProvider[]
  /** Who gave the order in force; `operator` while running, `default` is config/waterfall.json. */
  readonly orderFrom?: 'operator' | 'variable' | 'file' | 'default'
  readonly plugin: string
}

/** What callers may read beside a capability. */
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
  readonly quote: (input: unknown) => number
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
  /** Why its files cannot be used now, while what was read of them before stays in use; null when they are in use. */
  readonly outdated: string | null
  /** Single files or exports that were set aside while the rest of the plugin is in use. */
  readonly remarks: readonly string[]
}

/** The registry that a call began with; `end` says that it has ended. */
export interface HeldRegistry {
  readonly registry: Registry
  /** Holds the same once more, while it is held. */
  readonly again: () => HeldRegistry
  readonly end: () => void
}

/** What is known of providers while running. */
export interface ProviderMarks {
  /** Whom the operator took out: reasons by `port/vendor`. */
  readonly suspended: ReadonlyMap<string, string>
  /** Vendors whose probe failed: reasons by id. Their providers are broken. */
  readonly failing: ReadonlyMap<string, string>
}

/** Everything that was loaded: immutable, swapped whole on reload. */
export interface Registry {
  /** Changes when anything callers can see changes. */
  readonly version: string
  readonly ports: ReadonlyMap<string, LoadedPort>
  readonly capabilities: ReadonlyMap<string, LoadedCapability>
  readonly byPath: ReadonlyMap<string, LoadedCapability>
  /** Lists with their capability, by path. */
  readonly lists: ReadonlyMap<string, { readonly loaded: LoadedCapability; readonly list: LoadedList }>
  /** Every accepted name of a capability (id, spellings, path, aliases) to its id. */
  readonly names: ReadonlyMap<string, string>
  readonly plugins: readonly PluginReport[]
  readonly contributions: readonly PluginContribution[]
  /** What was read of the operator's plugins in use: the next load falls back on it where their files cannot be used. */
  readonly guests: readonly PluginExports[]
  readonly vendors: readonly Vendor[]
  /** The same registry with other orders for some ports, and with what is known of providers while running. */
  withOrders(orders: ReadonlyMap<string, readonly string[]>, known?: ProviderMarks): Registry
  /** Whether a capability, or a port, can answer now, with what limits, and if not which settings would make it. */
  liveness(id: string): Liveness
  /**
   * Calls `dispose` of every plugin, once however often it is asked, also over registries made by `withOrders`, and waits five seconds for
   * each at most. Rejects with an AggregateError naming those that failed or did not end.
   */
  dispose(): Promise<void>
}

/** A field of an input that chooses among modes, and those that can answer now. */
export interface LiveModes {
  readonly field: string
  readonly live: readonly string[]
}

/** Whether a capability can answer now. */
export interface Liveness extends AnswerState {
  /** Where only a part of it can: which part, and why not the rest; null otherwise. */
  readonly limits: string | null
  /** Its modes where some of them, but not all, can answer; null otherwise. */
  readonly modes: LiveModes | null
}

/** Whether something can answer now, and if not why. */
export interface AnswerState {
  readonly live: boolean
  readonly reason: string | null
}
