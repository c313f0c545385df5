import { expect } from 'chai'
import type { RequestListener } from 'node:http'
import { systemClock } from '../../../core/runtime/clock.js'
import { providersTried } from '../../../core/dispatch/call.js'
import { Type, vendor, type FaultKind, type Vendor } from '../../../core/sdk/index.js'
import { httpServer, type Running } from '../../../core/sdk/testkit/servers.js'
import { echo, httpProvider, loadedProvider } from '../../support/test-plugin.js'
import { bench, errorOf, saying } from '../../support/unit.js'
import { atMost, waited } from '../../support/time.js'

const GOOD = JSON.stringify({ said: 'from the wire' })

function httpOf(url: string, about: { id?: string; timeoutMs?: number; vendor?: Partial<Vendor> } = {}) {
  const contribution = httpProvider(echo, {
    vendor: vendor({ id: about.id ?? 'real', title: 'Real', ...about.vendor }),
    ...(about.timeoutMs === undefined ? {} : { timeoutMs: about.timeoutMs }),
    request: ({ text }) => ({ path: '/say', query: { text } }),
    reply: Type.Object({ said: Type.String() }),
    map: ({ said }) => (said === '' ? null : { text: said }),
  })
  return loadedProvider(contribution, { baseUrl: url })
}

/** The real provider first, a scripted one after it; what happened. */
async function tried(listener: RequestListener, about: Parameters<typeof httpOf>[1] = {}) {
  const server = await httpServer(listener)
  const kit = bench(
    {
      more: [
        httpOf(server.url, about),
        ...(bench({ 'test.echo': [{ vendor: 'next', run: saying('from the next') }] }).registry.ports.get('test.echo')?.providers ?? []),
      ],
    },
    { clock: systemClock },
  )
  try {
    const call = kit.call()
    const answer = await kit.ask(call)
    return { answer, attempts: call.attempts, tried: providersTried(call.attempts), suspended: kit.suspensions.list(), logs: kit.logs }
  } finally {
    await kit.close()
    await server.close()
  }
}

describe('http providers against a real server', () => {
  it('sends the request, checks the reply and maps it', async () => {
    const { answer, attempts } = await tried((request, response) => void response.end(request.url === '/say?text=hello' ? GOOD : '{}'))
    expect(answer).to.deep.equal({ provider: 'real', data: { text: 'from the wire' } })
    expect(attempts).to.have.length(1)
  })

  it('after a map that returns null the next vendor is called', async () => {
    const { attempts, tried: both } = await tried((_request, response) => void response.end('{"said":""}'))
    expect(attempts.map(({ outcome }) => outcome)).to.deep.equal(['missing', 'ok'])
    expect(both).to.deep.equal(['real', 'next'])
  })

  const bad: [string, FaultKind, RequestListener, { timeoutMs?: number }?][] = [
    ['F-20 T-27 HTML with status 200', 'broken', (_request, response) => void response.end('<html>hello</html>')],
    ['F-20 JSON of another shape', 'broken', (_request, response) => void response.end('{"words":[1,2]}')],
    ['F-20 an empty body', 'broken', (_request, response) => void response.end()],
    [
      'F-22 a body cut short',
      'broken',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '500' })
        response.write(GOOD)
        setImmediate(() => response.socket?.destroy())
      },
    ],
    ['F-18 a connection closed at once', 'broken', (request) => void request.socket.destroy()],
    ['F-17 silence beyond its time', 'busy', () => undefined, { timeoutMs: 60 }],
    [
      'F-17 a drip beyond its time',
      'busy',
      (_request, response) => {
        response.write('{')
        const drip = setInterval(() => response.write(' '), 10)
        response.on('close', () => clearInterval(drip))
      },
      { timeoutMs: 120 },
    ],
    [
      'T-25 F-21 an endless body',
      'broken',
      (_request, response) => {
        const chunk = Buffer.alloc(1 << 20, 32)
        const more = (): void => {
          while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once('drain', more)
        }
        more()
      },
    ],
    ['status 500', 'broken', (_request, response) => void response.writeHead(500).end('oops')],
    ['status 401', 'credentials', (_request, response) => void response.writeHead(401).end('{}')],
    ['status 402', 'quota', (_request, response) => void response.writeHead(402).end('{}')],
    ['status 404', 'missing', (_request, response) => void response.writeHead(404).end('{}')],
    ['F-19 status 429', 'busy', (_request, response) => void response.writeHead(429, { 'retry-after': '7' }).end('{}')],
    ['status 503', 'busy', (_request, response) => void response.writeHead(503).end('{}')],
  ]
  for (const [name, kind, listener, about] of bad)
    it(`${name} is ${kind}: recorded, passed over, the next vendor answers`, async () => {
      const { answer, attempts, suspended } = await tried(listener, about)
      expect(answer).to.deep.equal({ provider: 'next', data: { text: 'from the next' } })
      expect(attempts.map(({ provider, outcome }) => `${provider} ${outcome}`)).to.deep.equal([`real ${kind}`, 'next ok'])
      expect(suspended.map(({ id }) => id)).to.deep.equal(['busy', 'quota', 'credentials'].includes(kind) ? ['test.echo/real'] : [])
    })

  it('F-19 a 429 suspends for as long as Retry-After says', async () => {
    const before = Date.now()
    const { suspended } = await tried((_request, response) => void response.writeHead(429, { 'retry-after': '7' }).end('{}'))
    expect(suspended[0]?.until).to.be.within(before + 5_500, Date.now() + 7_000)
  })

  it('T-28 a vendor that echoes our key: it is in no attempt and no log line', async () => {
    const keyed = {
      secrets: { api_key: 'REAL_KEY' },
      auth: (secret: (name: string) => string) => ({ headers: { authorization: `Bearer ${secret('api_key')}` } }),
    }
    const { attempts, logs } = await tried(
      (request, response) => void response.writeHead(500).end(JSON.stringify({ headers: request.headers })),
      { vendor: keyed },
    )
    expect(JSON.stringify([attempts, logs])).not.to.contain('secret-api_key')
    expect(JSON.stringify(logs)).to.contain('500')
  })

  it('F-18 N-21 the next vendor is called within 100 ms of a refused connection, and the fifth failure suspends', async function () {
    const closed: Running = await httpServer(() => undefined)
    await closed.close()
    const kit = bench({ more: [httpOf(closed.url)] }, { clock: systemClock })
    for (let count = 0; count < 5; count++) {
      const { own } = await waited(() => errorOf(kit.ask(kit.call())))
      await atMost(this, { what: 'the end', value: own, limit: 100 })
    }
    expect(kit.suspensions.list().map(({ id }) => id)).to.deep.equal(['test.echo/real'])
    await kit.close()
  })
})
