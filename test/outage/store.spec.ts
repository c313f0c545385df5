import { expect } from 'chai'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditMongo } from '../../scripts/capstan/audit/mongodb.js'
import { openMongoStore } from '../../core/store/mongodb/store.js'
import { send, type Reply } from '../support/gateway.js'
import { needsOwnMongo, rawMongo } from '../support/mongodb.js'
import { MongoServer } from '../support/mongodb-server.js'
import { expectProblem } from '../support/problem.js'
import { Served, soon, Upstream } from '../support/served.js'
import { until, waited } from '../support/time.js'

const CREDITS = 1_000
const CALLERS = 100
/** N-19: a charged call is answered within this while the database is away, and served again within the other, in milliseconds. */
const ANSWER_MS = 1_200
const RECOVERY_MS = 3_000
/** How long the database stays away after the first hundred calls, in milliseconds; CAPSTAN_TEST_OUTAGE=30 is the half minute of N-19. */
const AWAY_MS = 1_000 * Number(process.env.CAPSTAN_TEST_OUTAGE ?? 0)

interface Timed {
  readonly reply: Reply
  /** Without what the machine was late by. */
  readonly ms: number
}

async function timed(work: () => Promise<Reply>): Promise<Timed> {
  const { result: reply, own: ms } = await waited(work)
  return { reply, ms }
}

/** The same from many callers at once. */
async function together(count: number, work: () => Promise<Reply>): Promise<Timed[]> {
  const one = async (): Promise<Timed> => {
    const began = performance.now()
    const reply = await work()
    return { reply, ms: performance.now() - began }
  }
  const { result, all, own } = await waited(() => Promise.all(Array.from({ length: count }, one)))
  return result.map(({ reply, ms }) => ({ reply, ms: ms - (all - own) }))
}

function longest(all: readonly Timed[]): number {
  return Math.max(...all.map(({ ms }) => ms))
}

