import type { LoadedCapability, LoadedProvider, Registry } from '../loader/types.js'

/** One provider of a port, as `doctor` shows it. */
export interface ProviderDiagnosis {
  readonly vendor: string
  readonly kind: 'local' | 'keyless' | 'keyed'
  readonly state: 'live' | 'dormant' | 'broken'
  readonly reason: string | null
  /** Variables that configure it. */
  readonly settings: readonly string[]
}

export interface CapabilityDiagnosis {
  readonly id: string
  readonly answers: boolean
  readonly ports: readonly { readonly id: string; readonly providers: readonly ProviderDiagnosis[] }[]
}

export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  /** No gateway starts with the setting as it is, though one would without it. */
  readonly fatal?: boolean
}

/** What `capstan doctor --json` prints. */
export interface Diagnosis {
  readonly live: number
  readonly total: number
  readonly capabilities: readonly CapabilityDiagnosis[]
  readonly checks: readonly Check[]
}

/** Every capability with the providers of its ports, in the order in which they are asked. `failures` are the vendors whose probes failed, and why. */
export function diagnose(registry: Registry, checks: readonly Check[], failures: ReadonlyMap<string, string>): Diagnosis {
  const capabilities = [...registry.capabilities.values()].map((loaded) => ({
    id: loaded.capability.id,
    answers: registry.liveness(loaded.capability.id).live,
    ports: portsOf(registry, loaded).map((id) => ({ id, providers: providersOf(registry, id, failures) })),
  }))
  return { live: capabilities.filter(({ answers }) => answers).length, total: capabilities.length, capabilities, checks }
}

function portsOf(registry: Registry, { capability, handler }: LoadedCapability): string[] {
  const served = (registry.ports.get(capability.id)?.all ?? []).length > 0
  const own = handler === null || served ? [capability.id] : []
  return [...new Set([...own, ...(capability.uses ?? []).map(({ id }) => id)])]
}

function providersOf(registry: Registry, id: string, failures: ReadonlyMap<string, string>): ProviderDiagnosis[] {
  const port = registry.ports.get(id)
  if (port === undefined) return []
  const optIn = port.all.filter((provider) => provider.optedOut && !port.providers.includes(provider))
  return [...port.providers, ...optIn].map(({ vendor, kind, state, reason, settings }: LoadedProvider) => ({
    vendor: vendor.id,
    kind,
    settings,
    ...(state === 'live' && failures.has(vendor.id) ? { state: 'broken', reason: failures.get(vendor.id) ?? null } : { state, reason }),
  }))
}
