import { authorise } from '../../accounts/caller.js'
import { callerNames } from '../../calls/run.js'
import { answerFree } from '../../dispatch/read-list.js'
import type { LoadedCapability } from '../../loader/types.js'
import { Problem } from '../../problems/problem.js'
import { nullable, or, type Static, Type, type Validator } from '../../sdk/index.js'
import { toCredits } from '../../store/amount.js'
import { capabilitiesOf } from '../direction.js'
import type { Document, Documents } from '../discovery/documents.js'
import type { Exchange } from '../exchange.js'
import { none, route, type Route } from '../route.js'
import type { HttpServices } from '../services.js'
import { checkedInput } from '../validation.js'
import { product } from './discovery.js'

const chatInput = Type.Object(
  {
    message: Type.String({ minLength: 1, maxLength: 4_000, pattern: '\\S', description: 'What is wanted.' }),
    conversation_history: or(Type.Array(Type.Record(Type.String(), Type.String()), { maxItems: 50 }), []),
    product,
  },
  { additionalProperties: false },
)
const proposal = Type.Object({
  capability: nullable(Type.String()),
  params: Type.Record(Type.String(), Type.Unknown()),
  alternatives: Type.Array(Type.String(), { description: 'Ids of other capabilities that could be meant.' }),
})
const text = nullable(Type.String())
const chatOutput = Type.Object({
  ...proposal.properties,
  ...{ reply: Type.String(), endpoint: text, method: text, curl: text, missing: Type.Array(Type.String()) },
  credits: nullable(Type.Number({ description: 'Price of the call; null while parameters are missing.' })),
})

/** The route that turns a sentence into a proposed call, by the port `playground.propose`. It executes nothing. */
export function playgroundRoutes(services: HttpServices, documents: Documents): Route[] {
  const { compiler } = services
  const shape = compiler.compile(proposal)
  return [
    route(compiler, {
      method: 'POST',
      path: '/v1/playground/chat',
      id: 'chat',
      summary: 'The call that a sentence means',
      description: 'Finds the call for a message, after earlier ones {role, content}. Executes nothing. Free.',
      access: 'key',
      params: none,
      query: none,
      body: chatInput,
      response: chatOutput,
      problems: ['key-not-allowed', 'capability-unavailable', 'providers-failed', 'deadline-exceeded'],
      handle: async ({ body, exchange }) => {
        capabilitiesOf(services, body.product, 'body')
        const list = documents.get(`playground ${body.product}`, (all) => JSON.stringify(documents.within(all, body.product)))
        return { json: shown(services, await proposed(services, { sent: body, exchange, list, shape })) }
      },
    }),
  ]
}

interface Sentence {
  readonly sent: Static<typeof chatInput>
  readonly exchange: Exchange
  readonly list: Document
  readonly shape: Validator<typeof proposal>
}

/** The proposal of the plugin that matches sentences with the capabilities of a document. */
async function proposed(services: HttpServices, { sent, exchange, list, shape }: Sentence) {
  const { caller, address, requestId } = exchange
  if (caller === null) throw new TypeError('the playground was reached without a key')
  authorise(caller, null, address)
  const { account, key } = caller
  const { unpaid, instance } = services
  await unpaid.refuse(account.id)
  const { environment, end } = services.environments.begin()
  try {
    const { message, conversation_history: history } = sent
    const given = { message, history, capabilities: String(list.bytes), version: list.etag }
    const who = { requestId, account: account.id, key: key.caps.at(-1) ?? key.id, caller: () => callerNames(instance, caller) }
    const found = await answerFree(environment, { ...who, portId: 'playground.propose', given, unpaid })
    if (shape.check(found)) return found
    throw new TypeError(`playground.propose answered outside its schema: ${shape.explain()}`)
  } finally {
    end()
  }
}

/** A proposal with its price, or with what is missing or wrong in its parameters. */
function shown(services: HttpServices, { capability, params, alternatives }: Static<typeof proposal>) {
  const registry = services.registry()
  const loaded = capability === null ? undefined : registry.capabilities.get(capability)
  if (loaded === undefined) {
    const empty = { capability: null, endpoint: null, method: null, params: {}, missing: [], credits: null, curl: null }
    return { ...empty, alternatives, reply: 'No capability fits. Say what is wanted, with which address or text.' }
  }
  const { id, path, title } = loaded.capability
  const { missing, credits, says } = priced(loaded, params)
  const { live, reason } = registry.liveness(id)
  const json = JSON.stringify(params).replaceAll("'", "'\\''")
  return {
    reply: `${title} (${id}). ${says}${live ? '' : ` This gateway cannot run it now: ${reason ?? ''}`}`,
    ...{ capability: id, endpoint: path, method: 'POST', params, missing, credits, alternatives },
    curl: `curl ${services.publicUrl()}${path} -H "Authorization: Bearer $CAPSTAN_API_KEY" --json '${json}'`,
  }
}

function priced(loaded: LoadedCapability, params: Readonly<Record<string, unknown>>) {
  try {
    const credits = toCredits(loaded.quote(checkedInput(loaded, structuredClone(params), ['params'])))
    return { missing: [], credits, says: `The call costs ${credits} ${credits === 1 ? 'credit' : 'credits'}.` }
  } catch (error) {
    if (!(error instanceof Problem) || error.slug !== 'validation-failed') throw error
    const { validation: faults = [] } = error.options
    const missing = [...new Set(faults.map(({ loc: [, name] }) => String(name)))]
    const { properties } = loaded.input.schema
    const wanted = missing.map((name) => `Which ${name}? ${String(Reflect.get(properties[name] ?? {}, 'description'))}`)
    return { missing, credits: null, says: faults.some((fault) => fault.type !== 'missing') ? error.message : wanted.join(' ') }
  }
}