describe('a gateway whose database goes away while it serves', function () {
  this.timeout(120_000 + 2 * AWAY_MS)
  let program: string
  let upstream: Upstream
  let folder: string
  let server: MongoServer
  let served: Served
  let account: { id: string; key: string }
  let cold: { key: string }
  /** Answers 200 of paid calls of the account. */
  let paid: number

  const call = async (headers: Record<string, string> = {}): Promise<Reply> => {
    const reply = await served.call(account.key, 'hello', headers)
    if (reply.status === 200 && reply.headers['idempotent-replayed'] === undefined) paid++
    return reply
  }
  const again = async (): Promise<void> => void (server = await MongoServer.start({ program, port: server.port, folder }))
  /** Milliseconds until a paid call succeeds, without what the machine was late by. */
  const recovery = async (): Promise<number> => {
    const { own } = await waited(async () => {
      await until(async () => (await call()).status === 200, 60_000)
    })
    return own
  }
  /** Lets the vendor answer the calls that are running, and says how long they then take to fail, in milliseconds. */
  const failing = async (running: Promise<readonly Timed[]>): Promise<number> => {
    const { own } = await waited(async () => {
      upstream.release()
      for (const { reply } of await running) expectProblem(reply, 'store-unavailable')
    })
    return own
  }
  /** The ledger once the gateway has gone and its lease has run out, as the sweep of another one leaves it, and how much that one had to do. */
  const books = async (): Promise<{ swept: number; balance: number; held: number; open: number; problems: readonly string[] }> => {
    const uri = server.uri('capstan')
    const store = await openMongoStore({ uri })
    try {
      const later = Date.now() + 3_600_000
      let swept = 0
      for (let more = true; more;) {
        const report = await store.ledger.sweep({ now: later, graceMs: 0, owner: 'test', deadOwners: await store.leases.dead(later) })
        more = report.released + report.refunded > 0
        swept += report.released + report.refunded
      }
      const { balance = NaN, held = NaN, open = NaN } = (await store.ledger.balance(account.id)) ?? {}
      return { swept, balance: balance / 1000, held: held / 1000, open, problems: (await auditMongo({ uri })).problems }
    } finally {
      await store.close()
    }
  }
  /** What must hold of every call while the database is away, of one alone and of a hundred at once. */
  const away = async (): Promise<void> => {
    const busy = longest(await together(CALLERS, () => served.send('/healthz')))
    const all = await together(CALLERS, () => call())
    for (const { reply } of all) expectProblem(reply, 'store-unavailable')
    expect(longest(all) - busy, `the longest of ${CALLERS} at once, without what ${CALLERS} answers cost by themselves`).to.be.below(
      ANSWER_MS,
    )
    for (const key of [account.key, cold.key]) {
      const { reply, ms } = await timed(() => served.call(key))
      expectProblem(reply, 'store-unavailable')
      expect(ms, 'one alone').to.be.below(ANSWER_MS)
    }
  }

  /** Calls without a pause for as long as the database stays away. */
  const stayAway = async (): Promise<void> => {
    const end = performance.now() + AWAY_MS
    while (performance.now() < end) {
      const { reply, ms } = await timed(() => call())
      expectProblem(reply, 'store-unavailable')
      expect(ms).to.be.below(ANSWER_MS)
    }
  }

  before(async function () {
    program = needsOwnMongo(this)
    upstream = await Upstream.start()
  })
  after(async () => await upstream?.close())
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-outage-'))
    server = await MongoServer.start({ program, folder })
    served = new Served({ env: { ...upstream.env, CAPSTAN_STORE: server.uri('capstan') } })
    await served.line('ready')
    account = await served.account(CREDITS)
    cold = await served.account(1)
    paid = 0
    for (let count = 0; count < 3; count++) expect((await call()).status).to.equal(200)
  })
  afterEach(async () => {
    upstream.release()
    await served.end()
    await server.end()
    rmSync(folder, { recursive: true, force: true })
  })

  it('F-02 N-19 killed: 503 within 1.2 s, free routes answer, back within 3 s, and the books agree with what callers saw', async () => {
    upstream.keep()
    const running = Promise.all([together(5, () => call()), together(1, () => call({ 'idempotency-key': 'outage-1' }))])
    await upstream.waiting(6)
    server.signal('SIGKILL')
    expect(await failing(running.then((all) => all.flat())), 'calls that were running').to.be.below(ANSWER_MS)

    await away()
    await stayAway()
    for (const path of [
      '/healthz',
      '/v1/tools',
      '/v1/capabilities',
      '/v1/openapi.json',
      '/llms.txt',
      '/errors',
      '/errors/store-unavailable',
    ])
      expect((await served.send(path)).status, path).to.equal(200)
    expectProblem(await served.send('/v1/account', { key: account.key }), 'store-unavailable')
    expectProblem(await served.admin('GET', '/admin/v1/accounts'), 'store-unavailable')
    expect((await served.send('/readyz')).status).to.equal(503)
    const { reply: ready, ms } = await timed(() => send(`${served.adminUrl}/readyz`))
    expect([ready.status, ms < ANSWER_MS]).to.deep.equal([503, true])
    expect(ready.json<{ checks: unknown[] }>().checks).to.deep.include({ name: 'store', ok: false, detail: 'does not answer' })

    await again()
    expect(await recovery()).to.be.below(RECOVERY_MS)
    expect((await send(`${served.adminUrl}/readyz`)).status).to.equal(200)
    expect((await served.call(cold.key)).status, 'a key first seen in the outage').to.equal(200)
    expectProblem(await call({ 'idempotency-key': 'outage-1' }), 'idempotency-conflict', { retriable: true })

    served.signal('SIGTERM')
    expect(await soon(served.ended)).to.deep.equal({ code: 0, signal: null })
    expect(await books()).to.deep.equal({ swept: 0, balance: CREDITS - paid, held: 0, open: 0, problems: [] })
  })

  it('F-03 N-19 hung for seconds under load: 503 within 1.2 s, back within 3 s, and what it carries out late costs nobody anything', async () => {
    upstream.keep()
    const running = together(5, () => call())
    await upstream.waiting(5)
    server.signal('SIGSTOP')
    expect(await failing(running), 'calls that were running').to.be.below(ANSWER_MS)
    await away()
    await stayAway()
    server.signal('SIGCONT')
    expect(await recovery()).to.be.below(RECOVERY_MS)
    for (let count = 0; count < 10; count++) expect((await call()).status).to.equal(200)

    served.signal('SIGTERM')
    expect(await soon(served.ended)).to.deep.equal({ code: 0, signal: null })
    expect(await books()).to.deep.include({ balance: CREDITS - paid, held: 0, open: 0, problems: [] })
  })

  it('F-02 F-30 SIGTERM ends it in order while the database is away', async () => {
    const gateways = (await rawMongo(server.uri('capstan'))).collection('gateways')
    const settled = async () =>
      (await gateways.find().toArray()).reduce((sum, { upto = 0, open = [] }) => sum + Number(upto) - (open as number[]).length, 0)
    // A mark that is not written yet would be a refund: in the caller's favour, and not what this is about.
    await until(async () => (await settled()) >= paid)
    server.signal('SIGKILL')
    expectProblem(await call(), 'store-unavailable')
    served.signal('SIGTERM')
    const ended = await soon(served.ended, 10_000)
    expect(ended).to.deep.equal({ code: 0, signal: null })
    await again()
    expect(await books()).to.deep.equal({ swept: 0, balance: CREDITS - paid, held: 0, open: 0, problems: [] })
  })
})
