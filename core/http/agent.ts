import { hint } from '../sdk/nearest.js'
import type { LoadedCapability, Registry } from '../loader/types.js'
import { Problem } from '../problems/problem.js'
import type { SchemaCompiler, Validator } from '../sdk/index.js'
import { agentInput } from './sent-body.js'
import { widestBody, type Direction } from './capability.js'
import type { HttpServices } from './services.js'

export const AGENT_PATH = '/v1/agent'

/** The direction of `/v1/agent`: the body names the capability; everything else is as on the capability's own path. */
export function agentDirection(services: HttpServices, compiler: SchemaCompiler): () => Direction {
  const validator: Validator<typeof agentInput> = compiler.compileInput(agentInput)
  return () => ({
    route: AGENT_PATH,
    bodyLimit: widestBody(services),
    heavy: false,
    agent: validator,
    direct: (body) => {
      const loaded = named(services.registry(), body.capability())
      assertSize(services, loaded, body.bytes)
      return { loaded, via: AGENT_PATH, at: 'params' }
    },
  })
}

/** The capability of a name in any of its accepted spellings. Throws `validation-failed` naming the nearest ids. */
export function named(registry: Registry, name: string): LoadedCapability {
  const id = registry.names.get(name) ?? registry.names.get(name.toLowerCase())
  const loaded = id === undefined ? undefined : registry.capabilities.get(id)
  if (loaded !== undefined) return loaded
  const msg = `no capability is called ${JSON.stringify(name.slice(0, 60))}${hint(name.slice(0, 60), [...registry.capabilities.keys()])}`
  throw new Problem('validation-failed', `capability: ${msg}`, {
    validation: [{ loc: ['body', 'capability'], msg, type: 'enum' }],
    action: 'GET /v1/capabilities lists every id.',
  })
}

function assertSize(services: HttpServices, { capability }: LoadedCapability, bytes: number): void {
  const limit = capability.bodyLimit ?? services.settings.limits.body
  if (bytes > limit) throw new Problem('payload-too-large', `The body is larger than the ${limit} bytes ${capability.id} accepts.`)
}
