import { CATALOGUE, type Slug } from '../../problems/catalogue.js'
import type { TObject, TSchema } from '../../sdk/index.js'
import type { Described, Endpoint } from './described.js'
import { envelopeOf, errorEnvelope, HEADERS } from './openapi-parts.js'

const EVERY: readonly Slug[] = ['validation-failed', 'rate-limited', 'internal', 'overloaded', 'store-unavailable']

/** Problems any route of an access may answer with. */
const COMMON: Readonly<Record<Endpoint['access'], readonly Slug[]>> = {
  open: ['malformed-request', ...EVERY],
  key: ['malformed-request', 'authentication-required', 'key-not-allowed', ...EVERY],
  admin: ['malformed-request', 'authentication-required', ...EVERY],
}

const WITH_BODY: readonly Slug[] = ['payload-too-large', 'unsupported-media-type']

/** Problems a paid call may end with. */
export const CALL_PROBLEMS: readonly Slug[] = [
  ...COMMON.key,
  ...WITH_BODY,
  'insufficient-credits',
  'idempotency-conflict',
  'target-blocked',
  'target-unavailable',
  'no-result',
  'too-many-in-flight',
  'providers-failed',
  'capability-unavailable',
  'deadline-exceeded',
]

/** The OpenAPI 3.1 description of these capabilities and endpoints. */
export function openApi(capabilities: readonly Described[], endpoints: readonly Endpoint[], publicUrl: string): unknown {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const capability of capabilities) paths[capability.path] = { post: callOperation(capability) }
  for (const endpoint of [...capabilities.flatMap(({ lists }) => lists), ...endpoints]) {
    const item = paths[endpoint.path] ?? {}
    item[endpoint.method.toLowerCase()] = operation(endpoint)
    paths[endpoint.path] = item
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Capstan',
      version: '1.0.0',
      description: 'One API key and one credit balance in front of the capabilities an AI agent needs.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    security: [{ key: [] }],
    tags: [{ name: 'capabilities' }, { name: 'account' }, { name: 'discovery' }, { name: 'admin' }],
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key, `cap_…`.' },
        admin: { type: 'http', scheme: 'bearer', description: "The operator's token." },
      },
      schemas: { Error: errorEnvelope() },
      headers: HEADERS,
    },
  }
}

function callOperation(capability: Described): unknown {
  return {
    operationId: capability.tool,
    tags: ['capabilities'],
    summary: capability.title,
    description: capability.description,
    'x-deadline-seconds': capability.deadline,
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        schema: { type: 'string', maxLength: 255 },
        description: 'Repeating a request with the same key returns the first answer and charges once.',
      },
      {
        name: 'Prefer',
        in: 'header',
        required: false,
        schema: { type: 'string', examples: ['cancel-on-disconnect'] },
        description: '`cancel-on-disconnect` beside an Idempotency-Key: disconnecting ends the call and frees the key.',
      },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: capability.input,
          examples: Object.fromEntries(
            capability.examples.map(({ title, params }, index) => [`example${index + 1}`, { summary: title, value: params }]),
          ),
        },
      },
    },
    responses: {
      '200': {
        description: 'The result.',
        headers: headerRefs(),
        content: { 'application/json': { schema: envelopeOf(capability.output) }, 'text/event-stream': { schema: { type: 'string' } } },
      },
      ...problemResponses(CALL_PROBLEMS),
    },
  }
}

function operation(endpoint: Endpoint): unknown {
  const problems = new Set<Slug>([...COMMON[endpoint.access], ...(endpoint.body === null ? [] : WITH_BODY), ...endpoint.problems])
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag ?? (endpoint.access === 'admin' ? 'admin' : endpoint.access === 'key' ? 'account' : 'discovery')],
    summary: endpoint.summary,
    description: endpoint.description,
    security: endpoint.access === 'open' ? [] : [endpoint.access === 'admin' ? { admin: [] } : { key: [] }],
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...(endpoint.body === null ? {} : { requestBody: requestBody(endpoint.body, endpoint.bodyMedia) }),
    responses: {
      '200': {
        description: 'The answer.',
        headers: headerRefs(),
        content: { [endpoint.media ?? 'application/json']: { schema: endpoint.response } },
      },
      ...problemResponses([...problems]),
      ...otherResponses(endpoint.others ?? {}),
    },
  }
}

/** A JSON body is optional: absent means an empty object. */
function requestBody(schema: TObject, media = 'application/json'): unknown {
  return { required: media !== 'application/json', content: { [media]: { schema } } }
}

function parameters(schema: TObject, place: 'path' | 'query'): unknown[] {
  const required: readonly string[] = schema.required ?? []
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

function otherResponses(others: Readonly<Record<number, TSchema | null>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(others).map(([status, schema]) => [
      status,
      {
        description: status === '304' ? 'The cached copy is still valid.' : 'Not available now.',
        headers: headerRefs(),
        ...(schema === null ? {} : { content: { 'application/json': { schema } } }),
      },
    ]),
  )
}

function problemResponses(slugs: readonly Slug[]): Record<string, unknown> {
  const byStatus = new Map<number, Slug[]>()
  for (const slug of slugs) byStatus.set(CATALOGUE[slug].status, [...(byStatus.get(CATALOGUE[slug].status) ?? []), slug])
  return Object.fromEntries(
    [...byStatus].map(([status, these]) => [
      String(status),
      {
        description: these.map((slug) => `${CATALOGUE[slug].title} (${slug}).`).join(' '),
        headers: headerRefs(),
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/Error' } },
          'application/problem+json': { schema: { type: 'object' } },
        },
      },
    ]),
  )
}

function headerRefs(): Record<string, unknown> {
  return Object.fromEntries(Object.keys(HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
