import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { McpBridge } from '../../../scripts/capstan/cli/mcp-bridge.js'
import { GatewayClient } from '../../../scripts/capstan/cli/gateway-client.js'
import { listen, startGateway, type TestGateway } from '../../support/gateway.js'
import { LEGACY, McpStdio, type Message, textOf } from '../../support/mcp.js'
import { HandClock } from '../../support/outbound.js'
import { Stage } from '../../support/stage.js'
import { until } from '../../support/time.js'

/** A port of a gateway that goes and comes back: while it is down it refuses connections. */
class GatewayPort {
  readonly #sockets = new Set<Socket>()
  #server: Server | null = null
  #port = 0

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Passes connections on to the gateway at `url`. */
  async up(url: string): Promise<void> {
    const server = createServer((from) => {
      const to = connect(Number(new URL(url).port), '127.0.0.1')
      for (const socket of [from, to]) {
        this.#sockets.add(socket.on('error', () => undefined))
        socket.once('close', () => this.#sockets.delete(socket))
      }
      from.pipe(to).pipe(from)
      from.once('close', () => to.destroy())
      to.once('close', () => from.destroy())
    })
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#server = server
    this.#port = (server.address() as AddressInfo).port
  }

  async down(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    const server = this.#server
    this.#server = null
    await new Promise<void>((resolve) => (server === null ? resolve() : server.close(() => resolve())))
  }
}

/** A clock that says how many pauses are waited for. */
class Pauses extends HandClock {
  waiting = 0
  override after(ms: number, callback: () => void): () => void {
    this.waiting += 1
    return super.after(ms, () => {
      this.waiting -= 1
      callback()
    })
  }
}

const initialize = {
  method: 'initialize',
  params: { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
const echo = (text: string): object => ({ method: 'tools/call', params: { name: 'test_echo', arguments: { text } } })

describe('capstan mcp, with a gateway that comes and goes', function () {
  this.timeout(30_000)
  const stage = new Stage()
  let folder: string
  let port: GatewayPort
  let gateway: TestGateway
  let key: string
  let clock: Pauses
  let got: Message[]
  let tries: number
  let bridge: McpBridge
  const start = () => startGateway({ folder, script: { 'test.echo': [stage.vendor('one')] } })
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'capstan-mcp-'))
    gateway = await start()
    key = (await gateway.newKey()).key
  })
  after(async () => {
    await gateway.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    port = new GatewayPort()
    await port.up(gateway.url)
    clock = new Pauses()
    got = []
    tries = 0
    const client = new GatewayClient(port.url)
    bridge = new McpBridge({
      ...{ path: '/mcp', key, clock },
      client: {
        open: async (...order) => {
          tries += 1
          return await client.open(...order)
        },
      },
      send: (message) => void got.push(message as Message),
    })
  })
  afterEach(async () => await port.down())

  const send = (id: number, message: object): Promise<void> => bridge.receive({ jsonrpc: '2.0', id, ...message })
  const answer = async (id: number): Promise<Message | undefined> => {
    await until(() => got.some((message) => message.id === id))
    return got.find((message) => message.id === id)
  }

  it('stopped, it reports after five seconds the address it tried and how to start a gateway', async () => {
    await port.down()
    await send(1, initialize)
    for (let round = 0; round < 20; round++) {
      await until(() => clock.waiting === 1)
      expect(got).to.deep.equal([])
      clock.advance(250)
    }
    const { error } = (await answer(1)) ?? {}
    expect(error?.message).to.contain(port.url).and.to.contain('npm start')
    expect(tries).to.equal(21)
  })

  it('started later, it answers earlier requests', async () => {
    await port.down()
    await send(1, initialize)
    await until(() => clock.waiting === 1)
    await port.up(gateway.url)
    clock.advance(250)
    expect((await answer(1))?.result).to.include({ protocolVersion: LEGACY })
  })

  it('restarted in the middle of a call, it says that the call is lost and how to repeat it safely, and goes on without another handshake', async () => {
    await send(1, initialize)
    await answer(1)
    const { balance } = await gateway.money()
    await send(2, echo('wait here'))
    await stage.until(() => stage.texts.includes('one:wait here'))
    await port.down()
    expect((await answer(2))?.error?.message).to.contain('capstan/idempotency-key')
    await stage.until(() => stage.aborted.includes('wait here'))
    await send(3, echo('next'))
    await until(() => clock.waiting === 1)
    await gateway.close()
    gateway = await start()
    expect((await gateway.money()).balance, 'the lost call was free').to.equal(balance)
    await port.up(gateway.url)
    clock.advance(250)
    expect(textOf(await answer(3))).to.contain('next')
    expect((await gateway.money()).balance).to.equal(balance - 1)
  })

