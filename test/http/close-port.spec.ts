import { expect } from 'chai'
import { once } from 'node:events'
import { createServer, request, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { closePort, Connections } from '../../core/http/connections.js'
import { Turns } from '../../core/runtime/turns.js'
import { until } from '../support/time.js'

const NEW_MS = 1_000
const CLIENTS = 16
/** Connections made before the port closes. */
const SERVED = 200

describe('a port that closes', () => {
  let server: Server
  let connections: Connections
  let turns: Turns
  let now = 0
  /** Whether the port was open when each request was answered. */
  let open: boolean[]
  const clients: Socket[] = []

  beforeEach(async () => {
    turns = new Turns()
    open = []
    server = createServer((request, response) =>
      turns.run(request.socket.remoteAddress, () => {
        open.push(server.listening)
        response.setHeader('connection', 'close').end('served')
      }),
    )
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  })
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy()
    server.close()
    server.closeAllConnections()
  })

  const port = (): number => (server.address() as AddressInfo).port
  /** A connection that the server has taken and on which nothing was sent. */
  const connected = async (): Promise<Socket> => {
    const taken = once(server, 'connection')
    const client = connect(port(), '127.0.0.1')
    client.on('error', () => undefined)
    clients.push(client)
    await taken
    return client
  }

  it('ends no connection before its first request, unless that takes longer than a second', async () => {
    connections = new Connections(server, () => now)
    const [quick, silent] = [await connected(), await connected()]
    const gone = once(silent, 'close')
    connections.endIdle()
    quick.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(String((await once(quick, 'data'))[0])).to.contain('200 OK')
    expect(connections.size).to.be.at.least(1)
    now += NEW_MS
    connections.endIdle()
    await gone
  })

  it('P3 ends half-sent heads: a first one once its connection is open for a second, a further one a second after it was seen', async () => {
    const serverSide: Socket[] = []
    server.on('connection', (socket: Socket) => serverSide.push(socket))
    server.removeAllListeners('request')
    connections = new Connections(server, () => now)
    server.on('request', (_request, response: ServerResponse) => response.end('served'))
    const [first, further] = [await connected(), await connected()]
    first.write('GET / HTTP/1.1\r\nHost:')
    further.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(further, 'data')
    further.write('GET / HTTP/1.1\r\nHost:')
    await until(() => serverSide[0]?.bytesRead === 21 && (serverSide[1]?.bytesRead ?? 0) > 27)
    const ended: string[] = []
    first.on('close', () => ended.push('first'))
    further.on('close', () => ended.push('further'))
    now += NEW_MS
    connections.endIdle()
    await until(() => ended.length > 0)
    expect(ended).to.deep.equal(['first'])
    now += NEW_MS
    connections.endIdle()
    await until(() => ended.length === 2)
  })

  it('answers requests during the close once it is closed', async () => {
    connections = new Connections(server)
    const client = await connected()
    const received = once(server, 'request')
    turns.hold(true)
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await received
    expect(open).to.deep.equal([])
    const answer = once(client, 'data')
    await closePort(server, connections, turns)
    expect(String((await answer)[0])).to.contain('200 OK')
    expect(open).to.deep.equal([false])
  })

  it('resets nobody who is connecting', async () => {
    connections = new Connections(server)
    const url = `http://127.0.0.1:${port()}/`
    const attempt = (): Promise<string> =>
      new Promise((resolve) => {
        const sent = request(url, { agent: false }, (answer) => void answer.resume().on('end', () => resolve('served')))
        sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)).end()
      })
    let served = 0
    let loaded: () => void = () => undefined
    const busy = new Promise<void>((resolve) => void (loaded = resolve))
    const client = async (): Promise<string> => {
      for (;;) {
        const outcome = await attempt()
        if (outcome !== 'served') return outcome
        if (++served === SERVED) loaded()
      }
    }
    const ends = Promise.all(Array.from({ length: CLIENTS }, client))
    await busy
    await closePort(server, connections, turns)
    expect(new Set(await ends)).to.deep.equal(new Set(['ECONNREFUSED']))
  })
})
