import { Socket } from 'node:net'
import { inspect } from 'node:util'
import { expect } from 'chai'
import { problemFrom } from '../../../core/dispatch/from-error.js'
import { Fault, retryAfterOf, type Vendor } from '../../../core/sdk/index.js'
import { accessTo, cancelIn, faultOf, HandClock, outboundKit, type OutboundKit } from '../../support/outbound.js'
import { nameServer } from '../../../core/sdk/testkit/dns-zones.js'
import { httpServer, rawServer, tcpServer } from '../../../core/sdk/testkit/servers.js'
import { settle } from '../../support/unit.js'
import { cpuOf, until, waited } from '../../support/time.js'

/** Every status from 300 to 599 that is not listed is `broken`. */
const KINDS: Record<number, string> = {
  400: 'invalid',
  401: 'credentials',
  402: 'quota',
  403: 'credentials',
  404: 'missing',
  408: 'busy',
  413: 'invalid',
  415: 'invalid',
  422: 'invalid',
  425: 'busy',
  429: 'busy',
  503: 'busy',
  529: 'busy',
}
const SURELY_REFUSED = [501, 503, 505, 529]

describe("outbound: what a vendor's failure is called", () => {
  let kit: OutboundKit
  beforeEach(() => {
    kit = outboundKit()
  })
  afterEach(() => kit.close())
  const call = (url: string, vendor: Partial<Vendor> = {}, once = false) =>
    kit.api.request(accessTo(url, vendor), { path: '/v1', json: { q: 1 } }, cancelIn(), { once })

  it('F-18, F-19 each status has its kind, and only unclear ones are ambiguous for a call that acts', async () => {
    const server = await httpServer((request, response) => response.writeHead(Number(request.headers['x-status'])).end('{"error":"no"}'))
    for (let status = 300; status < 600; status++) {
      const fault = await faultOf(call(server.url, { headers: { 'x-status': String(status) } }, true))
      expect(`${status} ${fault.kind} ${fault.ambiguous}`).to.equal(
        `${status} ${KINDS[status] ?? 'broken'} ${status >= 500 && !SURELY_REFUSED.includes(status)}`,
      )
    }
    await server.close()
  })

  it('F-19 Retry-After in seconds and as a date', async () => {
    const server = await httpServer((_request, response) => response.writeHead(429, { 'retry-after': '3600' }).end())
    expect((await faultOf(call(server.url))).retryAfterSeconds).to.equal(3600)
    await server.close()
    const now = Date.UTC(2026, 0, 1)
    expect(
      ['5', ' 7 ', '1.2', 'Thu, 01 Jan 2026 00:01:00 GMT', 'Wed, 31 Dec 2025 00:00:00 GMT', 'soon', '-4', '', undefined].map((header) =>
        retryAfterOf(header, now),
      ),
    ).to.deep.equal([5, 7, 2, 60, 0, undefined, undefined, undefined, undefined])
  })

  it("a vendor's own reading comes first, with any status", async () => {
    const server = await httpServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"error":{"code":7}}'),
    )
    const vendor: Partial<Vendor> = {
      fault: ({ status, body }) =>
        status === 200 && JSON.stringify(body).includes('"code":7') ? new Fault('quota', 'used up') : undefined,
    }
    expect((await faultOf(call(server.url, vendor))).kind).to.equal('quota')
    await server.close()
  })

  it('T-27, F-20, F-21 what is not JSON, not complete or too large is broken, and ambiguous for a call that acts', async () => {
    const bodies = ['<html>login</html>', '', '{"a":', 'NaN', '\u0000\u0001']
    for (const body of bodies) {
      const server = await httpServer((_request, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end(body === '' ? ' ' : body),
      )
      const fault = await faultOf(call(server.url, {}, true))
      expect([body, fault.kind, fault.ambiguous]).to.deep.equal([body, 'broken', true])
      await server.close()
    }
    const large = await httpServer((_request, response) => response.end(Buffer.alloc(11 << 20, 'x')))
    expect((await faultOf(call(large.url))).message).to.contain('too many bytes')
    await large.close()
  })

  it('no route to any address of the vendor is the own lack of this machine: held against nobody, overloaded to the caller', async () => {
    const failing = (code: string): Error => Object.assign(new Error(code), { code })
    const connecting = (error: Error): void => {
      kit.sockets.open = () => {
        const socket = new Socket()
        setImmediate(() => socket.destroy(error))
        return socket
      }
    }
    for (const error of [
      failing('ENETUNREACH'),
      failing('ENETDOWN'),
      new AggregateError([failing('ENETUNREACH'), failing('ENETUNREACH')]),
    ]) {
      connecting(error)
      const fault = await faultOf(call('http://192.0.2.1', {}, true))
      expect([fault.kind, fault.unavailable, fault.ambiguous], String(error)).to.deep.equal(['busy', true, false])
      expect(problemFrom(fault)).to.include({ slug: 'overloaded', status: 503 })
    }
    for (const error of [
      failing('EHOSTUNREACH'),
      new AggregateError([failing('ECONNREFUSED'), failing('ENETUNREACH')]),
      new AggregateError([]),
    ]) {
      connecting(error)
      const fault = await faultOf(call('http://192.0.2.1'))
      expect([fault.kind, fault.unavailable], String(error)).to.deep.equal(['broken', false])
    }
  })

  it('F-17, F-18 refused, reset, unknown name, no TLS: broken; silence: busy; ambiguous only once the request has left', async () => {
    const gone = await tcpServer(() => undefined)
    await gone.close()
    const reset = await rawServer((socket) => void socket.resetAndDestroy())
    const closed = await rawServer((socket) => void socket.end())
    const plain = await tcpServer((socket) => void socket.end('HTTP/1.1 400 no\r\n\r\n'))
    const names = await nameServer(() => null)
    const own = outboundKit({ dns: names.address })
    const table: [string, string, boolean][] = [
      [gone.url, 'broken', false],
      [reset.url, 'broken', true],
      [closed.url, 'broken', true],
      ['http://unknown.example', 'broken', false],
      [`https://127.0.0.1:${plain.port}`, 'broken', false],
    ]
    const request = (url: string, cancel = cancelIn(60_000)) =>
      faultOf(own.api.request(accessTo(url), { path: '/', json: {} }, cancel, { once: true }))
    for (const [url, kind, ambiguous] of table) {
      const fault = await request(url)
      expect([url, fault.kind, fault.ambiguous]).to.deep.equal([url, kind, ambiguous])
    }
    const clock = new HandClock()
    let hasAll = false
    const silent = await rawServer(() => void (hasAll = true))
    const { cancel, done } = cancelIn(60_000, clock).step(150)
    const late = request(silent.url, cancel)
    await until(() => hasAll)
    clock.advance(150)
    expect(await late).to.include({ kind: 'busy', ambiguous: true })
    done()
    await own.close()
    await Promise.all([silent, reset, closed, plain].map((server) => server.close()))
    await names.close()
  })

  it("F-26, N-23 cancelling closes the vendor's socket within 250 ms, at whatever moment, and opens no other", async () => {
    const server = await httpServer((request, response) => {
      if (request.url === '/body') response.writeHead(200).write('{')
    })
    let slowest = 0
    for (let turn = 0; turn < 120; turn++) {
      const cancel = cancelIn()
      const failing = faultOf(kit.api.request(accessTo(server.url), { path: turn % 2 === 0 ? '/head' : '/body' }, cancel, { once: false }))
      // Moments of the exchange are turns of the event loop: looking the name up, connecting, sending, waiting for head or body.
      await settle(turn % 12)
      const { own } = await waited(async () => {
        cancel.cancel('client-gone')
        expect((await failing).kind).to.equal('busy')
        await until(() => server.open() === 0)
      })
      slowest = Math.max(slowest, own)
    }
    await settle(50)
    expect(slowest).to.be.below(250)
    expect(server.open()).to.equal(0)
    expect(server.connections()).to.be.at.most(120)
    await server.close()
  })
})