  it('a request that is cancelled while it waits for the gateway is never sent', async () => {
    await port.down()
    await send(1, echo('never sent'))
    await until(() => clock.waiting === 1)
    await bridge.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await port.up(gateway.url)
    clock.advance(250)
    await bridge.close()
    expect(got).to.deep.equal([])
    expect(stage.texts).not.to.include('one:never sent')
  })

  it('arguments of 10 MiB are refused with the limit', async () => {
    await send(1, echo('x'.repeat(10 * 1024 * 1024)))
    expect((await answer(1))?.error?.data).to.include({ status: 413 })
  })

  it('a cancellation of what is over, of what never was and of nothing does nothing', async () => {
    await send(1, echo('over'))
    expect(textOf(await answer(1))).to.contain('over')
    for (const params of [{ requestId: 1 }, { requestId: 1 }, { requestId: 99 }, {}, null])
      await bridge.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    await send(2, echo('after'))
    expect(textOf(await answer(2))).to.contain('after')
    expect(got).to.have.lengthOf(2)
  })

  it('as a program it outlives a restart of the gateway', async () => {
    await port.down()
    const session = new McpStdio({ CAPSTAN_URL: port.url, CAPSTAN_API_KEY: key })
    session.send({ id: 1, ...initialize })
    await port.up(gateway.url)
    expect((await session.get(({ id }) => id === 1)).result).to.include({ protocolVersion: LEGACY })
    await port.down()
    session.send({ id: 2, ...echo('during') })
    await gateway.close()
    gateway = await start()
    await port.up(gateway.url)
    expect(textOf(await session.get(({ id }) => id === 2))).to.contain('during')
    expect(await session.close()).to.equal(0)
  })
})

describe('the bridge of capstan mcp', () => {
  const bodyOf = (text: string) => ({ text: () => Promise.resolve(text) })
  /** A bridge to what answers every request with this. */
  const bridged = (type: string, body: unknown, send: (message: unknown) => void | Promise<void>): McpBridge =>
    new McpBridge({
      ...{ path: '/mcp', key: 'k', clock: new HandClock(), send },
      client: { open: () => Promise.resolve({ type, body } as unknown as Awaited<ReturnType<GatewayClient['open']>>) },
    })
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })

  it('takes no more from a client that does not read, and goes on when it does', async () => {
    let read: () => void = () => undefined
    const reading = new Promise<void>((resolve) => (read = resolve))
    const sent: unknown[] = []
    const bridge = bridged('application/json', bodyOf('{"jsonrpc":"2.0","id":1,"result":{}}'), async (message) => {
      await reading
      sent.push(message)
    })
    let taken = 0
    const all = (async () => {
      for (let id = 1; id <= 500; id++, taken++) await bridge.receive(ping(id))
    })()
    await until(() => taken >= 64)
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(taken).to.be.below(100)
    read()
    await all
    await bridge.close()
    expect(sent).to.have.lengthOf(500)
  })

  it('answers a request whose events end without an answer', async () => {
    const got: Message[] = []
    const events = [Buffer.from('event: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\n')]
    const bridge = bridged('text/event-stream', events, (message) => void got.push(message as Message))
    await bridge.receive(ping(5))
    await bridge.close()
    expect(got.map(({ id, method }) => id ?? method)).to.deep.equal(['notifications/progress', 5])
    expect(got[1]?.error?.message).to.contain('ended before the answer')
  })

  it('says that what answers is no gateway', async () => {
    const server = await listen((_request, response) => response.end('<html>Welcome</html>'))
    const got: Message[] = []
    const bridge = new McpBridge({
      ...{ path: '/mcp', key: 'k', clock: new HandClock(), client: new GatewayClient(server.url) },
      send: (message) => void got.push(message as Message),
    })
    await bridge.receive(ping(1))
    await bridge.close()
    await server.close()
    expect(got[0]?.error?.message).to.contain('is none')
  })

  it('a batch, a text and half a line are answered as no message, without an id', async () => {
    const got: Message[] = []
    const bridge = bridged('application/json', bodyOf(''), (message) => void got.push(message as Message))
    await bridge.receive(null)
    await bridge.close()
    expect(got).to.deep.equal([{ jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'A line must be one JSON object.' } }])
  })
})
