import { capabilityList, type Described, type Endpoint, narrowed } from '../discovery/described.js'
import type { Document, Documents } from '../discovery/documents.js'
import { ADDRESSES, consolePage, llmsTxt } from '../discovery/console-page.js'
import { openApi } from '../discovery/openapi.js'
import { tools, TOOL_FORMATS } from '../discovery/tools.js'
import { oneOf, or, Type } from '../../sdk/index.js'
import { capabilitiesOf } from '../direction.js'
import { none, route, type Answer, type Route } from '../route.js'
import type { HttpServices } from '../services.js'

export const product = or(Type.String({ maxLength: 60, description: 'Product catalogue.' }), 'agent')

function withLiveModes(capability: Described): Described {
  return capability.modes === null ? capability : { ...capability, input: narrowed(capability.input, capability.modes) }
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

function index(accept: string, publicUrl: string): Answer {
  if (accept.includes('html')) return { content: '', media: HTML_MEDIA, status: 302, headers: { Location: '/console' } }
  const addresses = Object.entries(ADDRESSES).map(([name, [path]]) => [name, `${publicUrl}${path}`] as const)
  return { json: Object.fromEntries(addresses) }
}

const JSON_MEDIA = 'application/json; charset=utf-8'
const HTML_MEDIA = 'text/html; charset=utf-8'
/** Pages carry one inline style and no script. */
export const PAGE_CSP = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** Routes by which agents and frameworks discover the service. `endpoints`: all routes, for the OpenAPI description. */
export function discoveryRoutes(services: HttpServices, documents: Documents, endpoints: () => readonly Endpoint[]): Route[] {
  const { compiler } = services
  const about = { method: 'GET', access: 'open', problems: [], others: { 304: null } } as const
  const open = { ...about, params: none, query: none, body: none, response: Type.Unknown() }
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
      handle: ({ query, header }) => {
        const live = query.live || query.format === 'mcp'
        const name = `tools ${query.format} ${query.product} ${query.single} ${live}`
        const build = (all: readonly Described[]): string => {
          const offered = documents.within(all, query.product)
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
      handle: ({ query, header }) => {
        capabilitiesOf(services, query.product)
        const build = (all: readonly Described[]): string =>
          JSON.stringify(openApi(documents.within(all, query.product), endpoints(), services.publicUrl()))
        return Promise.resolve(serve(documents.get(`openapi ${query.product}`, build), JSON_MEDIA, header('if-none-match')))
      },
    }),
    route(compiler, {
      ...open,
      path: '/v1/capabilities',
      id: 'listCapabilities',
      summary: 'Capabilities, prices, providers',
      description: 'Every capability with its price and the state of its providers.',
      handle: one('capabilities', JSON_MEDIA, () => JSON.stringify(capabilityList(services.registry()))),
    }),
    route(compiler, {
      ...open,
      ...{ path: '/llms.txt', id: 'getLlmsTxt', summary: 'Index for agents' },
      description: 'What the service offers, as text.',
      response: Type.String(),
      media: 'text/plain',
      handle: one('llms', 'text/plain; charset=utf-8', (all) => llmsTxt(all, services.publicUrl())),
    }),
    route(compiler, {
      ...open,
      ...{ path: '/', id: 'getIndex', summary: 'Where to begin' },
      description: 'The addresses of the other descriptions; a browser is redirected to /console.',
      others: { 302: Type.String() },
      handle: ({ header }) => Promise.resolve(index(header('accept') ?? '', services.publicUrl())),
    }),
    route(compiler, {
      ...open,
      ...{ path: '/console', id: 'getConsole', summary: 'Overview page' },
      description: 'What this gateway offers and what is live.',
      response: Type.String(),
      media: 'text/html',
      handle: one('console', HTML_MEDIA, (all) => consolePage(all, services.publicUrl())),
    }),
  ]
}
