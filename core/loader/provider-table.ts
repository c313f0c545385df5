import type { Config } from '../config/types.js'
import { type PluginContribution, type ProviderContribution, SchemaCompiler, type Vendor } from '../sdk/index.js'
import { assertOwnSettings, type Placed, type PluginExports } from './plugin-exports.js'
import { messageOf, PluginError } from './plugin-error.js'
import type { LoadedProvider } from './types.js'
import { sameVendor, variablesOf, vendorFault } from './vendor-rules.js'
import { vendorState, type VendorState } from './vendor-state.js'

/** The additional secrets and settings that a provider needs. */
interface Needs {
  /** An undeclared need, as a sentence, or null. */
  readonly fault: string | null
  /** Instructions for each without a value. */
  readonly missing: readonly string[]
  /** The variables of all. */
  readonly settings: readonly string[]
}

interface FoundSetting {
  readonly variable: string
  /** The setting in the configuration file. */
  readonly place: string
  readonly present: boolean
}

/** Finds the secrets and settings that a provider names: first in its vendor, then in its plugin. */
function needsOf({ vendor, needs = [], of }: ProviderContribution, manifest: PluginContribution, config: Config): Needs {
  const found = needs.map((name) => ({ name, need: secretOf(vendor, name, config) ?? settingOf(vendor, manifest, name, config) }))
  const unknown = found.find(({ need }) => need === null)
  const known = found.flatMap(({ need }) => (need === null ? [] : [need]))
  return {
    fault:
      unknown === undefined
        ? null
        : `the provider of ${of.id} needs "${unknown.name}", which is neither a secret or setting of vendor ${vendor.id} nor a setting of its plugin`,
    missing: known.filter(({ present }) => !present).map(({ variable, place }) => `set ${variable} (or ${place})`),
    settings: known.map(({ variable }) => variable),
  }
}

function secretOf(vendor: Vendor, name: string, config: Config): FoundSetting | null {
  const secrets = new Map(Object.entries({ ...vendor.secrets, ...vendor.optionalSecrets }))
  const variable = secrets.get(name)
  if (variable === undefined) return null
  return { variable, place: `vendors.${vendor.id}.${name}`, present: (config.vendor(vendor).secrets.get(name) ?? '') !== '' }
}

function settingOf(vendor: Vendor, manifest: PluginContribution, name: string, config: Config): FoundSetting | null {
  for (const [id, declared, values] of [
    [vendor.id, vendor.settings, config.vendor(vendor).settings],
    [manifest.name, manifest.settings, config.plugin(manifest)],
  ] as const) {
    if (declared === undefined || !Object.hasOwn(declared.properties, name)) continue
    const place = `plugins.${id}.${name}`
    return { variable: config.variable(place), place, present: isSet(values[name]) }
  }
  return null
}

/** Whether a setting has a value: null, an empty text and an empty list are none. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
}

/** A provider, independent of any order. */
export type ProviderEntry = Omit<LoadedProvider, 'optedOut'>

interface KnownVendor {
  readonly vendor: Vendor
  readonly plugin: string
  readonly party: 'first' | 'third'
  readonly state: VendorState
}

/** The registered providers, by port, and their vendors. */
export class ProviderTable {
  readonly #config: Config
  /** Stops at the first fault, since only that is shown. */
  readonly #replies = new SchemaCompiler({ allErrors: false })
  readonly #program: (name: string) => string | undefined
  readonly #vendors = new Map<string, KnownVendor>()
  readonly #byPort = new Map<string, ProviderEntry[]>()

  constructor(config: Config, program: (name: string) => string | undefined) {
    this.#config = config
    this.#program = program
  }

  get vendors(): readonly Vendor[] {
    return [...this.#vendors.values()].map(({ vendor }) => vendor)
  }

  of(port: string): readonly ProviderEntry[] {
    return this.#byPort.get(port) ?? []
  }

  /**
   * Registers one provider. Throws PluginError for a conflict with registered ones. Its own faults throw for a bundled
   * plugin and make a third-party provider `broken`.
   */
  add({ file, value }: Placed<ProviderContribution>, { manifest, found }: PluginExports): void {
    const { vendor, of } = value
    const refuse = (reason: string, cause?: unknown): PluginError => new PluginError(manifest.name, file, reason, cause)
    const known = this.#known(vendor, manifest.name, found.party, refuse)
    if (this.of(of.id).some((entry) => entry.vendor.id === vendor.id))
      throw refuse(`port ${of.id} already has a provider of vendor ${vendor.id}`)
    assertOwnSettings(manifest, { file, value })
    const twice = Object.keys(manifest.settings?.properties ?? {}).find((name) => name in (vendor.settings?.properties ?? {}))
    if (twice !== undefined) throw refuse(`the setting "${twice}" is declared by the plugin and by vendor ${vendor.id}; rename one`)
    const needs = needsOf(value, manifest, this.#config)
    const fault = vendorFault(vendor, value.http !== undefined) ?? this.#schemaFault(value, found.party) ?? needs.fault
    if (fault !== null && found.party === 'first') throw refuse(fault)
    const { missing, ...state } = known.state
    const lacks = [...(missing === null ? [] : [missing]), ...needs.missing.filter((lack) => missing?.includes(lack) !== true)]
    const condition = fault !== null ? 'broken' : lacks.length > 0 ? 'dormant' : 'live'
    const entry: ProviderEntry = {
      vendor: known.vendor,
      contribution: value,
      ...state,
      access: { ...state.access, settings: { ...this.#config.plugin(manifest), ...state.access.settings } },
      state: condition,
      settings: [...new Set([...state.settings, ...needs.settings])],
      reason: fault ?? (lacks.length === 0 ? null : lacks.join('; ')),
      reply: value.http === undefined ? null : this.#replies.compile(value.http.reply),
      plugin: manifest.name,
      file,
    }
    this.#vendors.set(vendor.id, known)
    this.#byPort.set(of.id, [...this.of(of.id), entry])
  }

  #known(vendor: Vendor, plugin: string, party: 'first' | 'third', refuse: (reason: string) => PluginError): KnownVendor {
    const known = this.#vendors.get(vendor.id)
    if (known !== undefined) {
      if (!sameVendor(known.vendor, vendor))
        throw refuse(`vendor ${vendor.id} is defined differently in plugin ${known.plugin}; one id is one definition`)
      return known
    }
    if (party === 'third') this.#guardSecrets(vendor, refuse)
    return { vendor, plugin, party, state: vendorState(vendor, this.#config, this.#program) }
  }

  /** A third-party vendor must not read a variable of another vendor (T-67). */
  #guardSecrets(vendor: Vendor, refuse: (reason: string) => PluginError): void {
    const wanted = variablesOf(vendor)
    for (const { vendor: other } of this.#vendors.values()) {
      const taken = variablesOf(other).find((variable) => wanted.includes(variable))
      if (taken !== undefined)
        throw refuse(`vendor ${vendor.id} reads ${taken}, the secret of vendor ${other.id}; name a variable of its own`)
    }
  }

  /** Schemas of bundled plugins are checked by the conformance suite. */
  #schemaFault({ vendor, http }: ProviderContribution, party: 'first' | 'third'): string | null {
    if (party === 'first') return null
    try {
      for (const schema of [vendor.settings, http?.reply]) if (schema !== undefined) this.#replies.assertValid(schema)
      return null
    } catch (error) {
      return `a schema of its reply or settings does not compile: ${messageOf(error)}`
    }
  }
}
