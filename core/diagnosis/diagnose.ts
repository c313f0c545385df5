import { leftOutOf } from '../loader/order.js'
import type { Suspension } from '../dispatch/suspension.js'
import type { LoadedCapability, LoadedProvider, Registry } from '../loader/types.js'
import type { Check, Diagnosis, PortDiagnosis, ProviderDiagnosis } from './types.js'

/** State outside the registry: reasons of failed vendor probes, and current suspensions. */
interface Failing {
  readonly probes: ReadonlyMap<string, string>
  readonly suspensions: readonly Suspension[]
}

/** Every capability with the providers of its ports, in their order. */
export function diagnose(registry: Registry, checks: readonly Check[], failing: Failing): Diagnosis {
  const capabilities = [...registry.capabilities.values()].map((loaded) => {
    const { live, limits } = registry.liveness(loaded.capability.id)
    const ports = portsOf(registry, loaded).map((id) => diagnosePort(registry, id, failing))
    return { id: loaded.capability.id, answers: live, limits, ports }
  })
  return { live: capabilities.filter(({ answers }) => answers).length, total: capabilities.length, capabilities, checks: [...checks] }
}

function portsOf(registry: Registry, { capability, handler }: LoadedCapability): string[] {
  const served = (registry.ports.get(capability.id)?.all ?? []).length > 0
  const own = handler === null || served ? [capability.id] : []
  return [...new Set([...own, ...(capability.uses ?? []).map(({ id }) => id)])]
}

function diagnosePort({ ports }: Registry, id: string, { probes, suspensions }: Failing): PortDiagnosis {
  const loaded = ports.get(id)
  if (loaded === undefined) return { id, order_from: 'default', left_out: [], providers: [] }
  const optIn = loaded.all.filter((one) => one.optedOut && !loaded.providers.includes(one))
  const providers = [...loaded.providers, ...optIn].map((one: LoadedProvider): ProviderDiagnosis => {
    const { vendor, kind, settings, state, reason } = one
    const about = { vendor: vendor.id, kind, settings: [...settings] }
    const out = suspensions.find((suspension) => suspension.id === `${id}/${vendor.id}`)
    if (state !== 'live') return { ...about, state, reason }
    if (out !== undefined) return { ...about, state: 'suspended', reason: suspendedReason(id, vendor.id, out) }
    const failure = probes.get(vendor.id)
    return failure === undefined ? { ...about, state, reason } : { ...about, state: 'broken', reason: failure }
  })
  return { id, order_from: loaded.orderFrom ?? 'default', left_out: leftOutOf(loaded), providers }
}

function suspendedReason(port: string, vendor: string, { manual, until, why }: Suspension): string {
  const remedy = `capstan providers resume ${port} ${vendor}`
  return manual
    ? `by the operator until it is resumed (${why}); ${remedy}`
    : `after failures until ${new Date(until).toISOString()} (${why})`
}
