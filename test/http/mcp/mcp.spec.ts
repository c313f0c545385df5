import { expect } from 'chai'
import { request } from 'node:http'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { ACCEPT, type McpRequestOptions, type Content, LEGACY, McpHttp, messagesOf, MODERN } from '../../support/mcp.js'
import { expectProblem } from '../../support/problem.js'
import { Stage } from '../../support/stage.js'
import { until } from '../../support/time.js'

describe('MCP', () => {
  const stage = new Stage()
  let gateway: TestGateway
  let key: string
  let client: McpHttp
  const warnings: string[] = []
  const warned = ({ message }: Error): void => void warnings.push(message)
  before(async () => {
    process.on('warning', warned)
    gateway = await startGateway({
      script: { 'test.echo': [stage.vendor('one')], 'test.send': [stage.vendor('two')] },
    })
    key = (await gateway.newKey()).key
    client = new McpHttp(gateway.url, key)
  })
  after(async () => {
    await gateway.close()
    process.off('warning', warned)
    expect(warnings, 'warnings of Node').to.deep.equal([])
  })
  afterEach(() => gateway.app.services.suspensions.resume('test.echo/one'))

  const send = (message: unknown, headers: Record<string, string> = {}) => client.send(message, { headers })
  const exchange = (version: string, method: string, params: Record<string, unknown> = {}, options: McpRequestOptions = {}) =>
    client.request(version, method, params, options)

  for (const version of [LEGACY, MODERN])
    describe(`revision ${version}`, () => {
      it('lists the tools of live capabilities with schema, price and hints', async () => {
        const { last } = await exchange(version, 'tools/list')
        const tools = last?.result?.['tools'] as {
          name: string
          description: string
          annotations: object
          inputSchema: { properties: object }
        }[]
        expect(tools.map(({ name }) => name)).to.deep.equal(['test_echo', 'test_send'])
        expect(tools[0]?.description).to.match(/Credits: /)
        expect(tools[0]?.inputSchema.properties).to.have.property('text')
        expect(tools.map(({ annotations }) => annotations)).to.deep.equal([
          { readOnlyHint: true, openWorldHint: true },
          { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
        ])
      })

      it('a call of a tool is the call of the capability: same money, structured and as text', async () => {
        const { balance } = await gateway.money()
        const { last } = await exchange(version, 'tools/call', { name: 'test_echo', arguments: { text: 'hello' } })
        expect(last?.result).to.deep.include({
          structuredContent: { text: 'hello' },
          content: [{ type: 'text', text: '{"text":"hello"}' }],
        })
        expect(last?.result?.['_meta']).to.deep.include({ 'capstan/credits_used': 1, 'capstan/balance': balance - 1 })
        expect((await gateway.money()).balance).to.equal(balance - 1)
      })

      it('a failed call is an error that the model reads, with what to change, and free', async () => {
        const { balance } = await gateway.money()
        const { last } = await exchange(version, 'tools/call', { name: 'test_echo', arguments: { text: 5 } })
        expect(last?.result).to.include({ isError: true })
        expect((last?.result?.['content'] as Content[])[0]?.text).to.contain('text')
        expect((await gateway.money()).balance).to.equal(balance)
      })

      it('an unknown tool is named, with the nearest', async () => {
        const { last } = await exchange(version, 'tools/call', { name: 'test_ecko', arguments: {} })
        expect(last?.error?.code).to.equal(-32602)
        expect(last?.error?.message).to.contain('test_echo')
      })

      it('reports progress to clients that requested it', async () => {
        const { messages: all } = await exchange(version, 'tools/call', {
          name: 'test_echo',
          arguments: { text: 'step by step', mode: 'loud' },
          _meta: { progressToken: 'p1' },
        })
        const progress = all.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params)
        expect(progress[0]).to.include({ progressToken: 'p1', progress: 1, message: 'working: half done (1 of 2)' })
        expect(progress[1]).to.include({ progress: 2, message: 'finishing' })
        expect(all.at(-1)?.result).to.have.property('content')
      })

      it('an Idempotency-Key, as a header or in the message, is that of the call', async () => {
        const { balance } = await gateway.money()
        const params = { name: 'test_echo', arguments: { text: 'once' } }
        await exchange(version, 'tools/call', params, { headers: { 'idempotency-key': `header-${version}` } })
        await exchange(version, 'tools/call', params, { headers: { 'idempotency-key': `header-${version}` } })
        await exchange(version, 'tools/call', { ...params, _meta: { 'capstan/idempotency-key': `meta-${version}` } })
        await exchange(version, 'tools/call', { ...params, _meta: { 'capstan/idempotency-key': `meta-${version}` } })
        expect((await gateway.money()).balance).to.equal(balance - 2)
      })

      it('a text of more than 10,000 tokens is cut, with a link to the whole', async () => {
        const { last } = await exchange(version, 'tools/call', { name: 'test_echo', arguments: { text: 'a wide' } })
        const [shown, link] = last?.result?.['content'] as Content[]
        expect(shown?.text?.length).to.be.below(41_000)
        expect(link).to.include({ type: 'resource_link', mimeType: 'application/json' })
        const whole = await gateway.send(new URL(link?.uri ?? '').pathname + new URL(link?.uri ?? '').search, { method: 'GET' })
        expect(whole.text.length).to.be.above(24 * 1024 * 1024)
        expect(last?.result).not.to.have.property('structuredContent')
      })
    })

  it('a client of 2025-11-25 agrees on its revision', async () => {
    const { last } = await exchange(LEGACY, 'initialize', {
      protocolVersion: LEGACY,
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    })
    expect(last?.result).to.deep.include({ protocolVersion: LEGACY })
    expect(last?.result?.['serverInfo']).to.include({ name: 'capstan' })
    const { status } = await send({ jsonrpc: '2.0', method: 'notifications/initialized' }, { 'mcp-protocol-version': LEGACY })
    expect(status).to.equal(202)
  })

  it('with mode=search has two tools: one finds, one runs', async () => {
    const path = '/mcp?mode=search'
    const list = await exchange(MODERN, 'tools/list', {}, { path })
    expect((list.last?.result?.['tools'] as { name: string }[]).map(({ name }) => name)).to.deep.equal([
      'find_capability',
      'run_capability',
    ])
    const found = await exchange(MODERN, 'tools/call', { name: 'find_capability', arguments: { query: 'echo' } }, { path })
    expect((found.last?.result?.['content'] as Content[])[0]?.text).to.contain('"id":"test.echo"')
    const ran = await exchange(
      MODERN,
      'tools/call',
      { name: 'run_capability', arguments: { capability: 'test.echo', params: { text: 'hi' } } },
      { path },
    )
    expect(ran.last?.result).to.deep.include({ structuredContent: { text: 'hi' } })
  })

  it('lists what the scopes of the key allow, and refuses the rest', async () => {
    const own = (await gateway.newKey({ scopes: ['test.send'] })).key
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const list = await gateway.send('/mcp', { body, key: own, headers: { accept: ACCEPT, 'mcp-protocol-version': LEGACY } })
    expect(messagesOf(list.text)[0]?.result?.['tools']).to.have.lengthOf(1)
  })

  it('a wrong key is refused as by every other way, before anything is read', async () => {
    const reply = await gateway.send('/mcp', { body: {}, key: `${key.slice(0, -4)}xxxx`, headers: { accept: ACCEPT } })
    expectProblem(reply, 'invalid-api-key')
  })

  it('refuses a page of another site, and a batch', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    expectProblem(await send(body, { origin: 'https://evil.example' }), 'key-not-allowed')
    expectProblem(await send([body]), 'malformed-request')
  })

  it('refuses a tool that is named otherwise in the header than in the body', async () => {
    const { last } = await exchange(
      MODERN,
      'tools/call',
      { name: 'test_echo', arguments: { text: 'x' } },
      { headers: { 'mcp-name': 'test_send' } },
    )
    expect(last?.error).not.to.equal(undefined)
  })

  it('a name and a query of a megabyte take no time, and what calls no capability counts in the rate limit of the key', async () => {
    const own = (await gateway.newKey({ rate_limit_per_minute: 3 })).key
    const long = 'capability '.repeat(60_000)
    const call = async (name: string, args: object, path: string) =>
      await gateway.send(path, {
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
        key: own,
        headers: { accept: ACCEPT, 'mcp-protocol-version': LEGACY },
      })
    const began = process.cpuUsage()
    expect((await call(long, {}, '/mcp')).status).to.equal(200)
    expect((await call('find_capability', { query: long }, '/mcp?mode=search')).status).to.equal(200)
    expect((await call('run_capability', { capability: long }, '/mcp?mode=search')).status).to.equal(200)
    expect((process.cpuUsage(began).user / 1000) | 0, 'milliseconds of the processor').to.be.below(1_000)
    expectProblem(await call('find_capability', { query: 'echo' }, '/mcp?mode=search'), 'rate-limited')
  })

  it('a client that leaves ends its call, which is not charged', async () => {
    const { balance } = await gateway.money()
    const sent = request(`${gateway.url}/mcp`, {
      method: 'POST',
      agent: false,
      headers: { accept: ACCEPT, authorization: `Bearer ${key}`, 'content-type': 'application/json', 'mcp-protocol-version': LEGACY },
    })
    sent.on('error', () => undefined)
    sent.end(
      JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'test_echo', arguments: { text: 'wait for it' } } }),
    )
    await stage.until(() => stage.texts.includes('one:wait for it'))
    sent.destroy()
    await stage.until(() => stage.aborted.includes('wait for it'))
    await until(async () => (await gateway.money()).balance === balance)
  })
})
