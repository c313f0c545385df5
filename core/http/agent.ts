import { hint } from '../config/nearest.js'
import type { LoadedCapability, Registry } from '../loader/port.js'
import { Problem } from '../problems/problem.js'
import { Type, type SchemaCompiler, type Validator } from '../sdk/index.js'
import { checkedInput, widestBody, type Direction } from './capability.js'
import type { HttpServices } from './services.js'
import { validated } from './validation.js'

export const AGENT_PATH = '/v1/agent'

/** The body of the endpoint that serves every capability by name. */
export const agentInput = Type.Object(
  {
    capability: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Id of the capability, for example the last part of its path; its path and aliases are taken too.',
    }),
    params: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { default: {}, description: 'Parameters of the capability.' })),
  },
  { additionalProperties: false },
)

/** The direction of `/v1/agent`: the capability is named in the body, and everything else is as on its own path. */
export function agentDirection(services: HttpServices, compiler: SchemaCompiler): () => Direction {
  const validator: Validator<typeof agentInput> = compiler.compile(agentInput)
  return () => ({
    route: AGENT_PATH,
    bodyLimit: widestBody(services),
    heavy: false,
    direct: ({ value, bytes }) => {
      const body = validated(validator, value, ['body'])
      const loaded = named(services.registry(), body.capability)
      assertSize(services, loaded, bytes)
      return { loaded, via: AGENT_PATH, input: checkedInput(loaded, body.params ?? {}, ['body', 'params']) }
    },
  })
}

/** The capability of a name in any of its accepted spellings. Throws `validation-failed` naming the nearest ids. */
export function named(registry: Registry, name: string): LoadedCapability {
  const id = registry.names.get(name) ?? registry.names.get(name.toLowerCase())
  const loaded = id === undefined ? undefined : registry.capabilities.get(id)
  if (loaded !== undefined) return loaded
  const msg = `no capability is called ${JSON.stringify(name.slice(0, 60))}${hint(name.slice(0, 60), [...registry.capabilities.keys()])}`
  throw new Problem('validation-failed', `capability: ${msg}.`, {
    validation: [{ loc: ['body', 'capability'], msg, type: 'enum' }],
    action: 'GET /v1/capabilities lists every id.',
  })
}

function assertSize(services: HttpServices, { capability }: LoadedCapability, bytes: number): void {
  const limit = capability.bodyLimit ?? services.settings.limits.body
  if (bytes > limit) throw new Problem('payload-too-large', `The body is larger than the ${limit} bytes ${capability.id} takes.`)
}
