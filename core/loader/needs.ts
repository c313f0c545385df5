import type { Config } from '../config/types.js'
import type { PluginContribution, ProviderContribution, Vendor } from '../sdk/index.js'

/** What a provider needs beyond its vendor. */
interface Needs {
  /** A need that nobody declares, as a sentence, or null. */
  readonly fault: string | null
  /** What to set for each that has no value. */
  readonly missing: readonly string[]
  /** Variables of all of them. */
  readonly settings: readonly string[]
}

interface Found {
  readonly variable: string
  /** The setting in the configuration file. */
  readonly place: string
  readonly present: boolean
}

/** Looks for the secrets and settings that a provider names: among those of its vendor, then among those of its plugin. */
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

/** Whether a setting says anything: null, an empty text and an empty list do not. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
}
