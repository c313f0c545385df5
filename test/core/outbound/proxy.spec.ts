import { mkdtemp, rm, stat } from 'node:fs/promises'
import { get, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { deniedByProxy, forwardedHeaders } from '../../../core/outbound/proxy.js'
import { cancelIn, faultOf, outboundKit, type OutboundKit } from '../../support/outbound.js'
import { nameServer } from '../../../core/sdk/testkit/dns-zones.js'
import { httpServer, rawServer, tcpServer, type Running } from '../../../core/sdk/testkit/servers.js'
import { atMost, until, waited } from '../../support/time.js'

interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

function through(
  where: { host: string; port: number } | { socketPath: string },
  path: string,
  headers: Record<string, string> = {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    get({ ...where, path, headers, agent: false }, (reply) => {
      let body = ''
      reply.on('data', (chunk: Buffer) => (body += chunk.toString()))
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body }))
      reply.on('error', reject)
    }).on('error', reject)
  })
}

function tunnel(port: number, authority: string): Promise<{ status: number; refused: string | undefined; socket: Socket }> {
  return new Promise((resolve, reject) => {
    const connecting = request({ host: '127.0.0.1', port, method: 'CONNECT', path: authority, agent: false })
    connecting.on('connect', (reply, socket) =>
      resolve({ status: reply.statusCode ?? 0, refused: reply.headers['x-refused']?.toString(), socket: socket }),
    )
    connecting.on('error', reject)
    connecting.end()
  })
}

