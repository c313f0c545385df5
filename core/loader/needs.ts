import type { Config } from '../config/types.js'
import type { PluginContribution, ProviderContribution, Vendor } from '../sdk/index.js'

/** The additional secrets and settings that a provider needs. */
interface Needs {
  /** An undeclared need, as a sentence, or null. */
  readonly fault: string | null
  /** Instructions for each without a value. */
  readonly missing: readonly string[]
  /** The variables of all. */
  readonly settings: readonly string[]
}

interface Found {
  readonly variable: string
  /** The setting in the configuration file. */
  readonly place: string
  readonly present: boolean
}

/** Finds the secrets and settings that a provider names: first in its vendor, then in its plugin. */
export function needsOf({ vendor, needs = [], of }: ProviderContribution, manifest: PluginContribution, config: Config): Needs {
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

function secretOf(vendor: Vendor, name: string, config: Config): Found | null {
  const secrets = new Map(Object.entries({ ...vendor.secrets, ...vendor.optionalSecrets }))
  const variable = secrets.get(name)
  if (variable === undefined) return null
  return { variable, place: `vendors.${vendor.id}.${name}`, present: (config.vendor(vendor).secrets.get(name) ?? '') !== '' }
}

function settingOf(vendor: Vendor, manifest: PluginContribution, name: string, config: Config): Found | null {
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
