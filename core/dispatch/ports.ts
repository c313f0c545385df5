import type { Cancel } from '../cancel.js'
import type { LoadedPort } from '../loader/port.js'
import { Fault, serves } from '../sdk/index.js'
import type { CallState } from './call.js'
import type { Environment } from './environment.js'
import { Unavailable } from './errors.js'
import { attempt, waterfall, type Answer } from './waterfall.js'

/** A question to a port by code that stands above it. */
export interface PortRequest {
  readonly call: CallState
  readonly cancel: Cancel
  readonly depth: number
  readonly portId: string
  /** Not yet checked; defaults are filled in. */
  readonly given: unknown
  readonly only?: string | undefined
}

export interface Ports {
  ask(request: PortRequest): Promise<Answer>
  gather(request: PortRequest): Promise<Answer[]>
  live(portId: string): boolean
}

/** The ports of the registry in force. `environment` is asked for late because it holds this very object. */
export function createPorts(environment: () => Environment): Ports {
  return {
    ask: (request) => waterfall(environment(), question(environment(), request)),
    gather: (request) => gather(environment(), request),
    live: (portId) => {
      const { registry } = environment()
      return (
        registry()
          .ports.get(portId)
          ?.providers.some((provider) => provider.state === 'live') ?? false
      )
    },
  }
}

function question(environment: Environment, request: PortRequest) {
  const port = environment.registry().ports.get(request.portId)
  if (port === undefined) throw new Unavailable(request.portId, `No plugin provides ${request.portId}.`)
  return { ...request, port, input: checked(port, request.given) }
}

function checked(port: LoadedPort, given: unknown): unknown {
  // Defaults are filled in in place, and the object belongs to the caller.
  const input: unknown = structuredClone(given)
  if (port.input.check(input)) return input
  throw new Fault('broken', 'A part of this capability was asked in a form it does not take.', {
    internal: `${port.port.id}: ${port.input.explain()}`,
  })
}

/** Every live provider at once; those without a result are left out. Throws only when no provider could be asked. */
async function gather(environment: Environment, request: PortRequest): Promise<Answer[]> {
  const asked = question(environment, request)
  const providers = asked.port.providers.filter((provider) => provider.state === 'live' && serves(provider.contribution, asked.input))
  const open = providers.filter((provider) => environment.suspensions.admit(`${asked.port.port.id}/${provider.vendor.id}`) !== 'suspended')
  if (providers.length === 0) throw new Unavailable(request.portId, `No provider of ${request.portId} is configured.`)
  const outcomes = await Promise.all(open.map((provider) => attempt(environment, asked, provider)))
  const answers = outcomes.filter((outcome): outcome is Answer => outcome !== null && !(outcome instanceof Fault))
  if (request.depth === 0) for (const answer of answers) request.call.won(answer.provider)
  return answers
}
