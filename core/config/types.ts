import type { Settings } from '../../config/default.js'
import type { ConfigProblem } from '../problems/errors.js'
import type { PluginContribution, Vendor } from '../sdk/index.js'

export type { Settings }

/** The configuration of one vendor, variables before file. */
export interface VendorConfig {
  readonly url: string | null
  /** Declared secrets that have a value. */
  readonly secrets: ReadonlyMap<string, string>
  /** Variables of required secrets without a value. */
  readonly missing: readonly string[]
  readonly settings: Readonly<Record<string, unknown>>
}

/** One setting for `config check`. */
export interface SettingReport {
  readonly name: string
  readonly variable: string | null
  readonly type: string
  readonly default: string
  readonly about: string
  /** Current value, secrets as `set`. */
  readonly value: string
  readonly source: 'default' | 'file' | 'variable'
}

/** The configuration of one start or reload: read once, immutable. */
export interface Config {
  readonly settings: Settings
  /** Absolute path of the file it was read from, or null when there is none. */
  readonly file: string | null
  /** The written order of a port with items with a leading `-`, or null; from `variable`, `file` or `default` (config/waterfall.json). */
  waterfall(port: string): { readonly order: readonly string[]; readonly source: 'variable' | 'file' | 'default' } | null
  /** The order of config/waterfall.json; empty when it does not name the port. */
  defaultOrder(port: string): readonly string[]
  /** The operator's prices for a capability, by row of its table (`call` for a flat price), or null. */
  prices(capability: string): Readonly<Record<string, number>> | null
  /** Never throws: an invalid setting has its default here and is reported in `problems`, which prevents the start. */
  vendor(vendor: Vendor): VendorConfig
  plugin(plugin: PluginContribution): Readonly<Record<string, unknown>>
  /** Absolute path the operator set for a program. */
  program(name: string): string | null
  /** Where a setting was given: `capstan.yml:6:13` or its variable; its name where it is the default. */
  place(name: string): string
  /** The variable of a setting, for messages: `CAPSTAN_VENDOR_ACME_URL`. */
  variable(name: string): string
  /** Problems that require loaded plugins: unknown vendors, plugins, ports, capabilities or rows; invalid settings. */
  problems(known: KnownNames): readonly ConfigProblem[]
  /** Warnings found while reading. */
  readonly warnings: readonly ConfigProblem[]
  report(known: KnownNames): readonly SettingReport[]
}

export interface KnownNames {
  readonly vendors: readonly Vendor[]
  readonly plugins: readonly PluginContribution[]
  readonly ports: readonly string[]
  /** The plugins' prices: credits by row, by capability. */
  readonly prices: ReadonlyMap<string, Readonly<Record<string, number>>>
  /** Vendors that serve each port, by port. */
  readonly serving: ReadonlyMap<string, readonly string[]>
  readonly programs: readonly string[]
  /** A plugin was set aside and its names are missing: unknown names are then warnings. */
  readonly incomplete?: boolean
}
