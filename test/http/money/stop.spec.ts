import { expect } from 'chai'
import { rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { StoreUnavailable, type Store } from '../../../core/store/types.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { HandClock } from '../../support/outbound.js'
import { Stage } from '../../support/stage.js'
import { temporaryStore } from '../../support/store.js'
import { until } from '../../support/time.js'

const ECHO = '/v1/test/echo'

describe('F-30 the money of a gateway that stops', () => {
  const stage = new Stage()
  let store: Store
  let end: () => Promise<void>
  /** The commands to the store, in order. */
  let commands: string[]
  let refusing: boolean
  beforeEach(async () => {
    ;({ store, end } = await temporaryStore())
    commands = []
    refusing = false
  })
  afterEach(async () => await end())

  /** The store with a slow refund, which outlives its gateway. */
  function watched(): Store {
    const { ledger, leases } = store
    return {
      ...store,
      close: () => Promise.resolve(void commands.push('close')),
      leases: { ...leases, end: async (instance) => (commands.push('end'), await leases.end(instance)) },
      ledger: {
        ...ledger,
        refund: async (charge) => {
          for (let count = 0; count < 50; count++) await turn()
          commands.push('refund')
          if (refusing) throw new StoreUnavailable('away')
          return await ledger.refund(charge)
        },
      },
    }
  }
  const start = async (overrides = {}): Promise<TestGateway> =>
    await startGateway({
      overrides: { store: watched(), ...overrides },
      env: { CAPSTAN_LIMIT_ACCOUNT_BUFFER: String(1024 ** 3) },
      script: { 'test.echo': [stage.vendor('one')], 'test.send': [stage.vendor('post')] },
    })
  const count = async (kind: string): Promise<number> =>
    (await store.ledger.entries({ account: 'default', limit: 1000 })).filter((entry) => entry.kind === kind).length

  /** A client that does not read does not notice that its connection was cut, and would keep this process from ending. */
  const clientsLeft: Socket[] = []
  afterEach(() => {
    for (const socket of clientsLeft.splice(0)) socket.destroy()
  })

  /** Clients that request a large answer and do not read it, once each is charged. */
  async function slowReaders(gateway: TestGateway, most: number): Promise<void> {
    const { key } = await gateway.newKey()
    const body = JSON.stringify({ text: 'wide' })
    for (let client = 0; client < most; client++) {
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
      clientsLeft.push(socket)
      socket.on('error', () => undefined)
      socket.pause()
      socket.write(
        `POST ${ECHO} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
    }
    await until(async () => (await count('charge')) === most)
  }

  for (const clients of [1, 5])
    it(`L7 the charges of ${clients} answers that were cut are given back before the lease ends and the store closes`, async () => {
      const gateway = await start()
      await slowReaders(gateway, clients)
      gateway.app.drain()
      await gateway.close()
      expect(await count('refund')).to.equal(clients)
      expect(commands).to.deep.equal([...Array<string>(clients).fill('refund'), 'end', 'close'])
    })

  it('L7 an answer that is still being written is waited for: its connection may be cut at any moment', async () => {
    const gateway = await start()
    await slowReaders(gateway, 2)
    gateway.app.drain()
    const closed = gateway.app.close()
    for (let round = 0; round < 200; round++) await turn()
    expect(commands).to.deep.equal([])
    gateway.server.closeAllConnections()
    gateway.server.close()
    await closed
    rmSync(gateway.folder, { recursive: true })
    expect(await count('refund')).to.equal(2)
    expect(commands).to.deep.equal(['refund', 'refund', 'end', 'close'])
  })

  it('L7 a refund that the store refuses keeps the lease, so that a sweeper makes it', async () => {
    const clock = new HandClock()
    const gateway = await start({ clock })
    await slowReaders(gateway, 1)
    refusing = true
    const advancing = setInterval(() => clock.advance(200), 20)
    await gateway.close()
    clearInterval(advancing)
    expect(commands).to.include('refund')
    expect(commands).not.to.include('end')
    expect(commands.at(-1)).to.equal('close')
  })

  /** A call whose caller leaves while the provider works. */
  async function detached(gateway: TestGateway, path: string, headers: Record<string, string> = {}): Promise<void> {
    const body = JSON.stringify({ text: 'wait for me' })
    const sent = request(gateway.url + path, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json', 'content-length': body.length, ...headers },
    })
    sent.on('error', () => undefined)
    sent.end(body)
    await stage.until(() => stage.waiting === 1)
    sent.destroy()
    await until(
      async () =>
        (await new Promise<number>((resolve) => gateway.server.getConnections((_error, connections) => resolve(connections)))) === 0,
    )
  }

  it('L8 waits for a call whose caller has left, within the grace; its answer is kept and charged', async () => {
    const clock = new HandClock()
    const gateway = await start({ clock })
    await detached(gateway, ECHO, { 'idempotency-key': 'detached' })
    gateway.app.drain()
    clock.advance(4_000)
    const closed = gateway.close()
    for (let round = 0; round < 100; round++) await turn()
    expect(commands, 'it waits').to.deep.equal([])
    stage.release()
    await closed
    expect(commands).to.deep.equal(['end', 'close'])
    expect(await count('charge')).to.equal(1)
    const next = await startGateway({ overrides: { store: watched(), clock } })
    const replay = await next.send(ECHO, { key: gateway.key, body: { text: 'wait for me' }, headers: { 'idempotency-key': 'detached' } })
    expect([replay.status, replay.headers['idempotent-replayed']]).to.deep.equal([200, 'true'])
    await next.close()
  })

  it('cuts a call whose caller has left when the grace is over, and gives back what it held', async () => {
    const clock = new HandClock()
    const gateway = await startGateway({
      overrides: { store: watched(), clock },
      env: { CAPSTAN_LIMIT_GRACE: '2' },
      script: { 'test.echo': [stage.vendor('one')] },
    })
    await detached(gateway, ECHO, { 'idempotency-key': 'late' })
    gateway.app.drain()
    const closed = gateway.close()
    for (let round = 0; round < 100; round++) await turn()
    expect(gateway.app.running()).to.equal(1)
    clock.advance(2_000)
    await closed
    expect(commands).to.deep.equal(['end', 'close'])
    expect(await store.ledger.balance('default')).to.deep.include({ held: 0, open: 0, balance: 1_000_000 })
  })
})
