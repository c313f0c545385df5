import { expect } from 'chai'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import sinon from 'sinon'
import { StoreUnavailable } from '../../../core/store/types.js'
import { openLog } from '../../../core/telemetry/log.js'
import { send, startGateway, type Reply, type RequestOptions, type TestGateway } from '../../support/gateway.js'
import { Stage } from '../../support/stage.js'
import { until } from '../../support/time.js'

const ECHO = '/v1/test/echo'

interface Line {
  readonly level: string
  readonly event: string
  readonly request_id?: string
  readonly [field: string]: unknown
}

describe('the log and the metrics of requests', function () {
  this.timeout(30_000)
  const stage = new Stage()
  let gateway: TestGateway
  let admin: Server
  let text = ''
  let count = 0
  before(async () => {
    const destination = new Writable({ write: (chunk: Buffer, _encoding, done) => ((text += chunk.toString()), done()) })
    const { log } = openLog({ level: 'debug', format: 'json', destination })
    gateway = await startGateway({
      script: { 'test.echo': [stage.vendor('one')], 'test.send': [stage.vendor('post', { state: 'dormant', reason: 'set POST_API_KEY' })] },
      overrides: { log },
      env: { CAPSTAN_LIMIT_ANSWER: '4000' },
    })
    admin = createServer(gateway.app.adminListener)
    await new Promise<void>((resolve) => admin.listen(0, '127.0.0.1', resolve))
  })
  after(async () => {
    admin.close()
    await gateway.close()
  })
  afterEach(() => sinon.restore())

  const lines = (): Line[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line)
  /** The lines of one request, once its own is written. */
  const linesOf = async (id: string): Promise<Line[]> => {
    const own = (): Line[] => lines().filter(({ request_id }) => request_id === id)
    await until(() => own().some(({ event }) => ['request', 'request-failed', 'probe'].includes(event)))
    return own()
  }
  /** What metrics count of a route and slug. */
  const counted = async (route: string, status: number, slug: string): Promise<number> => {
    const { text: metrics } = await gateway.app.services.telemetry.metrics()
    const line = metrics
      .split('\n')
      .find((each) => each.startsWith(`capstan_requests_total{method="POST",route="${route}",status="${status}",slug="${slug}"}`))
    return Number(line?.split(' ')[1] ?? 0)
  }
  const sendLogged = async (path: string, options: RequestOptions = {}): Promise<{ reply: Reply; own: Line[] }> => {
    const id = `r${++count}`
    const reply = await gateway.send(path, { ...options, headers: { 'x-request-id': id, ...options.headers } })
    return { reply, own: await linesOf(id) }
  }

  it('a paid call has one line: who, what, how long, for how much and from whom', async () => {
    const { own } = await sendLogged(ECHO, { body: { text: 'hi' } })
    expect(own).to.have.length(1)
    const { ms, time, key_id, ...line } = own[0] ?? { level: '', event: '' }
    expect(line).to.deep.equal({
      level: 'info',
      event: 'request',
      method: 'POST',
      path: ECHO,
      status: 200,
      credits: 1,
      provider: 'one',
      request_id: `r${count}`,
      account: 'default',
      msg: `POST ${ECHO} 200`,
    })
    expect(ms).to.be.a('number').at.least(0)
    expect(time).to.match(/^\d{4}-.*Z$/)
    expect(key_id).to.be.a('string').that.has.length.above(5)
  })

  it('one by name says so; a stream of events and a repeated answer have one line too', async () => {
    const byName = await sendLogged('/v1/agent', { body: { capability: 'test.echo', params: { text: 'hi' } } })
    expect(byName.own).to.have.length(1)
    expect(byName.own[0]).to.include({ path: '/v1/agent', via: '/v1/agent', provider: 'one' })
    const events = await sendLogged(ECHO, { body: { text: 'hi' }, headers: { accept: 'text/event-stream' } })
    expect(events.own).to.have.length(1)
    expect(events.own[0]).to.include({ status: 200, credits: 1, provider: 'one' })
    const before = await counted(ECHO, 502, 'providers-failed')
    const failed = await sendLogged(ECHO, { body: { text: 'broken' }, headers: { accept: 'text/event-stream' } })
    expect(failed.reply.status, 'the head of a stream is sent before its outcome').to.equal(200)
    expect(failed.own.at(-1)).to.include({ event: 'request', status: 502, slug: 'providers-failed', credits: 0 })
    expect(await counted(ECHO, 502, 'providers-failed')).to.equal(before + 1)
    for (let round = 0; round < 2; round++) {
      const { own } = await sendLogged(ECHO, { body: { text: 'hi' }, headers: { 'idempotency-key': 'same' } })
      expect(own).to.have.length(1)
      expect(own[0]).to.include({ status: 200, credits: round === 0 ? 1 : 0, provider: 'one' })
    }
  })

  it('every other route has one, with the template of its path', async () => {
    for (const [path, options, status, template] of [
      ['/v1/account?a=canary', {}, 422, '/v1/account'],
      ['/v1/account', {}, 200, '/v1/account'],
      ['/v1/keys/canary', { method: 'DELETE' }, 404, '/v1/keys/{key_id}'],
      ['/admin/v1/accounts/canary', { key: gateway.adminToken }, 404, '/admin/v1/accounts/{id}'],
      ['/canary/person@example.com?q=canary', {}, 404, 'unknown'],
      [ECHO, { method: 'GET' }, 405, ECHO],
    ] as const) {
      const { reply, own } = await sendLogged(path, options)
      expect(reply.status, path).to.equal(status)
      expect(own, path).to.have.length(1)
      expect(own[0], path).to.include({ level: 'info', event: 'request', path: template, status })
    }
  })

  it('probes have theirs at level debug, on the admin listener as well', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const { own } = await sendLogged(path, { key: null })
      expect(own.map(({ level, event, path: at }) => [level, event, at])).to.deep.equal([['debug', 'probe', path]])
    }
    const url = `http://127.0.0.1:${(admin.address() as AddressInfo).port}`
    const before = lines().length
    for (const path of ['/readyz', '/metrics', '/canary']) await send(url + path)
    gateway.app.services.log('plugin', 'takes along what waits')
    const own = lines()
      .slice(before)
      .filter(({ listener }) => listener === 'admin')
    expect(own.map(({ level, event, path, status }) => [level, event, path, status])).to.deep.equal([
      ['debug', 'probe', '/readyz', 200],
      ['debug', 'probe', '/metrics', 200],
      ['info', 'request', 'unknown', 404],
    ])
  })

  const away = () => {
    sinon.stub(gateway.app.services.store.ledger, 'hold').rejects(new StoreUnavailable('the-internal-text'))
  }
  const capped = async (): Promise<RequestOptions> => ({ key: (await gateway.newKey({ credit_limit: 0.5 })).key })
  for (const [slug, status, body, prepare, others] of [
    ['providers-failed', 502, 'broken', null, ['provider-failed']],
    ['providers-failed', 502, 'bug', null, ['provider-failed']],
    ['no-result', 422, 'missing', null, ['provider-declined']],
    ['answer-too-large', 422, 'huge', null, []],
    ['deadline-exceeded', 504, 'brief', null, []],
    ['store-unavailable', 503, 'hi', away, []],
    ['key-not-allowed', 403, 'hi', capped, []],
    ['validation-failed', 422, '', null, []],
  ] as const)
    it(`B6 ${status} ${slug} of "${body}" is counted under its slug and logged once`, async () => {
      const options = (await prepare?.()) ?? {}
      const before = await counted(ECHO, status, slug)
      const { reply, own } = await sendLogged(ECHO, { body: { text: body }, ...options })
      expect(reply.status, reply.text).to.equal(status)
      expect((await counted(ECHO, status, slug)) - before).to.equal(1)
      expect(own.map(({ event }) => event)).to.deep.equal([...others, 'request'])
      expect(own.at(-1)).to.include({ level: 'info', status, slug, credits: 0 })
      const internal = own.filter(
        (line) => JSON.stringify(line).includes('canary-internal detail') || line['internal'] === 'the-internal-text',
      )
      expect(internal.length, 'what is for operators alone is there once').to.be.at.most(1)
    })

  it('B6 503 of a capability without a live provider is counted under its slug', async () => {
    const { own } = await sendLogged('/v1/test/send', { body: { text: 'hi' } })
    expect(own.map(({ event, slug }) => [event, slug])).to.deep.equal([['request', 'capability-unavailable']])
    expect(await counted('/v1/test/send', 503, 'capability-unavailable')).to.equal(1)
  })

  it('a failure that is kept for a repeated request is counted under its slug again', async () => {
    const headers = { 'idempotency-key': 'nothing' }
    const before = await counted(ECHO, 422, 'no-result')
    for (let round = 0; round < 2; round++) await sendLogged(ECHO, { body: { text: 'missing' }, headers })
    expect((await counted(ECHO, 422, 'no-result')) - before).to.equal(2)
  })

  it('a fault of the gateway is one line at level error, with what happened', async () => {
    sinon.stub(gateway.app.services.store.accounts, 'get').rejects(new TypeError('what went wrong'))
    const { own } = await sendLogged('/v1/account')
    expect(own.map(({ level, event, slug }) => [level, event, slug])).to.deep.equal([['error', 'request-failed', 'internal']])
    expect(own[0]?.['internal']).to.match(/^TypeError: what went wrong/)
  })

  it('B6 B20 a caller who leaves is 499 client-closed in the log and the metrics as in the history, and costs nothing', async () => {
    const before = await counted(ECHO, 499, 'client-closed')
    const body = JSON.stringify({ text: 'wait' })
    const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json', 'x-request-id': 'left' }
    const sent = request(gateway.url + ECHO, { method: 'POST', agent: false, headers })
    sent.on('error', () => undefined).end(body)
    await stage.until(() => stage.waiting === 1)
    sent.destroy()
    const own = await linesOf('left')
    expect(own.map(({ event }) => event)).to.deep.equal(['request'])
    expect(own[0]).to.include({ status: 499, slug: 'client-closed', credits: 0, account: 'default' })
    expect((await counted(ECHO, 499, 'client-closed')) - before).to.equal(1)
    const { calls } = (await gateway.get('/v1/calls?limit=1')).json<{ calls: Record<string, unknown>[] }>()
    expect(calls[0]).to.include({ request_id: 'left', status: 499, error_type: 'client-closed', credits_used: 0 })
  })

  it('T-08 T-72 N-34 no line holds a key, a token, a query, a body, a header or a part of a path that callers choose', async () => {
    const secret = 'canary-4b1d'
    const headers = {
      cookie: secret,
      'idempotency-key': `${secret}-key`,
      'user-agent': secret,
      referer: secret,
      'x-forwarded-for': '203.0.113.77',
    }
    for (const path of [ECHO, `${ECHO}?q=${secret}`, `/v1/${secret}`, `/files/${secret}/${secret}`, `/v1/keys/${secret}`])
      for (const method of ['GET', 'POST', 'DELETE'])
        await sendLogged(path, { method, headers, ...(method === 'POST' ? { body: { text: secret, [secret]: 1 } } : {}) })
    await sendLogged(ECHO, { body: { text: secret }, key: `cap_${secret.repeat(5)}` })
    await sendLogged(ECHO, { body: { text: secret }, headers: { authorization: `Basic ${secret}` } })
    await sendLogged(ECHO, { body: `{"text": "${secret}` })
    await sendLogged('/admin/v1/accounts', { body: { name: secret, credits: 1 }, key: gateway.adminToken })
    await sendLogged('/v1/keys', { body: { name: secret } })
    await gateway.send(ECHO, {
      method: 'OPTIONS',
      headers: { origin: `https://${secret}.example.com`, 'access-control-request-method': 'POST' },
    })
    gateway.app.services.log('plugin', 'takes along what waits')
    for (const hidden of [secret, gateway.key, gateway.adminToken, '203.0.113.77', 'person@example.com', 'canary"'])
      expect(text).not.to.contain(hidden)
  })
})
