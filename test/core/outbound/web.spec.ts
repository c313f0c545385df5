import { expect } from 'chai'
import { Fault } from '../../../core/sdk/index.js'
import { createOutbound } from '../../../core/outbound/index.js'
import { cancelIn, faultOf, HandClock, outboundKit } from '../../support/outbound.js'
import { nameServer } from '../../../core/sdk/testkit/dns-zones.js'
import { httpServer, rawServer, tcpServer } from '../../../core/sdk/testkit/servers.js'
import { settle } from '../../support/unit.js'
import { Cancel } from '../../../core/runtime/cancel.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { atMost, until, waited } from '../../support/time.js'

describe('outbound: pages', () => {
  it('any status is an answer, with type and character set of the header', async () => {
    const server = await httpServer((request, response) => {
      response
        .writeHead(Number((request.url ?? '/200').slice(1)), {
          'content-type': 'Text/HTML; Charset="ISO-8859-1"',
          'set-cookie': ['a=1', 'b=2'],
        })
        .end('body')
    })
    const kit = outboundKit({ allow: ['127.0.0.1'] })
    for (const status of [200, 204, 404, 403, 418, 500, 503]) {
      const page = await kit.web.get(`${server.url}/${status}`, {}, cancelIn())
      expect([page.status, page.contentType, page.charset, page.headers['set-cookie'], page.url]).to.deep.equal([
        status,
        'text/html',
        'iso-8859-1',
        'a=1, b=2',
        `${server.url}/${status}`,
      ])
      expect(page.bytes.length).to.equal(status === 204 ? 0 : 4)
    }
    expect(kit.facts.map((fact) => fact.status)).to.deep.equal([200, 204, 404, 403, 418, 500, 503])
    await kit.close()
    await server.close()
  })

  it('sends our own user agent, and no header that belongs to the connection', async () => {
    const server = await httpServer((request, response) => response.end(JSON.stringify(request.headers)))
    const kit = outboundKit({ allow: ['127.0.0.1'] })
    const headers = {
      Host: 'evil.example',
      Connection: 'upgrade',
      'Content-Length': '9',
      'Proxy-Authorization': 'x',
      'X-Mine': '1',
      'Accept-Encoding': 'zstd',
    }
    const page = await kit.web.get(server.url, { headers }, cancelIn())
    const sent: unknown = JSON.parse(Buffer.from(page.bytes).toString())
    expect(sent).to.deep.equal({
      host: `127.0.0.1:${server.port}`,
      connection: 'keep-alive',
      'user-agent': 'capstan-test',
      accept: '*/*',
      'x-mine': '1',
      'accept-encoding': 'gzip, deflate, br',
    })
    await kit.close()
    await server.close()
  })

  it('what a target does is blocked, unavailable for now or missing, never a fault that suspends a vendor', async () => {
    const silent = await tcpServer(() => undefined)
    const garbage = await rawServer((socket) => void socket.end('SSH-2.0-OpenSSH_9\r\n'))
    const closing = await tcpServer((socket) => void socket.end())
    const reset = await rawServer((socket) => void socket.resetAndDestroy())
    const headers = await rawServer((socket) => void socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`))
    const gone = await tcpServer(() => undefined)
    await gone.close()
    const names = await nameServer((name) => (name === 'silent.example' ? undefined : null))
    const kit = outboundKit({ allow: ['127.0.0.1'], dns: names.address })
    const table: [string, string, RegExp, string?][] = [
      [silent.url, 'unavailable', /did not answer in time/, 'silent'],
      [garbage.url, 'unavailable', /closed the connection/],
      [closing.url, 'unavailable', /closed the connection/],
      [reset.url, 'unavailable', /closed the connection/],
      [headers.url, 'blocked', /headers that are too large/],
      [gone.url, 'unavailable', /refused the connection/, 'refused'],
      [`https://127.0.0.1:${closing.port}/`, 'blocked|unavailable', /TLS|closed/],
      [`https://127.0.0.1:${garbage.port}/`, 'blocked|unavailable', /TLS|time/],
      ['http://unknown.example/', 'missing', /unknown/],
      ['http://silent.example/', 'unavailable', /did not answer in time|could not be resolved/],
    ]
    for (const [url, kind, message, obstacle] of table) {
      const fault = await faultOf(kit.web.get(url, { timeoutMs: 200 }, cancelIn()))
      expect(`${fault.unavailable && fault.kind === 'blocked' ? 'unavailable' : fault.kind}: ${fault.message}`, url)
        .to.match(message)
        .and.to.match(new RegExp(`^(${kind}):`))
      if (!url.startsWith('https:') && !url.includes('silent.example')) expect(fault.obstacle, url).to.equal(obstacle)
    }
    await kit.close()
    await Promise.all([silent, garbage, closing, reset, headers].map((server) => server.close()))
    await names.close()
  })

  it('a body that ends with its connection, while it waits for its reader, is whole, and no error is left over', async () => {
    const server = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n')
      socket.end(Buffer.alloc(20_000))
    })
    const kit = outboundKit({ allow: ['127.0.0.1'] })
    const { body } = await kit.web.stream(server.url, {}, cancelIn())
    await settle(50)
    let bytes = 0
    for await (const chunk of body) bytes += chunk.length
    expect(bytes).to.equal(20_000)
    await kit.close()
    await server.close()
  })

  it('F-17 a drip ends at the total time, not at the time between bytes', async function () {
    const server = await httpServer((_request, response) => {
      const timer = setInterval(() => response.write('x'), 10)
      response.on('close', () => clearInterval(timer))
    })
    const kit = outboundKit({ allow: ['127.0.0.1'] })
    const { all, own } = await waited(async () => {
      const fault = await faultOf(kit.web.get(server.url, { timeoutMs: 150 }, cancelIn()))
      expect(fault.message).to.equal('the address did not answer in time')
    })
    expect(all).to.be.at.least(140)
    await atMost(this, { what: 'the end', value: own, limit: 400 })
    await until(() => server.open() === 0)
    await kit.close()
    await server.close()
  })

  it('F-26 cancelling closes the socket of the target within 250 ms, before the head and in the body', async function () {
    const server = await httpServer((request, response) => {
      if (request.url === '/body') response.writeHead(200).write('begin')
    })
    const kit = outboundKit({ allow: ['127.0.0.1'] })
    for (const path of ['/head', '/body']) {
      const cancel = cancelIn()
      const fetching = faultOf(kit.web.get(server.url + path, {}, cancel))
      await until(() => server.open() === 1)
      cancel.cancel('client-gone')
      expect((await fetching).message).to.equal('the fetch was stopped')
      await atMost(this, {
        what: 'until the socket was closed',
        value: (await waited(() => until(() => server.open() === 0))).own,
        limit: 250,
      })
    }
    await kit.close()
    await server.close()
  })

  it('F-26 a stream that is left, or cancelled unread, closes its socket and gives its slot back', async () => {
    const server = await httpServer((_request, response) => void response.writeHead(200).write('begin'))
    const names = await nameServer((name, type) => (type === 'A' ? [{ type: 'A', name, data: '127.0.0.1' }] : []))
    const kit = outboundKit({ allow: [`127.0.0.1:${server.port}`], dns: names.address, perHost: 1 })
    const url = `http://one.example:${server.port}/`
    const left = await kit.web.stream(url, {}, cancelIn())
    for await (const chunk of left.body) if (chunk.length > 0) break
    const cancel = cancelIn()
    await kit.web.stream(url, {}, cancel)
    expect(kit.perHost.size).to.equal(1)
    cancel.cancel('client-gone')
    await until(() => server.open() === 0 && kit.perHost.size === 0)
    await kit.close()
    await Promise.all([server.close(), names.close()])
  })

  it('a connection that the server would keep takes a descriptor for two seconds at most', async () => {
    const server = await httpServer((_request, response) => response.setHeader('keep-alive', 'timeout=60').end('page'))
    const kit = outboundKit({ allow: ['127.0.0.1'] })
    await kit.web.get(server.url, {}, cancelIn(1_000))
    expect(server.open()).to.equal(1)
    await until(() => server.open() === 0)
    await kit.close()
    await server.close()
  })

  it('a call that is already over is not sent', async () => {
    const server = await httpServer((_request, response) => response.end())
    const kit = outboundKit({ allow: ['127.0.0.1'] })
    const cancel = new Cancel(systemClock, systemClock.monotonic() + 1_000)
    cancel.cancel('deadline')
    expect(Fault.is(await faultOf(kit.web.get(server.url, {}, cancel)))).to.equal(true)
    expect(server.connections()).to.equal(0)
    await kit.close()
    await server.close()
  })
})

