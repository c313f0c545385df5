import { leftOut } from '../dispatch/provider-report.js'
import type { Suspension } from '../dispatch/suspension.js'
import type { LoadedCapability, LoadedProvider, Registry } from '../loader/types.js'
import { nullable, oneOf, Type, type Static } from '../sdk/index.js'

const provider = Type.Object({
  vendor: Type.String(),
  kind: oneOf('local', 'keyless', 'keyed'),
  state: oneOf('live', 'dormant', 'broken', 'suspended'),
  reason: nullable(Type.String()),
  settings: Type.Array(Type.String({ description: 'Variable that configures it.' })),
})

const port = Type.Object({
  id: Type.String(),
  order_from: oneOf('operator', 'variable', 'file', 'default'),
  left_out: Type.Array(Type.String()),
  providers: Type.Array(provider),
})

const check = Type.Object({
  name: Type.String(),
  ok: Type.Boolean(),
  detail: Type.String(),
  fatal: Type.Optional(Type.Boolean({ description: 'No gateway starts with the setting as it is, though one would without it.' })),
})

/** What `capstan doctor --json` prints. */
export const diagnosis = Type.Object({
  live: Type.Integer(),
  total: Type.Integer(),
  capabilities: Type.Array(Type.Object({ id: Type.String(), answers: Type.Boolean(), ports: Type.Array(port) })),
  checks: Type.Array(check),
})

export type ProviderDiagnosis = Static<typeof provider>
export type PortDiagnosis = Static<typeof port>
export type Check = Static<typeof check>
export type Diagnosis = Static<typeof diagnosis>

/** What is not in the registry: vendors whose probes failed, and why; suspensions that stand now. */
export interface Failing {
  readonly probes: ReadonlyMap<string, string>
  readonly suspensions: readonly Suspension[]
}

/** Every capability with the providers of its ports, in the order in which they are asked. */
export function diagnose(registry: Registry, checks: readonly Check[], failing: Failing): Diagnosis {
  const capabilities = [...registry.capabilities.values()].map((loaded) => ({
    id: loaded.capability.id,
    answers: registry.liveness(loaded.capability.id).live,
    ports: portsOf(registry, loaded).map((id) => diagnosePort(registry, id, failing)),
  }))
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
  return { id, order_from: loaded.orderFrom ?? 'default', left_out: leftOut(loaded), providers }
}

function suspendedReason(port: string, vendor: string, { manual, until, why }: Suspension): string {
  const remedy = `capstan providers resume ${port} ${vendor}`
  return manual ? `by the operator until it is resumed (${why}); ${remedy}` : `after failures until ${new Date(until).toISOString()} (${why})`
}
