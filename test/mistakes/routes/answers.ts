import type { Answered } from '../../support/mistakes.js'
import { OpenApiChecker } from '../../support/openapi.js'
import { ofEveryRoute, type Operation } from './access.js'
import type { Attempt } from './attempt.js'
import { accountMistakes } from './account.js'
import { adminAccountMistakes } from './admin-accounts.js'
import { adminGatewayMistakes } from './admin-gateway.js'
import { agentMistakes } from './agent.js'
import { capabilityMistakes } from './capabilities/all.js'
import { discoveryMistakes } from './discovery.js'
import { fileMistakes } from './files.js'
import { keyMistakes } from './keys.js'
import { sendAttempt, type Sending } from './send.js'
import { newcomersWorld, type World } from './world.js'

/** Mistakes of single routes, beside those that are made with every route. */
export const OWN_MISTAKES: readonly Attempt[] = [
  ...accountMistakes,
  ...adminAccountMistakes,
  ...adminGatewayMistakes,
  ...agentMistakes,
  ...capabilityMistakes,
  ...discoveryMistakes,
  ...fileMistakes,
  ...keyMistakes,
]

/** Requests that are under way at once. */
const AT_ONCE = 4

/** Sends every mistake with every route, each group in its order. */
export async function sendAll(world: World, operations: readonly Operation[]): Promise<Sending[]> {
  const attempts = [...operations.flatMap(ofEveryRoute), ...OWN_MISTAKES]
  const sendings = new Array<Sending>(attempts.length)
  const open = [...attempts.entries()]
  const inTurn = async (): Promise<void> => {
    for (let next = open.shift(); next !== undefined; next = open.shift()) sendings[next[0]] = await sendAttempt(world, next[1], next[0])
  }
  await Promise.all(Array.from({ length: AT_ONCE }, inTurn))
  return sendings
}

/** The operations of the gateway's own description. */
export async function operationsOf({ gateway }: World): Promise<{ operations: Operation[]; checker: OpenApiChecker }> {
  const checker = await OpenApiChecker.of(gateway)
  const { paths } = (await gateway.get('/v1/openapi.json')).json<{ readonly paths: Record<string, Record<string, Described>> }>()
  const operations = Object.entries(paths).flatMap(([path, item]) => {
    const methods = Object.keys(item).map((method) => method.toUpperCase())
    return Object.entries(item).map(([method, { security, requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      access: accessOf(security),
      json: requestBody?.content['application/json'] !== undefined,
      methods,
    }))
  })
  return { operations, checker }
}

interface Described {
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
}

/** Without a word of its own an operation wants a key. */
function accessOf(security: Described['security']): Operation['access'] {
  if (security === undefined) return 'key'
  const [first] = security
  return first === undefined ? 'open' : 'admin' in first ? 'admin' : 'key'
}

/** Every mistake with its answer. */
export async function routeMistakes(): Promise<readonly Answered[]> {
  const world = await newcomersWorld()
  try {
    return (await sendAll(world, (await operationsOf(world)).operations)).map(({ answered }) => answered)
  } finally {
    await world.close()
  }
}