describe('outbound: so many fetches to one host', () => {
  it('eight at once, the rest wait, and those cancelled leave the queue and are never sent', async () => {
    let running = 0
    let most = 0
    const finish: (() => void)[] = []
    const served: string[] = []
    const server = await httpServer((request, response) => {
      most = Math.max(most, ++running)
      served.push(request.url ?? '')
      finish.push(() => {
        running--
        response.end()
      })
    })
    const names = await nameServer((name, type) => (type === 'A' ? [{ type: 'A', name, data: '127.0.0.1' }] : []))
    const kit = outboundKit({ allow: [`127.0.0.1:${server.port}`], dns: names.address })
    const cancels = Array.from({ length: 20 }, () => cancelIn())
    const fetches = cancels.map((cancel, index) =>
      kit.web.get(`http://busy.example:${server.port}/${index}`, {}, cancel).then(
        (page) => page.status,
        () => 'stopped',
      ),
    )
    const other = kit.web.get(`http://other.example:${server.port}/other`, {}, cancelIn())
    await until(() => finish.length === 9)
    for (const index of [9, 11, 13]) cancels[index]?.cancel('client-gone')
    await until(() => {
      finish.shift()?.()
      return served.length >= 18 && finish.length === 0
    })
    expect(await Promise.all(fetches)).to.deep.equal(
      Array.from({ length: 20 }, (_, index) => ([9, 11, 13].includes(index) ? 'stopped' : 200)),
    )
    await other
    expect(most).to.equal(9)
    expect(served.slice(9)).to.have.members(['/8', '/10', '/12', '/14', '/15', '/16', '/17', '/18', '/19'])
    expect(kit.perHost.size).to.equal(0)
    await kit.close()
    await Promise.all([server.close(), names.close()])
  })
})

describe('createOutbound', () => {
  it('warns of what was opened, names a setting it cannot read, and opens nothing by itself', async () => {
    const lines: string[] = []
    const settings = { allowPrivate: ['10.0.0.0/8'], proxy: null, dns: null, perHost: 8, userAgent: 'x' }
    const outbound = createOutbound(settings, new HandClock(), (_event, message) => void lines.push(message))
    expect(lines)
      .to.have.length(1)
      .and.to.satisfy(([line]: string[]) => line?.includes('outbound.allow_private'))
    expect(outbound.sockets.opened).to.equal(0)
    await outbound.close()
    const make = (over: object) => () => createOutbound({ ...settings, ...over }, new HandClock(), () => undefined)
    expect(make({ allowPrivate: ['?'] })).to.throw(RangeError, 'outbound.allow_private')
    expect(make({ proxy: 'socks://x' })).to.throw(RangeError, 'outbound.proxy')
    expect(make({ dns: 'not-an-address' })).to.throw('net.dns')
    expect(make({ whois: 'whois.example:0' })).to.throw(RangeError, 'net.whois')
    expect(make({ whois: 'https://whois.example' })).to.throw(RangeError, 'net.whois')
  })
})
