import { expect } from 'chai'
import { systemClock } from '../../../core/runtime/clock.js'
import { McpBridge } from '../../../scripts/capstan/cli/mcp-bridge.js'
import { GatewayClient } from '../../../scripts/capstan/cli/gateway-client.js'
import type { Slug } from '../../../core/problems/catalogue.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { LEGACY, McpHttp, META, type Message, MODERN, textOf } from '../../support/mcp.js'
import { expectProblem } from '../../support/problem.js'
import { Stage } from '../../support/stage.js'

interface Refusal {
  readonly type: string
  readonly detail: string
  readonly alternative_action: string
  readonly retry_after_seconds?: number
}

/** A call that is refused, and what it is refused with. */
interface Case {
  readonly title: string
  readonly slug: Slug
  readonly key: () => Promise<string> | string
  readonly capability?: string
  readonly input?: Record<string, unknown>
}

describe('a refused call', () => {
  const stage = new Stage()
  let gateway: TestGateway
  before(async () => {
    gateway = await startGateway({
      script: { 'test.echo': [stage.vendor('one')], 'test.send': [stage.vendor('two', { state: 'dormant', reason: 'no key' })] },
    })
  })
  after(async () => await gateway.close())

  const cases: readonly Case[] = [
    {
      title: 'of a wrong key',
      slug: 'invalid-api-key',
      key: async () => `${(await gateway.newKey()).key.slice(0, -4)}xxxx`,
    },
    { title: 'of what is no key', slug: 'invalid-api-key', key: () => 'sk-12345' },
    {
      title: 'of a revoked key',
      slug: 'invalid-api-key',
      key: async () => {
        const { id, key } = await gateway.newKey()
        expect((await gateway.send(`/v1/keys/${id}`, { method: 'DELETE' })).status).to.equal(200)
        return key
      },
    },
    { title: 'of an account out of credits', slug: 'insufficient-credits', key: async () => (await gateway.newAccount(0.5)).key },
    {
      title: 'out of the scopes of its key',
      slug: 'key-not-allowed',
      key: async () => (await gateway.newKey({ scopes: ['test.send'] })).key,
    },
    {
      title: 'over the rate of its key',
      slug: 'rate-limited',
      key: async () => {
        const { key } = await gateway.newKey({ rate_limit_per_minute: 1 })
        expect((await gateway.send('/v1/account', { key })).status).to.equal(200)
        return key
      },
    },
    { title: 'with a wrong parameter', slug: 'validation-failed', key: () => gateway.key, input: { text: 'hi', times: 9 } },
    { title: 'that finds nothing', slug: 'no-result', key: () => gateway.key, input: { text: 'missing' } },
    {
      title: 'of a capability without a provider',
      slug: 'capability-unavailable',
      key: () => gateway.key,
      capability: 'test.send',
    },
  ]

  for (const { title, slug, key: make, capability = 'test.echo', input = { text: 'hi' } } of cases)
    it(`${title} is refused alike by HTTP, by MCP over HTTP in both revisions, and by MCP over stdio, with what to do`, async () => {
      const key = await make()
      const refused = await gateway.send(`/v1/${capability.replace('.', '/')}`, { key, body: input })
      const error = comparable(expectProblem(refused, slug).error)
      const call = { name: capability.replace('.', '_'), arguments: input }
      const answers = [
        ...(await Promise.all([LEGACY, MODERN].map((version) => overHttp(gateway.url, key, version, call)))),
        await overStdio(gateway.url, key, call),
      ]
      for (const { refusal, text } of answers) {
        expect(comparable(refusal)).to.deep.equal(error)
        expect(plain(text)).to.contain(error.detail).and.to.contain(error.alternative_action)
      }
    })
})

interface Refused {
  readonly refusal: unknown
  /** What a client shows, or its model reads. */
  readonly text: string
}

async function overHttp(url: string, key: string, version: string, call: Record<string, unknown>): Promise<Refused> {
  const { reply, last } = await new McpHttp(url, key).request(version, 'tools/call', call)
  if (reply.status === 200) return { refusal: (last?.result?.['structuredContent'] as { error: unknown }).error, text: textOf(last) }
  return { refusal: reply.json().error, text: reply.text }
}

async function overStdio(url: string, key: string, call: Record<string, unknown>): Promise<Refused> {
  const got: Message[] = []
  const bridge = new McpBridge({
    ...{ client: new GatewayClient(url), path: '/mcp', key, clock: systemClock },
    send: (message) => void got.push(message as Message),
  })
  await bridge.receive({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...call, _meta: META } })
  await bridge.close()
  const [answer] = got
  const { structuredContent } = (answer?.result ?? {}) as { structuredContent?: { error: unknown } }
  return structuredContent === undefined
    ? { refusal: answer?.error?.data, text: answer?.error?.message ?? '' }
    : { refusal: structuredContent.error, text: textOf(answer) }
}

/** Without the seconds, which go by between two calls. */
function plain(text: string): string {
  return text.replaceAll(/\d+ s(?:econds?)?\b/g, 'N s')
}

function comparable(refusal: unknown): Refusal {
  const { retry_after_seconds, ...rest } = refusal as Refusal
  return {
    ...{ ...rest, detail: plain(rest.detail), alternative_action: plain(rest.alternative_action) },
    ...(retry_after_seconds === undefined ? {} : { retry_after_seconds: 1 }),
  }
}