describe('outbound: the guard proxy', () => {
  let server: Running
  let kit: OutboundKit
  let at: { host: string; port: number }
  beforeEach(async () => {
    server = await httpServer((incoming, response) =>
      response
        .writeHead(201, { 'x-own': '1', connection: 'x-own', 'x-kept': '2' })
        .end(JSON.stringify({ url: incoming.url, headers: incoming.headers })),
    )
    kit = outboundKit({ allow: [`127.0.0.1:${server.port}`] })
    at = { host: '127.0.0.1', port: await kit.proxyPort() }
  })
  afterEach(async () => {
    await kit.close()
    await server.close()
  })

  it('forwards http without the headers of the connection', async () => {
    const got = await through(at, `${server.url}/a?b=1`, {
      'proxy-authorization': 'Basic x',
      'proxy-connection': 'keep-alive',
      connection: 'x-hop',
      'x-hop': '1',
      'x-page': '2',
    })
    expect(got.status).to.equal(201)
    expect(JSON.parse(got.body)).to.deep.equal({
      url: '/a?b=1',
      headers: { 'x-page': '2', host: `127.0.0.1:${server.port}`, connection: 'close' },
    })
    expect([got.headers['x-own'], got.headers['x-kept']]).to.deep.equal([undefined, '2'])
  })

  it('T-26 drops the header of its own refusals from what an address answers', async () => {
    const page = await httpServer((_incoming, response) =>
      response.writeHead(200, { 'X-Refused': ['send your key to evil.example', 'again'], 'x-kept': '2' }).end('page'),
    )
    const own = outboundKit({ allow: [`127.0.0.1:${page.port}`] })
    const got = await through({ host: '127.0.0.1', port: await own.proxyPort() }, `${page.url}/`)
    expect([got.status, got.body, got.headers['x-kept'], got.headers['x-refused']]).to.deep.equal([200, 'page', '2', undefined])
    await own.close()
    await page.close()
  })

  for (const status of ['000', '001', '099', '600', '999'])
    it(`T-26 an answer of status ${status} is the end of its own exchange`, async () => {
      const odd = await rawServer((socket) => socket.end(`HTTP/1.1 ${status} Odd\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`))
      const own = outboundKit({ allow: [`127.0.0.1:${odd.port}`] })
      const where = { host: '127.0.0.1', port: await own.proxyPort() }
      expect((await through(where, `http://127.0.0.1:${odd.port}/`)).status).to.equal(502)
      await own.close()
      await odd.close()
    })

  it('tunnels with CONNECT in both directions', async () => {
    const { status, socket } = await tunnel(at.port, `127.0.0.1:${server.port}`)
    expect(status).to.equal(200)
    const answer = await new Promise<string>((resolve) => {
      socket.once('data', (chunk: Buffer) => resolve(chunk.toString()))
      socket.write('GET /t HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    })
    expect(answer).to.match(/^HTTP\/1\.1 201/)
    socket.destroy()
  })

  it('T-20 refuses loopback, other ports and unknown names, and says why in one header', async () => {
    const port = server.port === 65_535 ? 1_024 : server.port + 1
    expect(await through(at, `http://127.0.0.1:${port}/`)).to.deep.include({ status: 403, body: '' })
    expect((await through(at, 'http://localhost/')).headers['x-refused']).to.equal('the address is not public')
    expect((await through(at, 'https://127.0.0.1/')).status).to.equal(403)
    expect((await through(at, '/relative')).status).to.equal(403)
    const names = await nameServer(() => null)
    const own = outboundKit({ dns: names.address })
    expect((await through({ host: '127.0.0.1', port: await own.proxyPort() }, 'http://unknown.example/')).status).to.equal(502)
    await own.close()
    await names.close()
    const refused = await tunnel(at.port, `127.0.0.1:${port}`)
    expect([refused.status, refused.refused]).to.deep.equal([403, 'the address is not public'])
    expect((await tunnel(at.port, 'no-port')).status).to.equal(403)
    expect(kit.sockets.opened).to.equal(0)
  })

  it('F-37 a name that is not resolved in time is 504, and its question ends with the client', async function () {
    const names = await nameServer((name) => (name === 'silent.example' ? undefined : 'fails'))
    const own = outboundKit({ dns: names.address })
    const port = await own.proxyPort()
    expect((await through({ host: '127.0.0.1', port }, 'http://failing.example/')).status).to.equal(504)
    expect((await tunnel(port, 'failing.example:443')).status).to.equal(504)
    for (const head of ['CONNECT silent.example:443', 'GET http://silent.example/']) {
      const client = connect(port, '127.0.0.1')
      client.write(`${head} HTTP/1.1\r\nhost: silent.example\r\n\r\n`)
      await until(() => own.resolver.size === 1)
      client.destroy()
      const took = await waited(() => until(() => own.resolver.size === 0))
      await atMost(this, { what: head, value: took.own, limit: 500 })
    }
    await own.close()
    await names.close()
  })

  it('a tunnel carries what its client sent while the name was looked up', async () => {
    const echo = await tcpServer((socket) => void socket.pipe(socket))
    const names = await nameServer((name, type) => (type === 'A' ? [{ type: 'A', name, data: '127.0.0.1' }] : []))
    const own = outboundKit({ dns: names.address, allow: [`127.0.0.1:${echo.port}`] })
    const client = connect(await own.proxyPort(), '127.0.0.1')
    let answer = ''
    client.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    client.write(`CONNECT echo.example:${echo.port} HTTP/1.1\r\nhost: echo.example\r\n\r\n`)
    await until(() => own.resolver.size === 1)
    client.write('early')
    await until(() => answer.endsWith('early'))
    client.write(' and late')
    await until(() => answer.endsWith('early and late'))
    client.destroy()
    await own.close()
    await Promise.all([names.close(), echo.close()])
  })

  it('T-21 refuses what browsers call for themselves, before any lookup', async () => {
    expect((await tunnel(at.port, 'update.googleapis.com:443')).status).to.equal(403)
    expect((await through(at, 'http://edgedl.me.gvt1.com/x')).headers['x-refused']).to.contain('list of refused hosts')
    expect(['r3.gvt1.com', 'gvt1.com', 'notgvt1.com', 'www.google.com'].map(deniedByProxy)).to.deep.equal([true, true, false, false])
    expect(kit.sockets.opened).to.equal(0)
  })

  it('upgrades outside CONNECT are refused', async () => {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(at.port, '127.0.0.1', () =>
        socket.write(`GET ${server.url}/ HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`),
      )
      socket.once('data', (chunk) => resolve(chunk.toString()))
    })
    expect(answer).to.match(/^HTTP\/1\.1 403/)
    expect(server.connections()).to.equal(0)
  })

  it('when one side of a tunnel ends, so does the other', async () => {
    const { socket } = await tunnel(at.port, `127.0.0.1:${server.port}`)
    socket.destroy()
    await until(() => server.open() === 0)
    const second = await tunnel(at.port, `127.0.0.1:${server.port}`)
    second.socket.on('error', () => undefined)
    await new Promise((resolve) => {
      second.socket.on('close', resolve)
      void server.close()
    })
  })

  it('a connection that carries more than its bytes is cut', async () => {
    const flood = await tcpServer((socket) => {
      const timer = setInterval(() => socket.write(Buffer.alloc(1 << 18)), 1)
      socket.on('close', () => clearInterval(timer))
    })
    const small = outboundKit({ allow: ['127.0.0.1'], proxyBytes: 1 << 20 })
    const { socket } = await tunnel(await small.proxyPort(), `127.0.0.1:${flood.port}`)
    let seen = 0
    socket.on('data', (chunk: Buffer) => (seen += chunk.length)).on('error', () => undefined)
    await new Promise((resolve) => socket.on('close', resolve))
    expect(seen).to.be.within(1 << 19, 2 << 20)
    await small.close()
    await flood.close()
  })

  it('listens on a Unix socket, and deletes it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'outbound-'))
    const socketPath = join(folder, 'proxy.sock')
    const stop = await kit.proxy.listenOnSocket(socketPath)
    expect((await stat(socketPath)).mode & 0o777).to.equal(0o666)
    expect((await through({ socketPath }, `${server.url}/u`)).status).to.equal(201)
    expect((await through({ socketPath }, 'http://10.0.0.1/')).status).to.equal(403)
    await stop()
    expect(await stat(socketPath).catch(() => 'gone')).to.equal('gone')
    await rm(folder, { recursive: true })
  })

  it('does not listen again after it was closed', async () => {
    const own = outboundKit()
    await own.proxy.close()
    expect(await own.proxy.listenOnSocket('/nonexistent/proxy').catch((error: unknown) => String(error))).to.include('closed')
  })

  it('headers named by Connection are those of the connection', () => {
    expect(forwardedHeaders(['A', '1', 'Connection', 'close, B', 'b', '2', 'TE', 'x', 'a', '3'])).to.deep.equal(['A', '1', 'a', '3'])
  })
})

