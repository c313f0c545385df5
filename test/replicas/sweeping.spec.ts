import { expect } from 'chai'
import { call, Site, type Replica } from '../support/replicas.js'
import type { Reply } from '../support/gateway.js'
import { Stage } from '../support/stage.js'

/** A lease is dead this long after it was last renewed. */
const LEASE_MS = 20_000
/** Longest time between two sweeps of a replica. */
const SWEEP_MS = 6_000
/** The call limit of the test capability, the grace of a hold's deadline and that of the sweeper. */
const HOLD_MS = 5_000 + 30_000 + 30_000

describe('replicas that sweep and publish at the same time', function () {
  this.timeout(60_000)
  const site = new Site()
  const stage = new Stage()
  const script = { 'test.echo': [stage.vendor('one')] }
  let replicas: Replica[]
  let doomed: Replica
  let key: string
  before(async function () {
    await site.open(this)
  })
  beforeEach(async () => {
    await site.empty()
    replicas = await site.start(4, { script })
    doomed = replicas.pop() ?? expect.fail('no replica')
    key = (await at(0).newKey()).key
    for (const replica of [...replicas, doomed]) expect((await call(replica, key)).status).to.equal(200)
    await site.flush()
  })
  afterEach(async () => {
    stage.release()
    await site.end()
  })
  after(() => site.close())

  const at = (index: number): Replica => replicas[index] ?? expect.fail('no replica')
  const leases = async (): Promise<string[]> => (await site.gateways()).filter(({ ended }) => ended !== true).map(({ _id }) => String(_id))
  const refunds = async () => (await site.entries()).filter(({ kind }) => kind === 'refund')
  const money = () => at(0).money()
  /** The others find out that it is dead and do what is to be done. */
  const bury = (what: string, holds: () => Promise<boolean>, withinMs = LEASE_MS + SWEEP_MS): Promise<number> =>
    site.passUntil(holds, { what, withinMs })

  it('L7 L8 charges whose answers a dead replica never marked are given back once each, though all others sweep at the same moment', async () => {
    const before = (await money()).balance
    for (let each = 0; each < 6; each++) expect((await call(doomed, key)).status).to.equal(200)
    site.halt(doomed)
    expect((await money()).balance).to.equal(before - 6)
    await bury('six refunds', async () => (await refunds()).length === 6)
    await site.pass(3 * SWEEP_MS, SWEEP_MS)
    expect(await refunds()).to.have.length(6)
    expect((await money()).balance).to.equal(before)
    expect(await leases(), 'the lease of the dead is gone').to.have.length(3)
  })

  it('all replicas sweep at the same instant, ten times: nothing is released or refunded twice', async () => {
    const before = await money()
    const running = [call(doomed, key, { text: 'wait' }), call(doomed, key, { text: 'wait' })]
    await stage.until(() => stage.waiting === 2)
    for (let each = 0; each < 3; each++) expect((await call(doomed, key)).status).to.equal(200)
    const instance = (await site.entries()).at(-1)?.owner ?? ''
    site.halt(doomed)
    const sweep = { now: site.now() + HOLD_MS + 1, graceMs: 30_000, deadOwners: [instance] }
    const rounds = Array.from({ length: 10 }, (_, round) => round)
    const reports = await Promise.all(
      rounds.flatMap(() => replicas.map(({ app }, index) => app.services.store.ledger.sweep({ ...sweep, owner: `replica ${index}` }))),
    )
    const sum = (field: 'released' | 'refunded'): number => reports.reduce((total, report) => total + report[field], 0)
    expect([sum('released'), sum('refunded')]).to.deep.equal([2, 3])
    expect(await money()).to.deep.equal(before)
    stage.release()
    for (const reply of await Promise.all(running)) expect(reply.status, 'swept under its feet: not answered as a success').to.equal(503)
    expect(await money()).to.deep.equal(before)
  })

  it('L9 N-12 the hold of a dead replica is released between its deadline with grace and one sweep later', async () => {
    const [before, started] = [await money(), site.now()]
    const lost = call(doomed, key, { text: 'wait' })
    await stage.until(() => stage.waiting === 1)
    site.halt(doomed)
    await site.pass(HOLD_MS - 1_000, 3_000)
    expect((await money()).held, 'not before').to.equal(1)
    await bury('no open hold', async () => (await money()).held === 0, 1_000 + 2 * SWEEP_MS)
    expect(site.now() - started).to.be.at.most(HOLD_MS + 15_000)
    const entry = (await site.entries()).find(({ kind, note }) => kind === 'release' && note === 'deadline passed')
    expect(entry?.facts, 'the history says what call it was').to.include({ endpoint: '/v1/test/echo', status: 503, error: 'transient' })
    expect(await money()).to.deep.equal(before)
    stage.release()
    expect((await lost).status, 'the replica that slept finds its hold gone').to.equal(503)
    expect(await money()).to.deep.equal(before)
  })

  it('N-13 money that a dead replica holds makes no false 402 once its deadline is over, even before a sweep', async () => {
    const { id, key: poor } = await at(0).newAccount(1)
    const lost = call(doomed, poor, { text: 'wait' })
    await stage.until(() => stage.waiting === 1)
    site.halt(doomed)
    expect((await call(at(1), poor)).status).to.equal(402)
    // The clocks of the others are not moved, so that nobody sweeps: the hold itself finds what is overdue.
    const holder = (await site.documents('accounts')).find(({ _id }) => _id === id)
    const [hold] = Object.keys(holder?.holds as object)
    await (await site.collection('accounts')).updateOne({ _id: id }, { $set: { [`holds.${hold}.dl`]: site.now() - 1 } })
    expect((await call(at(1), poor)).status).to.equal(200)
    stage.release()
    expect((await lost).status).to.equal(503)
    expect((await at(0).money(id)).balance).to.equal(0)
  })

  it('an answer kept under an Idempotency-Key is not given back when its replica dies, and its replay costs nothing more', async () => {
    const before = (await money()).balance
    const headers = { 'idempotency-key': 'kept' }
    const first = await call(doomed, key, { headers })
    expect((await call(doomed, key)).status).to.equal(200)
    site.halt(doomed)
    await bury('one refund', async () => (await refunds()).length === 1)
    await site.pass(2 * SWEEP_MS, SWEEP_MS)
    expect((await money()).balance).to.equal(before - 1)
    const replay = await call(at(2), key, { headers })
    expect([replay.text === first.text, replay.headers['idempotent-replayed']]).to.deep.equal([true, 'true'])
    await site.flush()
    expect((await money()).balance).to.equal(before - 1)
    expect(await refunds()).to.have.length(1)
  })

  it('an answer kept for a hold that was swept meanwhile is charged by the replay, once over all replicas', async () => {
    const headers = { 'idempotency-key': 'late' }
    const before = (await money()).balance
    const first = await call(doomed, key, { headers })
    const hold = (await site.entries()).at(-1)?.ref ?? ''
    // As if it had died between keeping the answer and charging for it.
    const accounts = await site.collection('accounts')
    await accounts.updateOne({ _id: 'default' }, [
      {
        $set: {
          bal: { $add: ['$bal', 1000] },
          avail: { $add: ['$avail', 1000] },
          out: {
            $map: {
              input: '$out',
              as: 'e',
              in: { $cond: [{ $eq: ['$$e.ref', hold] }, { $mergeObjects: ['$$e', { kind: 'release', amt: 0 }] }, '$$e'] },
            },
          },
        },
      },
    ])
    site.halt(doomed)
    const replays = await Promise.all([...replicas, ...replicas].map((replica) => call(replica, key, { headers })))
    for (const { status, text } of replays) expect([status, text === first.text]).to.deep.equal([200, true])
    expect((await money()).balance).to.equal(before - 1)
    expect((await site.entries()).filter(({ ref }) => ref === `late:${hold}`)).to.have.length(1)
  })

  it('a replica that slept past its lease goes on afterwards: it takes a new lease, and marks nothing that was given back', async () => {
    const before = (await money()).balance
    expect((await call(doomed, key)).status).to.equal(200)
    site.halt(doomed)
    await bury('a refund', async () => (await refunds()).length === 1)
    await site.wake(doomed)
    await site.flush()
    await site.passUntil(async () => (await leases()).length === 4, { what: 'its lease', withinMs: 2 * SWEEP_MS })
    expect((await call(doomed, key)).status).to.equal(200)
    await site.flush()
    await site.pass(LEASE_MS + SWEEP_MS, 3_000)
    expect(await refunds()).to.have.length(1)
    expect((await money()).balance).to.equal(before - 1)
    const delivered = (await site.entries()).filter(({ kind }) => kind === 'charge').map((entry) => entry.delivered)
    expect(delivered).to.have.members([...Array.from({ length: 5 }, () => true), null])
  })

  it('a replica that ends in good order leaves nothing to sweep', async () => {
    const last = await site.replica({ script })
    expect((await call(last, key)).status).to.equal(200)
    await site.leave(last)
    expect(await leases()).to.have.length(4)
    await site.pass(LEASE_MS + SWEEP_MS, 3_000)
    expect(await refunds()).to.have.length(0)
  })

  it('L4 L10 all replicas publish one account at the same moment, while calls go on: each entry once, each counted once', async () => {
    const replies: Reply[] = []
    for (let round = 0; round < 6; round++) {
      const calls = [...replicas, ...replicas].map((replica) => call(replica, key))
      await Promise.all([...calls.map(async (reply) => replies.push(await reply)), site.flush(), site.flush()])
      await site.flush()
    }
    expect(replies.every(({ status }) => status === 200)).to.equal(true)
    const entries = await site.documents('entries')
    expect(entries.map(({ seq }) => Number(seq)).sort((a, b) => a - b)).to.deep.equal(
      Array.from({ length: entries.length }, (_, at) => at + 1),
    )
    const [{ calls, credits } = { calls: 0, credits: 0 }] = await at(2).app.services.store.history.usage({
      account: 'default',
      sinceDay: new Date(site.now() - 86_400_000).toISOString().slice(0, 10),
    })
    expect([calls, credits]).to.deep.equal([4 + replies.length, 1000 * (4 + replies.length)])
  })

  it('what is left unpublished by a dead replica is published by the others, refused counters of all are summed', async () => {
    for (const replica of [...replicas, doomed]) await replica.send('/v1/test/echo', { body: { text: '' }, key })
    await site.flush()
    expect((await call(doomed, key, { text: 'missing' })).status).to.equal(422)
    site.halt(doomed)
    await bury('an empty list', async () => ((await site.documents('accounts'))[0]?.out as unknown[]).length === 0)
    const reply = await at(0).send('/v1/calls/stats?days=1', { key })
    expect(reply.json<{ totals: object }>().totals).to.deep.equal({ calls: 9, successes: 4, errors: 5, credits: 4 })
  })

  it('a grant sent to all replicas at once under one reference is posted once', async () => {
    const grant = (replica: Replica) => replica.admin('POST', '/admin/v1/accounts/default/grants', { amount: 7, ref: 'order-7' })
    const before = (await money()).balance
    const replies = await Promise.all([...replicas, ...replicas, ...replicas].map(grant))
    expect(replies.map(({ status }) => status)).to.deep.equal(replies.map(() => 200))
    expect(replies.filter((reply) => reply.json<{ applied: boolean }>().applied)).to.have.length(1)
    expect((await money()).balance).to.equal(before + 7)
  })
})
