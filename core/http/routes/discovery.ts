import { createHash } from 'node:crypto'
import { authorise } from '../../accounts/caller.js'
import { callerNames } from '../../calls/run.js'
import { answerFree } from '../../dispatch/read-list.js'
import type { LoadedCapability } from '../../loader/types.js'
import { Problem } from '../../problems/problem.js'
import { toCredits } from '../../store/amount.js'
import { capabilityList, describe, type Described, type Endpoint, narrowed } from '../discovery/described.js'
import { consolePage, llmsTxt } from '../discovery/console-page.js'
import { openApi } from '../discovery/openapi.js'
import { tools, TOOL_FORMATS } from '../discovery/tools.js'
import { nullable, oneOf, or, type Static, Type } from '../../sdk/index.js'
import { capabilitiesOf } from '../direction.js'
import { none, route, type Answer, type Route } from '../route.js'
import type { HttpServices } from '../services.js'
import type { Exchange } from '../exchange.js'
import { checkedInput } from '../validation.js'

const product = or(Type.String({ maxLength: 60, description: 'Product catalogue.' }), 'agent')

function withLiveModes(capability: Described): Described {
  return capability.modes === null ? capability : { ...capability, input: narrowed(capability.input, capability.modes) }
}

interface Document {
  /** One buffer for all requests: a text would be copied for each. */
  readonly bytes: Buffer
  readonly etag: string
}

/** Documents built once for each version of the registry. */
class Documents {
  readonly #services: HttpServices
  #version = ''
  #made = new Map<string, Document>()
  #described: readonly Described[] = []

  constructor(services: HttpServices) {
    this.#services = services
  }

