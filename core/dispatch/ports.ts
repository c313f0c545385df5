import type { LoadedPort, LoadedProvider } from '../loader/types.js'
import { Fault } from '../sdk/index.js'
import type { Environment } from './environment.js'
import { Unavailable } from './errors.js'
import { deepFreeze } from './freeze.js'
import { LoneProbe, probing } from './probe.js'
import type { CheckedPortRequest, PortRequest, PortResult, Ports } from './port-request.js'
import type { Admission } from './suspension.js'
import { attempt, suspensionId } from './try-provider.js'
import { assertShallow, fits, lastResort, skip, waterfall } from './waterfall.js'

/** The ports of an environment, which is asked for late because it holds this very object. */
export class EnvironmentPorts implements Ports {
  readonly #environment: () => Environment

  constructor(environment: () => Environment) {
    this.#environment = environment
  }

  async invoke(request: PortRequest): Promise<PortResult> {
    const environment = this.#environment()
    return await waterfall(environment, checkedRequest(environment, request))
  }

  gather(request: PortRequest): Promise<PortResult[]> {
    return gather(this.#environment(), request)
  }

  live(portId: string): boolean {
    const { registry, suspensions } = this.#environment()
    const port = registry().ports.get(portId)
    return port?.providers.some((provider) => provider.state === 'live' && !suspensions.isOut(suspensionId(port, provider))) ?? false
  }
}

function checkedRequest(environment: Environment, request: PortRequest): CheckedPortRequest {
  const port = environment.registry().ports.get(request.portId)
  if (port === undefined) throw new Unavailable(request.portId, `No plugin provides ${request.portId}.`)
  return { ...request, port, input: checkedInput(port, request.given) }
}

function checkedInput(port: LoadedPort, given: unknown): unknown {
  // Defaults are filled in in place, and the object belongs to the caller.
  const input: unknown = structuredClone(given)
  if (port.input.check(input)) return deepFreeze(input)
  throw new Fault('broken', 'A part of this capability was asked in a form it does not take.', {
    internal: `${port.port.id}: ${port.input.explain()}`,
  })
}

/**
 * Every live provider at once; those without a result are left out. Throws only when no provider could be asked.
 * With all of them suspended one probe goes out.
 */
async function gather(environment: Environment, request: PortRequest): Promise<PortResult[]> {
  const asked = checkedRequest(environment, request)
  assertShallow(request.depth, asked.port)
  const providers = asked.port.providers.filter((provider) => provider.state === 'live' && fits(environment, provider, asked.input))
  if (providers.length === 0) throw new Unavailable(request.portId, `No provider of ${request.portId} is configured.`)
  const admitted: Record<Admission, LoadedProvider[]> = { go: [], probe: [], suspended: [] }
  for (const provider of providers) admitted[environment.suspensions.admit(suspensionId(asked.port, provider))].push(provider)
  for (const provider of admitted.suspended) skip(environment, asked, provider, 'suspended')
  const outcomes = await allOf(environment, asked, admitted)
  const answers = outcomes.filter((outcome): outcome is PortResult => outcome !== null && outcome !== 'late' && !Fault.is(outcome))
  if (request.depth === 0) for (const answer of answers) request.call.recordProvider(answer.provider)
  return answers
}

/** What every provider that may be asked ended with. Those that are probed hold nobody up who has another answer. */
async function allOf(
  environment: Environment,
  asked: CheckedPortRequest,
  { go, probe, suspended }: Readonly<Record<Admission, readonly LoadedProvider[]>>,
): Promise<(PortResult | Fault | 'late' | null)[]> {
  if (go.length === 0 && probe.length === 0) return [await lastResort(environment, asked, suspended)]
  const certain = Promise.all(go.map((provider) => attempt(environment, asked, provider)))
  if (go.length === 0 || asked.port.port.once === true) {
    const probes = probe.map((provider) => probing(environment, suspensionId(asked.port, provider), attempt(environment, asked, provider)))
    return [...(await certain), ...(await Promise.all(probes))]
  }
  const alone = probe.map((provider) => new LoneProbe(environment, asked, provider))
  try {
    return (await Promise.all([certain, ...alone.map((each) => each.within(certain))])).flat()
  } finally {
    for (const each of alone) each.leave()
  }
}
