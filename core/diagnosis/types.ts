import type { Suspension } from '../dispatch/suspension.js'
import { leftOutOf } from '../loader/order.js'
import type { LoadedCapability, LoadedProvider, Registry } from '../loader/types.js'
import { nullable, oneOf, type Static, Type } from '../sdk/schema.js'

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
  fatal: Type.Optional(Type.Boolean({ description: 'No gateway starts with this setting, though one would without it.' })),
})

/** The output of `capstan doctor --json`. */
const diagnosis = Type.Object({
  live: Type.Integer(),
  total: Type.Integer(),
  capabilities: Type.Array(
    Type.Object({
      id: Type.String(),
      answers: Type.Boolean(),
      limits: nullable(Type.String({ description: 'If only a part of it is live: which, and why not the rest.' })),
      ports: Type.Array(port),
    }),
  ),
  checks: Type.Array(check),
})

export type ProviderDiagnosis = Static<typeof provider>
export type PortDiagnosis = Static<typeof port>
export type Check = Static<typeof check>
export type Diagnosis = Static<typeof diagnosis>

/** The diagnosis of a running gateway. */
export const gatewayDiagnosis = Type.Object({
  ...diagnosis.properties,
  gateway: Type.Object({
    version: Type.String(),
    pid: Type.Integer(),
    url: Type.String(),
    now: Type.String({ format: 'date-time', description: 'Its clock.' }),
  }),
})
export type GatewayDiagnosis = Static<typeof gatewayDiagnosis>

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
