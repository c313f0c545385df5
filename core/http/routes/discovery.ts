import { createHash } from 'node:crypto'
import { capabilityList, describe, type Described, type Endpoint, narrowed } from '../discovery/described.js'
import { consolePage, llmsTxt } from '../discovery/console-page.js'
import { openApi } from '../discovery/openapi.js'
import { tools, TOOL_FORMATS } from '../discovery/tools.js'
import { oneOf, or, Type } from '../../sdk/index.js'
import { capabilitiesOf } from '../direction.js'
import { none, route, type Answer, type Route } from '../route.js'
import type { HttpServices } from '../services.js'

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
      handle: ({ header }) =>
        Promise.resolve(
          serve(
            documents.get('capabilities', () => JSON.stringify(capabilityList(services.registry()))),
            JSON_MEDIA,
            header('if-none-match'),
          ),
        ),
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
      handle: ({ header }) =>
        Promise.resolve(
          serve(
            documents.get('llms', (all) => llmsTxt(all, services.publicUrl())),
            'text/plain; charset=utf-8',
            header('if-none-match'),
          ),
        ),
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
      handle: ({ header }) =>
        Promise.resolve(
          serve(
            documents.get('console', (all) => consolePage(all, services.publicUrl())),
            HTML_MEDIA,
            header('if-none-match'),
          ),
        ),
    }),
  ]
}