describe('outbound: secrets of vendors', () => {
  const CANARY = 'canary-api_key-0123456789'
  const forms = [
    CANARY,
    Buffer.from(CANARY).toString('base64'),
    Buffer.from(`user:${CANARY}`).toString('base64'),
    encodeURIComponent(CANARY),
    Buffer.from(CANARY).toString('hex'),
  ]

  it('T-28 a vendor that echoes our request in every way cannot put a secret into a Fault', async () => {
    const server = await httpServer((request, response) => {
      const echo = JSON.stringify({
        url: request.url,
        headers: request.headers,
        key: CANARY,
        slashed: CANARY.replaceAll('/', '\\/'),
        mail: 'Jane.Doe@example.com',
        phone: '+49 170 1234567',
      })
      response.writeHead(Number(request.headers['x-status']), {
        'x-echo': String(request.headers['authorization']),
        'content-type': 'application/json',
        location: `/?${CANARY}`,
      })
      response.end(request.headers['x-cut'] === '1' ? `${'x '.repeat(1_190)}${echo}` : echo + (request.headers['x-bad'] === '1' ? '<' : ''))
    })
    const kit = outboundKit()
    const leaks: string[] = []
    for (const status of [200, 302, 400, 401, 403, 404, 422, 429, 500, 503]) {
      for (const [flag, on] of [
        ['x-bad', '1'],
        ['x-bad', '0'],
        ['x-cut', '1'],
      ] as const) {
        const vendor: Partial<Vendor> = {
          secrets: { api_key: 'ACME_API_KEY' },
          headers: { 'x-status': String(status), [flag]: on },
          auth: (secret) => ({
            headers: {
              authorization: `Basic ${Buffer.from(`user:${secret('api_key')}`).toString('base64')}`,
              'x-api-key': secret('api_key'),
              'x-enc': Buffer.from(secret('api_key')).toString('base64'),
            },
            query: { key: secret('api_key') },
          }),
        }
        const outcome: unknown = await kit.api
          .request(accessTo(server.url, vendor), { path: '/p' }, cancelIn(), { once: false })
          .catch((error: unknown) => error)
        if (!(outcome instanceof Error)) continue
        const text = inspect(outcome, { depth: 10, showHidden: true }) + (Fault.is(outcome) ? (outcome.internal ?? '') : '')
        for (const form of [...forms, 'Jane.Doe', '1234567']) if (text.includes(form)) leaks.push(`${status} ${flag}: ${form} in ${text}`)
        if (/127\.0\.0\.1|x-echo/.test(outcome.message)) leaks.push(`host in ${outcome.message}`)
      }
    }
    expect(leaks).to.deep.equal([])
    await kit.close()
    await server.close()
  })

  it('T-37 the log names the resource that was requested, and not for whom', async () => {
    const server = await httpServer((request, response) => {
      if (request.headers['x-way'] === 'cut') return void response.destroy()
      if (request.headers['x-way'] === 'late') return
      response.writeHead(request.headers['x-way'] === 'page' ? 200 : 404).end(request.headers['x-way'] === 'page' ? '{"name":"Ada' : '{}')
    })
    const kit = outboundKit()
    const paths = [
      '/people/ada-lovelace',
      '/v2/people/Ada%20Lovelace/jobs',
      '/ada-lovelace',
      '/v1/ada.lovelace',
      '/people/ada?name=lovelace',
    ]
    for (const way of ['cut', 'late', 'page', 'none'])
      for (const path of paths) {
        const cancel = way === 'late' ? cancelIn().step(30).cancel : cancelIn()
        const call = { path, headers: { 'x-way': way } }
        const { internal } = await faultOf(kit.api.request(accessTo(server.url), call, cancel, { once: false }))
        expect(internal, `${way} ${path}`)
          .to.match(/^GET (?:\/v\d)?(?:\/people)?\/… -> /)
          .and.not.match(/ada|lovelace/i)
      }
    await kit.close()
    await server.close()
  })

  it("the log still has the vendor's message", async () => {
    const server = await httpServer((_request, response) =>
      response
        .writeHead(422, { 'content-type': 'application/json', 'x-request-id': 'req_77' })
        .end('{"error":{"type":"bad_country","message":"country zz is unknown"}}'),
    )
    const kit = outboundKit()
    const fault = await faultOf(kit.api.request(accessTo(server.url), { path: '/v1/find', json: {} }, cancelIn(), { once: false }))
    expect(fault.internal).to.equal(
      'POST /v1/find -> 422 x-request-id=req_77: {"error":{"type":"bad_country","message":"country zz is unknown"}}',
    )
    expect(fault.message).to.equal('the vendor refused the request')
    await kit.close()
    await server.close()
  })

  it('A12 of the headers of a failing reply only those that name the request are logged, redacted and cut, however long the others are', async () => {
    const secrets = { authorization: 'x1', 'x-api-key': 'x2', 'set-cookie': 'x3', 'x-auth-token': 'x4' }
    const traces = { 'cf-ray': `8f0-${'ab '.repeat(2_000)}`, 'x-request-id': 'Bearer abcdef123456' }
    const server = await httpServer((_request, response) =>
      response.writeHead(500, { x: '-0'.repeat(6_000), y: 'eyJ-'.repeat(1_000), ...secrets, ...traces }).end('no'),
    )
    const kit = outboundKit()
    const failed = () => faultOf(kit.api.request(accessTo(server.url), { path: '/v1/find', json: {} }, cancelIn(), { once: false }))
    const { internal } = await failed()
    expect(internal).to.match(/^POST \/v1\/find -> 500 cf-ray=8f0-(?:ab ){32}…? x-request-id=\[redacted\]: no$/)
    expect(await cpuOf(failed)).to.be.below(50)
    await kit.close()
    await server.close()
  })
})
