import { expect } from 'chai'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StoreUnavailable } from '../../core/store/types.js'
import { cpuMs } from '../../scripts/gateway/process.js'
import { send, startGateway } from '../support/gateway.js'
import { needsOwnMongo, rawMongo } from '../support/mongodb.js'
import { MongoServer } from '../support/mongodb-server.js'
import { expectHeaders, expectProblem } from '../support/problem.js'
import { freePort } from '../support/redis.js'
import { Served, soon, Upstream } from '../support/served.js'
import { refusingMongo } from './mongodb-refusing.js'
import { temporaryStore } from '../support/store.js'
import { atMost, waited } from '../support/time.js'
import { errorOf } from '../support/unit.js'

/** A gateway is to be used at most so long after its database is there, in milliseconds. */
const SOON_MS = 3_000

describe('capstan serve while its database is away at the start', function () {
  this.timeout(120_000)
  let program: string
  let upstream: Upstream
  let port: number
  let folder: string
  let served: Served
  const servers: MongoServer[] = []
  const environment = () => ({
    ...upstream.env,
    CAPSTAN_LOG_LEVEL: 'debug',
    CAPSTAN_STORE: `mongodb://127.0.0.1:${port}/capstan?directConnection=true`,
  })
  /** So many times it has tried to reach the database. */
  const tries = (count: number): Promise<void> => served.until(() => served.err.split('trying again').length > count)
  const arrive = async (): Promise<MongoServer> => {
    const server = await MongoServer.start({ program, port, folder })
    servers.push(server)
    return server
  }

  before(async function () {
    program = needsOwnMongo(this)
    upstream = await Upstream.start()
  })
  after(async () => await upstream?.close())
  beforeEach(async () => {
    port = await freePort()
    folder = mkdtempSync(join(tmpdir(), 'capstan-outage-'))
    served = new Served({ env: environment() })
  })
  afterEach(async () => {
    await served.end()
    for (const server of servers.splice(0)) await server.end()
    rmSync(folder, { recursive: true, force: true })
  })

  it('F-01 waits behind open ports, says so, and serves within 3 s of its coming', async function () {
    const waiting = await served.line('waiting')
    const reason = `mongodb://127.0.0.1:${port}/capstan is unreachable (connect ECONNREFUSED 127.0.0.1:${port})`
    expect(waiting).to.include({ event: 'waiting', pid: served.pid, reason })

    const [alive, notReady, there] = [
      await served.send('/healthz'),
      await served.send('/readyz'),
      await send(`${served.adminUrl}/readyz`),
    ] as const
    expect([alive.status, alive.json()]).to.deep.equal([200, { status: 'ok' }])
    expect([notReady.status, notReady.json()]).to.deep.equal([503, { status: 'not ready' }])
    const checks = [{ name: 'store', ok: false, detail: 'has not answered since the start' }]
    expect([there.status, there.json()]).to.deep.equal([503, { status: 'not ready', checks }])
    for (const { headers } of [alive, notReady, there])
      expect(headers).to.include({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    for (const path of ['/v1/bench/echo', '/v1/account', '/files/x/y'])
      expectProblem(await served.send(path, { key: 'cap_some', body: { prompt: 'hello' } }), 'store-unavailable')

    const before = cpuMs(served.pid)
    await tries(4)
    expect(cpuMs(served.pid) - before, 'processor time while it waits').to.be.below(1_000)
    expect(served.out.trim().split('\n'), 'said once').to.have.length(1)
    await arrive()
    const { result: ready, own } = await waited(() => served.line('ready'))
    await atMost(this, { what: 'until it served', value: own, limit: SOON_MS })
    expect(ready).to.include({ url: waiting.url, admin_url: waiting.admin_url, pid: served.pid })
    expect((await send(`${served.adminUrl}/readyz`)).status).to.equal(200)
    const reply = await served.call(ready.first_run?.key ?? '')
    expect(reply.status, reply.text).to.equal(200)
    expectHeaders(reply)
    expect(reply.headers['x-credits-used']).to.equal('1')
    for (const event of ['store-away', 'store-back'])
      expect(served.err.split(`"event":"${event}"`), `${event} is one line, however often the database was tried`).to.have.length(2)
    expect(served.err, 'what the server is and promises').to.match(/"ledger":"MongoDB [^"]* at mongodb:[^"]*retryWrites=false\)"/)

    served.signal('SIGTERM')
    expect(await soon(served.ended)).to.deep.equal({ code: 0, signal: null })
  })

  it('F-01 ends with one line when the database that comes refuses the password: waiting would not help', async () => {
    const other = new Served({ env: { ...environment(), CAPSTAN_STORE: `mongodb://ada:canary-word@127.0.0.1:${port}/capstan` } })
    const { url } = await other.line('waiting')
    const refusing = await refusingMongo(port)
    try {
      expect(await soon(other.ended, 10_000)).to.deep.equal({ code: 1, signal: null })
      expect(other.err.split('\n').filter((line) => line.startsWith('error:'))).to.have.length(1)
      expect(other.err).to.match(/error: .*CAPSTAN_STORE.*user and password/)
      expect(other.said).not.to.contain('canary')
      expect((await errorOf(send(`${url}/healthz`))).message).to.contain('ECONNREFUSED')
    } finally {
      await other.end()
      await refusing.close()
    }
  })

  it('F-30 SIGTERM ends it at once while it waits', async () => {
    await served.line('waiting')
    served.signal('SIGTERM')
    const { code, signal } = await soon(served.ended)
    expect(signal ?? code).to.be.oneOf([0, 'SIGTERM'])
  })

  it('F-30 SIGHUP, which requests a reload, does not end it while it waits', async () => {
    await served.line('waiting')
    served.signal('SIGHUP')
    await tries(2)
    expect((await served.send('/healthz')).status).to.equal(200)
    expect(served.runs).to.equal(true)
  })

  it('F-30 a signal right behind the line that says it is ready stops it in order: nothing is left for others to sweep', async () => {
    const server = await arrive()
    for (let round = 0; round < 2; round++) {
      const ready = await served.line('ready')
      process.kill(ready.pid, 'SIGTERM')
      expect(await soon(served.ended)).to.deep.equal({ code: 0, signal: null })
      const leases = await (await rawMongo(server.uri('capstan'))).collection('gateways').countDocuments({ ended: { $ne: true } })
      expect(leases, 'leases of a gateway that stopped').to.equal(0)
      if (round > 0) continue
      await served.end()
      served = new Served({ env: environment() })
    }
  })
})

describe('a start that the database leaves in the middle', () => {
  for (const step of ['leases.renew', 'ledger.sweep', 'settings.version'] as const)
    it(`F-01 gives everything back when ${step} fails, so that trying again leaves nothing behind`, async () => {
      const { store, end } = await temporaryStore()
      const [part, name] = step.split('.') as ['leases', 'renew']
      let closed = 0
      const failing = {
        ...store,
        [part]: { ...store[part], [name]: () => Promise.reject(new StoreUnavailable('gone')) },
        close: () => Promise.resolve(void closed++),
      }
      try {
        const error = await errorOf(startGateway({ overrides: { store: failing } }))
        expect(error.name).to.equal('StoreUnavailable')
        expect(closed, 'closed the store').to.equal(1)
      } finally {
        await end()
      }
    })
})
