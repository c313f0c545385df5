import { leftOutOf } from '../loader/order.js'
import type { LoadedPort } from '../loader/types.js'
import { nullable, oneOf, Type, type Static } from '../sdk/index.js'
import type { Suspension } from './suspension.js'

const suspension = Type.Object({
  why: Type.String(),
  until: nullable(Type.String({ description: 'Null: until it is resumed.' })),
  manual: Type.Boolean({ description: 'By the operator, not after failures.' }),
})

/** A port with its current order and its providers. */
export const portReport = Type.Object({
  id: Type.String(),
  order: Type.Array(Type.String()),
  order_from: oneOf('operator', 'variable', 'file', 'default'),
  left_out: Type.Array(Type.String({ description: 'Vendors that the order omits, except opt-in vendors.' })),
  providers: Type.Array(
    Type.Object({
      id: Type.String(),
      kind: oneOf('local', 'keyless', 'keyed'),
      state: oneOf('live', 'dormant', 'broken'),
      reason: nullable(Type.String()),
      settings: Type.Array(Type.String()),
      in_order: Type.Boolean(),
      suspended: nullable(suspension),
    }),
  ),
})

/** Every port, and the operator's suspensions of providers that no loaded plugin has. */
export const providersReport = Type.Object({
  ports: Type.Array(portReport),
  unknown: Type.Array(Type.Object({ port: Type.String(), id: Type.String(), suspended: suspension })),
})

export type PortReport = Static<typeof portReport>
export type ProvidersReport = Static<typeof providersReport>

/** The report of one port; `suspended`: all current suspensions by `port/vendor`. */
export function reportPort(loaded: LoadedPort, suspended: ReadonlyMap<string, Suspension>): PortReport {
  const { port, all, providers, orderFrom = 'default' } = loaded
  const order = providers.map(({ vendor }) => vendor.id)
  return {
    id: port.id,
    order,
    order_from: orderFrom,
    left_out: leftOutOf(loaded),
    providers: all.map(({ vendor, kind, state, reason, settings }) => {
      const out = suspended.get(`${port.id}/${vendor.id}`)
      return {
        id: vendor.id,
        kind,
        state,
        reason,
        settings: [...settings],
        in_order: order.includes(vendor.id),
        suspended: out === undefined ? null : reportSuspension(out),
      }
    }),
  }
}

/** A suspension with its end as an ISO time; null means until it is resumed. */
function reportSuspension({ why, until, manual }: Suspension): Static<typeof suspension> {
  return { why, until: Number.isFinite(until) ? new Date(until).toISOString() : null, manual }
}

/** The operator's suspensions of providers that no loaded plugin has. */
export function unknownSuspensions(suspensions: readonly Suspension[], ports: ReadonlyMap<string, LoadedPort>): ProvidersReport['unknown'] {
  return suspensions.flatMap((suspended) => {
    const [port = '', id = ''] = suspended.id.split('/', 2)
    const known = ports.get(port)?.all.some(({ vendor }) => vendor.id === id) ?? false
    return known || !suspended.manual ? [] : [{ port, id, suspended: reportSuspension(suspended) }]
  })
}