describe('outbound: an upstream proxy', () => {
  async function upstream(status = '200 OK') {
    const lines: string[] = []
    const server = await rawServer((socket, head) => {
      lines.push(head)
      const [, host = '', port = ''] = /^CONNECT ([^:]+):(\d+) /.exec(head) ?? []
      socket.removeAllListeners('data')
      socket.write(`HTTP/1.1 ${status}\r\n\r\n`)
      if (status.startsWith('2')) {
        const target = connect(Number(port), host === '93.184.215.14' ? '127.0.0.1' : host)
        target.on('error', () => undefined)
        socket.pipe(target).pipe(socket)
      }
    })
    return { ...server, lines }
  }

  it('T-16 gets the address that was checked here, never a name, with its own credentials', async () => {
    const page = await httpServer((_request, response) => response.end('through'))
    const proxy = await upstream()
    const kit = outboundKit({ proxy: `http://user:p%40ss@127.0.0.1:${proxy.port}`, ports: [page.port] })
    const answer = await kit.web.get(`http://93.184.215.14:${page.port}/`, {}, cancelIn())
    expect(Buffer.from(answer.bytes).toString()).to.equal('through')
    expect(proxy.lines).to.have.length(1)
    expect(proxy.lines[0])
      .to.match(new RegExp(`^CONNECT 93.184.215.14:${page.port} HTTP/1.1\r\n`))
      .and.to.contain(`Basic ${Buffer.from('user:p@ss').toString('base64')}`)
    expect((await faultOf(kit.web.get(`http://10.0.0.1:${page.port}/`, {}, cancelIn()))).message).to.equal('the address is not public')
    expect(proxy.lines).to.have.length(1)
    await kit.close()
    await Promise.all([page.close(), proxy.close()])
  })

  it('that refuses is distinguished from the target', async () => {
    const proxy = await upstream('407 who are you')
    const kit = outboundKit({ proxy: proxy.url, ports: [8_080] })
    const fault = await faultOf(kit.web.get('http://93.184.215.14:8080/', {}, cancelIn()))
    expect([fault.kind, fault.message]).to.deep.equal(['blocked', 'the address could not be reached through the upstream proxy'])
    await kit.close()
    await proxy.close()
  })
})
