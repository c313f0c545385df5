import { expect } from 'chai'
import sinon from 'sinon'
import { inspect } from 'node:util'
import { APIConnectionError, Capstan, CapstanError, type ClientOptions } from '../../../clients/typescript/src/index.js'
import { Answering, page, result, thrown, type Say } from './support.js'

const KEY = 'cap_of_the_test_that_nobody_may_see'
const ENV = ['CAPSTAN_API_KEY', 'CAPSTAN_URL', 'CAPSTAN_LOG']

describe('the TypeScript client: settings', () => {
  let server: Answering
  const before_: Record<string, string | undefined> = {}
  before(async () => {
    for (const name of ENV) before_[name] = process.env[name]
    server = await Answering.start()
  })
  afterEach(() => {
    sinon.restore()
    for (const name of ENV) {
      if (before_[name] === undefined) delete process.env[name]
      else process.env[name] = before_[name]
    }
  })
  after(async () => await server.close())

  const refusal = (options: ClientOptions): string => {
    try {
      return `nothing was refused: ${typeof new Capstan(options)}`
    } catch (error) {
      expect(error).to.be.instanceOf(CapstanError)
      return String(error)
    }
  }

  it('a missing key is an error at construction that names the variable', () => {
    delete process.env['CAPSTAN_API_KEY']
    expect(refusal({})).to.equal('CapstanError: no API key: give apiKey, or set the variable CAPSTAN_API_KEY')
    process.env['CAPSTAN_API_KEY'] = '  '
    expect(refusal({})).to.include('CAPSTAN_API_KEY')
  })

  it('a key with characters that no key has is refused without being shown', () => {
    expect(refusal({ apiKey: `${KEY}\nX-Other: 1` }))
      .to.include('apiKey')
      .and.not.include(KEY)
  })

  it('an environment that may not be read is an empty one, as in Deno without the permission', () => {
    const closed = {
      get: () => {
        throw new Error('NotCapable')
      },
    }
    sinon.stub(process, 'env').value(new Proxy({}, closed))
    expect(refusal({})).to.include('CAPSTAN_API_KEY')
    sinon.restore()
  })

  it('an address that is none is refused', () => {
    for (const baseUrl of ['127.0.0.1:8420', 'ftp://example.com', 'http://', 'https://example.com/?a=1'])
      expect(refusal({ apiKey: KEY, baseUrl }))
        .to.include('baseUrl (CAPSTAN_URL)')
        .and.include(JSON.stringify(baseUrl))
  })

  it('key and address come from the environment; slashes at the end of the address do not matter', async () => {
    process.env['CAPSTAN_API_KEY'] = `${KEY}\n`
    process.env['CAPSTAN_URL'] = `${server.url}//`
    server.says(result({}))
    await new Capstan().scrape({ url: 'https://example.com' })
    expect(server.requests[0]).to.deep.include({ method: 'POST', path: '/v1/scrape' })
    expect(server.requests[0]?.headers['authorization']).to.equal(`Bearer ${KEY}`)
  })

  it('what is given goes before the environment; an address may have a path', async () => {
    Object.assign(process.env, { CAPSTAN_API_KEY: 'cap_other', CAPSTAN_URL: 'http://127.0.0.1:1' })
    server.says(result({}))
    await new Capstan({ apiKey: KEY, baseUrl: `${server.url}/capstan/` }).scrape({ url: 'https://example.com' })
    expect(server.requests[0]?.path).to.equal('/capstan/v1/scrape')
  })

  it('names itself, and sends the headers of its settings, which may replace its own', async () => {
    server.says(result({}))
    await server.client().scrape({ url: 'https://example.com' })
    expect(server.requests[0]?.headers['user-agent']).to.equal('capstan-typescript/0.1.0')
    server.says(result({}))
    await server.client({ defaultHeaders: { 'X-Team': 'one', 'User-Agent': 'mine' } }).scrape({ url: 'https://example.com' })
    expect(server.requests[0]?.headers).to.include({ 'x-team': 'one', 'user-agent': 'mine', 'content-type': 'application/json' })
  })

  it('a fetch of one’s own is used, without a this', async () => {
    const calls: unknown[] = []
    const own = function (this: unknown, ...args: Parameters<typeof fetch>): Promise<Response> {
      calls.push(this, args[0])
      return fetch(...args)
    }
    server.says(result({ title: 'A page' }))
    expect((await server.client({ fetch: own }).scrape({ url: 'https://example.com' })).data.title).to.equal('A page')
    expect(calls).to.deep.equal([undefined, `${server.url}/v1/scrape`])
  })

  it('is silent by default', async () => {
    const spies = (['log', 'error', 'warn', 'info', 'debug'] as const).map((name) => sinon.stub(console, name))
    server.says(page(502), result({}))
    await server.client().scrape({ url: 'https://example.com' })
    expect(spies.map(({ callCount }) => callCount)).to.deep.equal([0, 0, 0, 0, 0])
  })

  it('CAPSTAN_LOG=debug says method, path, status, time and request id of each attempt on standard error, and no key', async () => {
    process.env['CAPSTAN_LOG'] = 'debug'
    const said: string[] = []
    sinon.stub(console, 'error').callsFake((line: string) => void said.push(line))
    const gone: Say = (response) => void response.socket?.destroy()
    server.says(gone, result({}, { 'x-request-id': 'req_9' }))
    const client = server.client({ apiKey: KEY })
    await client.scrape({ url: 'https://example.com/?secret=1' })
    server.says((response) => response.end('{"calls":[],"total":0,"limit":1,"offset":0}'))
    for await (const call of client.calls.list({ endpoint: 'secret', limit: 1 })) expect.fail(call.id)
    sinon.restore()
    expect(said).to.have.length(3)
    expect(said[0]).to.match(/^capstan POST \/v1\/scrape APIConnectionError \d+ ms$/)
    expect(said[1]).to.match(/^capstan POST \/v1\/scrape 200 \d+ ms req_9$/)
    expect(said[2]).to.match(/^capstan GET \/v1\/calls 200 \d+ ms$/)
    expect(said.join()).not.to.include(KEY).and.not.include('secret')
  })

  it('a client that is printed shows no key', () => {
    const client = server.client({ apiKey: KEY })
    expect(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client)).not.to.include(KEY)
  })

  it('no gateway at the address: the error names the address, the cause and what to check', async () => {
    const error = await thrown(new Capstan({ apiKey: KEY, baseUrl: 'http://127.0.0.1:2', maxRetries: 0 }).account())
    expect(error).to.be.instanceOf(APIConnectionError)
    expect(String(error)).to.equal(
      'APIConnectionError: the connection to http://127.0.0.1:2 failed (ECONNREFUSED); check baseUrl (CAPSTAN_URL) and that the gateway runs',
    )
  })

  it('no network: a name that cannot be resolved', async () => {
    const own = () =>
      Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }) }))
    const error = await thrown(server.client({ fetch: own, maxRetries: 0 }).account())
    expect(error).to.be.instanceOf(APIConnectionError).and.have.property('message').that.includes('ENOTFOUND')
  })

  it('a page instead of JSON is an error that quotes its first words, and is not repeated', async () => {
    for (const text of ['<html>\n  <title>Log in to the wireless network</title>', '', '"a text"']) {
      server.says(page(200, text))
      const error = await thrown(server.client().scrape({ url: 'https://example.com' }))
      expect(error).to.be.instanceOf(CapstanError).and.not.instanceOf(APIConnectionError)
      expect(String(error))
        .to.include('not the answer of a gateway')
        .and.include(JSON.stringify(text.replace(/\s+/g, ' ')))
      expect(server.requests).to.have.length(1)
    }
  })

  it('the answer of another service is refused too', async () => {
    server.says((response) => response.end('{"hello":"world"}'))
    expect(String(await thrown(server.client().scrape({ url: 'https://example.com' })))).to.include('not the answer of a gateway')
  })

  it('a redirect is not followed with the key, and says which address to set', async () => {
    server.says((response) => response.writeHead(308, { location: 'https://capstan.example.com/v1/scrape' }).end())
    const error = await thrown(server.client().scrape({ url: 'https://example.com' }))
    expect(String(error)).to.include('redirects to https://capstan.example.com/v1/scrape').and.include('set baseUrl (CAPSTAN_URL)')
    expect(server.requests).to.have.length(1)
  })
})
