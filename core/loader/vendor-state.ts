import type { Config, VendorConfig } from '../config/types.js'
import type { VendorAccess } from '../sdk/host.js'
import { programsOf, type Vendor } from '../sdk/index.js'

/** The state of a vendor here, independent of any port's order. */
export interface VendorState {
  readonly kind: 'local' | 'keyless' | 'keyed'
  /** Instructions for missing settings and programs; null when none are missing. */
  readonly missing: string | null
  readonly settings: readonly string[]
  readonly access: VendorAccess
}

/** Determines the state from the configuration and the installed programs. */
export function vendorState(vendor: Vendor, config: Config, program: (name: string) => string | undefined): VendorState {
  const given = config.vendor(vendor)
  const missing = [
    ...missingAddress(vendor, given, config),
    ...missingSecrets(vendor, given, config),
    ...missingPrograms(vendor, config, program),
  ]
  return {
    kind: kindOf(vendor, given),
    missing: missing.length === 0 ? null : missing.join('; '),
    settings: settingsOf(vendor, config),
    access: accessOf(vendor, given),
  }
}

function kindOf(vendor: Vendor, given: VendorConfig): VendorState['kind'] {
  if (Object.keys(vendor.secrets ?? {}).length > 0 && !needsNoKey(vendor, given)) return 'keyed'
  return vendor.baseUrl === undefined && vendor.needsUrl !== true && given.url === null ? 'local' : 'keyless'
}

function needsNoKey(vendor: Vendor, given: VendorConfig): boolean {
  return vendor.keylessWithUrl === true && given.url !== null
}

function missingAddress(vendor: Vendor, given: VendorConfig, config: Config): string[] {
  if (vendor.needsUrl !== true || given.url !== null) return []
  return [`set ${urlVariable(vendor, config)} (or vendors.${vendor.id}.url)`]
}

function missingSecrets(vendor: Vendor, given: VendorConfig, config: Config): string[] {
  if (needsNoKey(vendor, given)) return []
  const absent = Object.entries(vendor.secrets ?? {}).filter(([name]) => (given.secrets.get(name) ?? '') === '')
  if (absent.length === 0) return []
  const keys = `set ${absent.map(([name, variable]) => `${variable} (or vendors.${vendor.id}.${name})`).join(' and ')}`
  return [
    vendor.keylessWithUrl === true && vendor.needsUrl !== true
      ? `${keys}, or ${urlVariable(vendor, config)} to a server of your own`
      : keys,
  ]
}

function missingPrograms(vendor: Vendor, config: Config, program: (name: string) => string | undefined): string[] {
  const absent = ([name]: [string, string]): boolean => program(name) === undefined
  const advice = ([name, debian]: [string, string]): string => {
    const isPackages = !debian.startsWith('npm ') && /^[a-z0-9][a-z0-9.+-]*(?: [a-z0-9][a-z0-9.+-]*)*$/.test(debian)
    const source = isPackages ? `Debian package ${debian.replaceAll(' ', ', ')}` : debian
    return `install ${name} (${source}) or set ${config.variable(`programs.${name}`)}`
  }
  const any = Object.entries(vendor.anyProgram ?? {})
  const noneOfAny = any.length > 0 && any.every(absent)
  return [
    ...Object.entries(vendor.programs ?? {})
      .filter(absent)
      .map(advice),
    ...(noneOfAny ? [any.map(advice).join(', or ')] : []),
  ]
}

function urlVariable(vendor: Vendor, config: Config): string {
  return config.variable(`vendors.${vendor.id}.url`)
}

function settingsOf(vendor: Vendor, config: Config): string[] {
  const remote = vendor.baseUrl !== undefined || vendor.needsUrl === true
  return [
    ...Object.values(vendor.secrets ?? {}),
    ...Object.values(vendor.optionalSecrets ?? {}),
    ...(remote ? [urlVariable(vendor, config)] : []),
    ...Object.keys(programsOf(vendor)).map((name) => config.variable(`programs.${name}`)),
    ...Object.keys(vendor.settings?.properties ?? {}).map((name) => config.variable(`plugins.${vendor.id}.${name}`)),
  ]
}

/** A vendor's access. `secret` throws for undeclared names (T-67); a declared secret without a value is empty. */
function accessOf(vendor: Vendor, given: VendorConfig): VendorAccess {
  const declared = new Set([...Object.keys(vendor.secrets ?? {}), ...Object.keys(vendor.optionalSecrets ?? {})])
  const values = new Map([...given.secrets].filter(([name]) => declared.has(name)))
  return {
    vendor,
    baseUrl: (given.url ?? vendor.baseUrl ?? '').replace(/(?<!\/)\/+$/, ''),
    operatorUrl: given.url !== null,
    settings: given.settings,
    secret: (name) => {
      if (!declared.has(name)) throw new TypeError(`vendor ${vendor.id} reads the secret "${name}", which it does not declare`)
      return values.get(name) ?? ''
    },
  }
}
