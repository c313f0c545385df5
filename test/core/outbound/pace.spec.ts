import { expect } from 'chai'
import type { Socket } from 'node:net'
import { AllowList } from '../../../core/outbound/allow.js'
import { Connector, type Target } from '../../../core/outbound/connector.js'
import { Guard } from '../../../core/outbound/guard.js'
import { PacedDialer } from '../../../core/outbound/paced-dialer.js'
import { Resolver } from '../../../core/outbound/resolver.js'
import { NameServers } from '../../../core/outbound/name-servers.js'
import { Sockets } from '../../../core/outbound/sockets.js'
import { cancelIn, faultOf, HandClock } from '../../support/outbound.js'
import { nameServer, type NameServer } from '../../../core/sdk/testkit/dns-zones.js'
import { tcpServer, type Running } from '../../../core/sdk/testkit/servers.js'
import { until } from '../../support/time.js'

const SHARED = '93.184.215.14'
const OTHER = '93.184.215.15'

/** Finds addresses as the gateway does, but connects every one of them to a server on loopback. */
class Redirected extends Connector {
  readonly reached: string[] = []
  readonly #sockets = new Sockets()
  port = 0

  override reach({ host }: Target): Promise<Socket> {
    this.reached.push(host)
    const socket = this.#sockets.open({ host: '127.0.0.1', port: this.port })
    return new Promise((resolve) => socket.once('connect', () => resolve(socket)))
  }
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}
const probe = (host: string): Target => ({ host, port: 43, trust: 'probe' })

describe('outbound: pace of connections by address', () => {
  let names: NameServer
  let server: Running
  let clock: HandClock
  beforeEach(async () => {
    clock = new HandClock()
    server = await tcpServer(() => undefined)
    names = await nameServer((name, type) => {
      if (type !== 'A') return []
      const data = name.startsWith('both') ? [OTHER, SHARED] : [name.startsWith('other') ? OTHER : SHARED]
      return data.map((address) => ({ type: 'A' as const, name, data: address }))
    })
  })
  afterEach(async () => {
    await server.close()
    await names.close()
  })

  function dialers(allow: readonly string[] = []) {
    const guard = new Guard(new AllowList(allow), new Resolver(new NameServers(names.address, clock), clock))
    const dialer = new Redirected(guard, new Sockets(), null)
    dialer.port = server.port
    return { dialer, paced: new PacedDialer({ guard, dialer, clock }) }
  }

  it('many names of one address get two connections at once and five a second together', async () => {
    const { dialer, paced } = dialers()
    const cancel = cancelIn(60_000, clock)
    const open: Socket[] = []
    const all = ['a', 'b', 'c', 'd'].map(async (label) => void open.push(await paced.dial(probe(`${label}.example`), cancel)))
    const other = paced.dial(probe('other.example'), cancel)
    await until(() => dialer.reached.length >= 2)
    await other
    expect(dialer.reached.filter((host) => host !== 'other.example')).to.have.length(1)
    clock.advance(200)
    await until(() => open.length >= 2)
    clock.advance(1_000)
    await turns()
    expect(open).to.have.length(2)
    // A place is free when its connection is closed, whoever closed it.
    open[0]?.destroy()
    await until(() => open.length >= 3)
    open[1]?.destroy()
    await until(() => dialer.reached.length >= 4)
    clock.advance(200)
    await Promise.all(all)
    expect(dialer.reached).to.have.length(5)
  })

  it('a name with several addresses counts for each of them, and an address as itself', async () => {
    const { dialer, paced } = dialers()
    const cancel = cancelIn(60_000, clock)
    const first = await paced.dial(probe('both.example'), cancel)
    const step = async (host: string): Promise<Socket> => {
      clock.advance(1_000)
      return await paced.dial(probe(host), cancel)
    }
    await step(SHARED)
    const third = step(`::ffff:${SHARED}`)
    await turns()
    expect(dialer.reached).to.have.length(2)
    first.destroy()
    await third
    await step('other.example')
    expect(dialer.reached).to.have.length(4)
  })

  it('nothing is held by a name that is refused, by a connection that fails, or by a call that is over', async () => {
    const { dialer, paced } = dialers()
    const cancel = cancelIn(60_000, clock)
    for (let index = 0; index < 5; index++) {
      expect((await faultOf(paced.dial({ ...probe('a.example'), port: 22 }, cancel))).kind).to.equal('blocked')
      clock.advance(1_000)
    }
    const held = [await paced.dial(probe('a.example'), cancel)]
    clock.advance(1_000)
    held.push(await paced.dial(probe('b.example'), cancel))
    clock.advance(1_000)
    const late = cancelIn(60_000, clock)
    const waiting = paced.dial(probe('c.example'), late).catch((error: unknown) => String(error))
    await turns()
    late.cancel('client-gone')
    expect(await waiting).to.contain('stopped: client-gone')
    for (const socket of held) socket.destroy()
    await turns()
    clock.advance(1_000)
    await paced.dial(probe('c.example'), cancel)
    expect(dialer.reached).to.have.length(3)
  })

  it('what the operator allowed is not counted', async () => {
    const { dialer, paced } = dialers([`${SHARED}:43`])
    const cancel = cancelIn(60_000, clock)
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((label) => paced.dial(probe(`${label}.example`), cancel)))
    expect(dialer.reached).to.have.length(6)
  })
})
