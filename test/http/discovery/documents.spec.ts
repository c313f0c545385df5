import { Validator } from '@seriousme/openapi-schema-validator'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect } from 'chai'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { OpenApiChecker } from '../../support/openapi.js'
import { expectHeaders, expectProblem } from '../../support/problem.js'
import { Stage } from '../../support/stage.js'

interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema?: Schema
  readonly input_schema?: Schema
  readonly function?: { readonly name: string; readonly description: string; readonly parameters: Schema }
}
interface Schema {
  readonly type?: string
  readonly properties?: Record<string, { readonly description?: string; readonly default?: unknown }>
  readonly required?: readonly string[]
  readonly enum?: readonly string[]
}

describe('discovery', () => {
  const stage = new Stage()
  let gateway: TestGateway
  before(async () => {
    const script = {
      'test.echo': [stage.vendor('one')],
      'test.send': [stage.vendor('asleep', { state: 'dormant' as const, reason: 'set ASLEEP_API_KEY' })],
    }
    gateway = await startGateway({ script })
  })
  after(async () => await gateway.close())
  const get = (path: string, headers: Record<string, string> = {}) => gateway.send(path, { key: null, headers })

  it('GET / redirects a browser to the console, and gives a program the addresses of the other documents', async () => {
    const browser = await get('/', { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' })
    expect(browser.status).to.equal(302)
    expect(browser.headers).to.include({ location: '/console', 'cache-control': 'no-store' })
    expectHeaders(browser)
    for (const accept of ['*/*', 'application/json']) {
      const program = await get('/', { accept })
      expect(program.status).to.equal(200)
      expect(program.headers['cache-control']).to.equal('no-store')
      const addresses = program.json<Record<string, string>>()
      expect(addresses).to.include({ tools: `${gateway.url}/v1/tools`, llms: `${gateway.url}/llms.txt`, console: `${gateway.url}/console` })
      for (const address of Object.values(addresses)) expect((await get(new URL(address).pathname)).status, address).to.equal(200)
    }
    expect((await gateway.send('/', { key: null, method: 'HEAD' })).status).to.equal(200)
    expectProblem(await gateway.send('/', { key: null, method: 'POST', body: {} }), 'method-not-allowed')
  })

  it('needs no key, and ignores a wrong one', async () => {
    for (const path of ['/v1/tools', '/v1/openapi.json', '/v1/capabilities', '/llms.txt', '/errors', '/healthz', '/readyz']) {
      expect((await get(path)).status, path).to.equal(200)
      expectHeaders(await gateway.send(path, { key: 'cap_wrong' }))
      expect((await gateway.send(path, { key: 'cap_wrong' })).status, path).to.equal(200)
    }
  })

  it('openai: functions with parameters, the same whatever is live', async () => {
    const tools = (await get('/v1/tools')).json<Tool[]>()
    expect(tools.map((tool) => tool.function?.name)).to.deep.equal(['test_echo', 'test_send'])
    expect(tools[0]).to.deep.include({ type: 'function' })
    expect(tools[0]?.function?.description).to.contain('Costs 1 (plain), 2 (loud) credits')
  })

  it('claude, mcp and raw in their own shapes', async () => {
    const claude = (await get('/v1/tools?format=claude')).json<Tool[]>()
    expect(claude[0]).to.have.all.keys('name', 'description', 'input_schema')
    const mcp = (await get('/v1/tools?format=mcp')).json<{ tools: Tool[] }>()
    expect(
      mcp.tools.map(({ name }) => name),
      'mcp lists the live ones',
    ).to.deep.equal(['test_echo'])
    expect(mcp.tools[0]).to.include.all.keys('name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations')
    const raw = (await get('/v1/tools?format=raw')).json<{ version: string; capabilities: Record<string, unknown>[] }>()
    expect(raw.capabilities[0]).to.include.all.keys('id', 'path', 'title', 'description', 'price', 'input', 'output', 'examples')
    expect(raw.capabilities[0]).to.deep.include({ id: 'test.echo', path: '/v1/test/echo', price: { plain: 1, loud: 2 } })
  })

  it('live=true leaves out what cannot answer, single=true gives one tool for all', async () => {
    expect((await get('/v1/tools?live=true')).json<Tool[]>()).to.have.length(1)
    const single = (await get('/v1/tools?single=true&format=claude')).json<Tool[]>()
    expect(single).to.have.length(1)
    expect(Object.keys(single[0]?.input_schema?.properties ?? {})).to.deep.equal(['capability', 'params'])
    expect(single[0]?.input_schema?.properties?.['params']?.description).to.match(/test\.echo\(text, mode\?: plain\|loud.*; test\.send\(/)
  })

  for (const query of ['format=yaml', 'format=', 'live=1', 'product=nothing', 'colour=red', 'format=raw&format=mcp'])
    it(`refuses ?${query}`, async () => {
      const { detail } = expectProblem(await get(`/v1/tools?${query}`), 'validation-failed')
      expect(detail?.[0]?.loc[0]).to.equal('query')
      expect(detail?.[0]?.loc[1]).to.equal(query.split('=')[0])
    })

  it('tool schemas keep to what every framework takes', async () => {
    for (const path of ['/v1/tools?format=claude', '/v1/tools?format=claude&single=true']) {
      for (const { name, description, input_schema: schema } of (await get(path)).json<Tool[]>()) {
        expect(name).to.match(/^[a-z][a-z0-9_]{0,63}$/)
        expect(description.length).to.be.within(1, 1024)
        expect(schema?.type).to.equal('object')
        for (const word of ['anyOf', 'oneOf', 'allOf', 'not', 'enum']) expect(schema).not.to.have.property(word)
        for (const [field, property] of Object.entries(schema?.properties ?? {}))
          if (!['mode'].includes(field)) expect(property.description, field).to.be.a('string')
      }
    }
  })

  it('every document has an ETag, answers 304 to it and 200 to another', async () => {
    for (const path of ['/v1/tools', '/v1/tools?format=raw', '/v1/openapi.json', '/v1/capabilities', '/llms.txt']) {
      const first = await get(path)
      const etag = String(first.headers.etag)
      expect(etag).to.match(/^"[\w-]+"$/)
      for (const given of [etag, `W/${etag}`, `"other", ${etag}`]) {
        const again = await get(path, { 'if-none-match': given })
        expect(again.status, `${path} ${given}`).to.equal(304)
        expect(again.text).to.equal('')
        expect(again.headers.etag).to.equal(etag)
      }
      expect((await get(path, { 'if-none-match': '"other"' })).text).to.equal(first.text)
    }
    const tags = await Promise.all(
      ['openai', 'claude', 'mcp', 'raw'].map(async (format) => (await get(`/v1/tools?format=${format}`)).headers.etag),
    )
    expect(new Set(tags).size).to.equal(4)
  })

  it('HEAD answers the headers alone', async () => {
    const reply = await gateway.send('/v1/tools', { method: 'HEAD', key: null })
    expect(reply.status).to.equal(200)
    expect(reply.text).to.equal('')
  })

  it('capabilities show providers and their state, and llms.txt every path', async () => {
    const { capabilities } = (await get('/v1/capabilities')).json<{
      capabilities: { id: string; live: boolean; ports: { providers: { id: string; state: string }[] }[] }[]
    }>()
    expect(capabilities.find(({ id }) => id === 'test.send')).to.deep.include({ live: false })
    expect(capabilities[1]?.ports[0]?.providers[0]).to.include({ id: 'asleep', state: 'dormant' })
    const text = await get('/llms.txt')
    expect(text.headers['content-type']).to.equal('text/plain; charset=utf-8')
    for (const path of ['/v1/test/echo', '/v1/test/send', '/v1/agent', '/v1/openapi.json']) expect(text.text).to.contain(gateway.url + path)
  })

  it('llms.txt says which answers are envelopes, and so they are', async () => {
    expect((await get('/llms.txt')).text).to.contain('account, keys, calls, estimate, tools) answers its data alone')
    const estimate = await gateway.post('/v1/estimate', { capability: 'test.echo', params: { text: 'hi' } })
    const bare = [estimate, ...(await Promise.all(['/v1/account', '/v1/keys', '/v1/calls'].map((path) => gateway.get(path))))]
    for (const reply of bare) expect(reply.json<object>(), reply.text).not.to.have.any.keys('success', 'metadata')
    const envelopes = [
      await gateway.post('/v1/test/echo', { text: 'hi' }),
      await gateway.get('/v1/nothing'),
      await gateway.post('/v1/estimate', {}),
    ]
    for (const reply of envelopes) expect(reply.json<object>()).to.include.all.keys('success', 'data', 'error', 'metadata', 'credits_used')
  })

  it('llms.txt is enough for a first call: its example is answered in the form that it shows', async () => {
    const { text } = await get('/llms.txt')
    const [, url = '', header = '', body = ''] = /curl -s (\S+) -H '(Authorization: Bearer )<API key>' .*\\\n +-d '(.*)'\n/.exec(text) ?? []
    expect(url.startsWith(gateway.url) && header !== '', text).to.equal(true)
    const reply = await gateway.post(url.slice(gateway.url.length), JSON.parse(body))
    expect(reply.status, reply.text).to.equal(200)
    const [, fields = ''] = /"data": \{(.*?)\}, "error": null/.exec(text) ?? []
    expect(reply.json().data).to.have.all.keys(fields.split(', '))
  })

  it('llms.txt has the required parameters, the fields of the result and the price of each capability', async () => {
    const { text } = await get('/llms.txt')
    expect(text).to.match(
      /`test\.echo\(text, mode\?: plain\|loud.*?\)` gives \{[\w, ]*text[\w, ]*\}\. Says the text again\. Costs 1 \(plain\), 2 \(loud\) credits per successful call\. Example: `\{"text":"hello"\}`/,
    )
  })

  it('OpenAPI 3.1, interface version 1.0.0, is valid by two independent validators', async () => {
    const reply = await get('/v1/openapi.json')
    const { document } = await OpenApiChecker.of(gateway)
    expect(document.openapi).to.match(/^3\.1\./)
    expect(document.info.version).to.equal('1.0.0')
    const result = await new Validator().validate(JSON.parse(reply.text) as Record<string, unknown>)
    expect(result.errors ?? []).to.deep.equal([])
    const found = await lintFromString({ source: reply.text, config: await createConfig({ extends: ['spec'] }) })
    expect(found.map(({ message, location }) => `${message} at ${location[0]?.pointer ?? ''}`)).to.deep.equal([])
  }).timeout(30_000)

  it('OpenAPI says the deadline of each capability in seconds, or how it follows from the input', async () => {
    const { paths } = (await get('/v1/openapi.json')).json<{ paths: Record<string, { post: Record<string, unknown> }> }>()
    const deadlines = ['/v1/test/echo', '/v1/test/send'].map((path) => paths[path]?.post['x-deadline-seconds'])
    expect(deadlines).to.deep.equal(['0.08 for the text "brief", else 5: at most 5', 'depends on the parameters'])
  })

  it('describes every route, and every status an operation can answer with', async () => {
    const { document } = await OpenApiChecker.of(gateway)
    for (const path of [
      '/v1/test/echo',
      '/v1/agent',
      '/v1/keys',
      '/v1/keys/{key_id}',
      '/v1/calls',
      '/v1/calls/stats',
      '/v1/account',
      '/v1/estimate',
      '/v1/tools',
      '/llms.txt',
      '/admin/v1/audit',
    ])
      expect(document.paths).to.have.property(path)
    const statuses = Object.keys(document.paths['/v1/test/echo']?.post?.responses ?? {})
    expect(statuses).to.include.members(['200', '400', '401', '402', '403', '409', '413', '415', '422', '429', '500', '502', '503', '504'])
  })
})