  /** The document of a name, rebuilt if the registry has changed. */
  get(name: string, build: (capabilities: readonly Described[]) => string): Document {
    const registry = this.#services.registry()
    const version = `${registry.version} ${this.#services.publicUrl()}`
    if (version !== this.#version) {
      this.#version = version
      this.#made = new Map()
      this.#described = describe(registry)
    }
    let document = this.#made.get(name)
    if (document === undefined) {
      const bytes = Buffer.from(build(this.#described))
      document = { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
      this.#made.set(name, document)
    }
    return document
  }
}

function serve({ bytes, etag }: Document, media: string, ifNoneMatch: string | undefined): Answer {
  const headers = {
    ETag: etag,
    'Cache-Control': 'public, max-age=60',
    ...(media === HTML_MEDIA ? { 'Content-Security-Policy': PAGE_CSP } : {}),
  }
  const known = ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false
  return known ? { content: '', media, status: 304, headers } : { content: bytes, shared: true, media, headers }
}

const JSON_MEDIA = 'application/json; charset=utf-8'
const HTML_MEDIA = 'text/html; charset=utf-8'
/** Pages carry one inline style and no script. */
export const PAGE_CSP = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** Routes by which agents and frameworks discover the service. `endpoints`: all routes, for the OpenAPI description. */
export function discoveryRoutes(services: HttpServices, endpoints: () => readonly Endpoint[]): Route[] {
  const { compiler } = services
  const documents = new Documents(services)
  const within = (list: readonly Described[], name: string): readonly Described[] => {
    const ids = capabilitiesOf(services, name)
    return ids === null ? list : list.filter(({ id }) => ids.has(id))
  }
  const open = { method: 'GET', access: 'open', params: none, body: none, problems: [], others: { 304: null } } as const
  const one =
    (name: string, media: string, build: (all: readonly Described[]) => string) =>
    ({ header }: { readonly header: (name: string) => string | undefined }): Promise<Answer> =>
      Promise.resolve(serve(documents.get(name, build), media, header('if-none-match')))
  return [
    route(compiler, {
      ...open,
      path: '/v1/tools',
      id: 'listTools',
      summary: 'Tool definitions',
      description:
        'One tool for each capability, in the format of a framework. The list does not depend on the configuration; live=true omits capabilities and modes without a live provider.',
      query: Type.Object(
        {
          format: or(oneOf(...TOOL_FORMATS), 'openai'),
          product,
          single: or(Type.Boolean({ description: 'One tool that takes the name of the capability.' }), false),
          live: or(Type.Boolean({ description: 'Only live capabilities and modes.' }), false),
        },
        { additionalProperties: false },
      ),
      response: Type.Unknown(),
      handle: ({ query, header }) => {
        const live = query.live || query.format === 'mcp'
        const name = `tools ${query.format} ${query.product} ${query.single} ${live}`
        const build = (all: readonly Described[]): string => {
          const offered = within(all, query.product)
          const list = live ? offered.filter((capability) => capability.live).map(withLiveModes) : offered
          return JSON.stringify(tools(list, query.format, { single: query.single, version: services.registry().version }))
        }
        capabilitiesOf(services, query.product)
        return Promise.resolve(serve(documents.get(name, build), JSON_MEDIA, header('if-none-match')))
      },
    }),
    route(compiler, {
      ...open,
      path: '/v1/openapi.json',
      id: 'getOpenApi',
      summary: 'OpenAPI 3.1 description',
      description: 'The endpoints of a product.',
      query: Type.Object({ product }, { additionalProperties: false }),
      response: Type.Unknown(),
      handle: ({ query, header }) => {
        capabilitiesOf(services, query.product)
        const build = (all: readonly Described[]): string =>
          JSON.stringify(openApi(within(all, query.product), endpoints(), services.publicUrl()))
        return Promise.resolve(serve(documents.get(`openapi ${query.product}`, build), JSON_MEDIA, header('if-none-match')))
      },
    }),
    route(compiler, {
      ...open,
      path: '/v1/capabilities',
      id: 'listCapabilities',
      summary: 'Capabilities, prices, providers',
      description: 'Every capability with its price and the state of its providers.',
      query: none,
      response: Type.Unknown(),
      handle: one('capabilities', JSON_MEDIA, () => JSON.stringify(capabilityList(services.registry()))),
    }),
    route(compiler, {
      ...open,
      path: '/llms.txt',
      id: 'getLlmsTxt',
      summary: 'Index for agents',
      description: 'What the service offers, as text.',
      query: none,
      response: Type.String(),
      media: 'text/plain',
      handle: one('llms', 'text/plain; charset=utf-8', (all) => llmsTxt(all, services.publicUrl())),
    }),
    route(compiler, {
      ...open,
      path: '/console',
      id: 'getConsole',
      summary: 'Overview page',
      description: 'What this gateway offers and what is live.',
      query: none,
      response: Type.String(),
      media: 'text/html',
      handle: one('console', HTML_MEDIA, (all) => consolePage(all, services.publicUrl())),
    }),
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
        const list = documents.get(`playground ${body.product}`, (all) => JSON.stringify(within(all, body.product)))
        return { json: shown(services, await proposed(services, body, exchange, list)) }
      },
    }),
  ]
}

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

/** The proposal of the plugin that matches sentences with the capabilities of a document. */
async function proposed(services: HttpServices, sent: Static<typeof chatInput>, exchange: Exchange, list: Document) {
  const { caller, address, requestId } = exchange
  if (caller === null) throw new TypeError('the playground was reached without a key')
  authorise(caller, null, address)
  const { account, key } = caller
  const { unpaid, instance, compiler } = services
  await unpaid.refuse(account.id)
  const { environment, end } = services.environments.begin()
  try {
    const { message, conversation_history: history } = sent
    const given = { message, history, capabilities: String(list.bytes), version: list.etag }
    const who = { requestId, account: account.id, key: key.caps.at(-1) ?? key.id, caller: () => callerNames(instance, caller) }
    const found = await answerFree(environment, { ...who, portId: 'playground.propose', given, unpaid })
    const shape = compiler.compile(proposal)
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
