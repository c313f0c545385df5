import { nullable, oneOf, Type, type Static } from '../sdk/schema.js'

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
