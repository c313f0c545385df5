import { expect } from 'chai'
import { PUT, READ, SharedSuspensions } from '../../../core/dispatch/suspension-shared.js'
import { Suspensions } from '../../../core/dispatch/suspension.js'
import { Fault, type FaultKind, type FaultOptions } from '../../../core/sdk/index.js'
import { HandClock } from '../../support/outbound.js'
import { ScriptedLink, untilShared } from '../../support/redis.js'
import { useRedis } from '../../support/redis-suite.js'
import { settle } from '../../support/unit.js'
import { until } from '../../support/time.js'

const ID = 'test.echo/acme'

describe('suspensions shared by replicas', function () {
  const { redis, links } = useRedis(this)
  const open: SharedSuspensions[] = []
  afterEach(() => {
    for (const shared of open.splice(0)) shared.close()
  })

  /** A replica with a clock of its own, so that `sync` passes its second. */
  const replica = async (url = redis.url) => {
    const clock = new HandClock()
    clock.advance(60_000)
    const suspensions = new Suspensions(clock)
    const link = await links.open(url)
    const shared = new SharedSuspensions(suspensions, { link, clock, instance: `i${open.length}` })
    open.push(shared)
    const fail = (kind: FaultKind, options: FaultOptions = {}): void =>
      suspensions.failed(ID, new Fault(kind, `it was ${kind}`, options), { started: clock.monotonic(), local: false })
    return { clock, suspensions, link, shared, fail, sync: () => shared.sync() }
  }
  /** Makes the suspension's time be over, for Redis and then for the replicas. */
  const timeOver = async (replicas: readonly { sync: () => Promise<void> }[]): Promise<void> => {
    const value = (await redis.admin.hget('capstan:suspensions', ID)) ?? expect.fail('not suspended')
    await redis.admin.hset('capstan:suspensions', ID, value.replace(/^\d+/, String(Date.now() - 1)))
    for (const { sync } of replicas) await sync()
  }

  it('what one replica finds the others have after their next check, with reason and duration', async () => {
    const [one, two] = [await replica(), await replica()]
    one.fail('quota')
    expect(one.suspensions.admit(ID)).to.equal('suspended')
    expect(two.suspensions.admit(ID)).to.equal('go')
    await one.sync()
    await two.sync()
    expect(two.suspensions.admit(ID)).to.equal('suspended')
    const [seen] = two.suspensions.list()
    expect(seen).to.deep.include({ id: ID, why: 'it was quota', manual: false })
    expect((seen?.until ?? 0) - two.clock.now()).to.be.within(3_598_000, 3_600_000)
  })

  it('a probe that succeeds on one replica brings the vendor back on all', async () => {
    const [one, two] = [await replica(), await replica()]
    one.fail('busy')
    await one.sync()
    await two.sync()
    await timeOver([one, two])
    expect(two.suspensions.admit(ID), 'requests the probe and goes on').to.equal('suspended')
    await settle(20)
    await until(() => two.suspensions.admit(ID) === 'probe')
    two.suspensions.succeeded(ID, two.clock.monotonic())
    await two.sync()
    await one.sync()
    expect([one.suspensions.admit(ID), two.suspensions.admit(ID)]).to.deep.equal(['go', 'go'])
    expect(await redis.admin.exists(`capstan:suspensions:probe:${ID}`)).to.equal(0)
  })

  it('F-18 of eight replicas one probes', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => replica()))
    all[0]?.fail('busy')
    await all[0]?.sync()
    for (const { sync } of all) await sync()
    await timeOver(all)
    const answers: string[] = []
    const over = performance.now() + 300
    while (performance.now() < over) {
      for (const { suspensions } of all) answers.push(suspensions.admit(ID))
      await settle()
    }
    expect(answers.filter((answer) => answer === 'probe')).to.have.length(1)
    expect(answers.filter((answer) => answer === 'go')).to.have.length(0)
  })

  it('a probe that is given up goes to the next call', async () => {
    const [one, two] = [await replica(), await replica()]
    one.fail('busy')
    for (const { sync } of [one, two]) await sync()
    await timeOver([one, two])
    const probe = async ({ suspensions, clock }: typeof one): Promise<void> => {
      await until(() => {
        // A query that Redis answers too late, on a busy machine, is repeated a second later.
        clock.advance(1_000)
        return suspensions.admit(ID) === 'probe'
      })
    }
    await probe(one)
    expect(two.suspensions.admit(ID)).to.equal('suspended')
    await settle(20)
    one.suspensions.abandoned(ID, one.clock.monotonic())
    await probe(two)
  })

  it('a probe that still runs stays the only one: the replica that sent it says so, and no other can', async () => {
    const [one, two] = [await replica(), await replica()]
    one.fail('busy')
    await timeOver([one, two])
    await until(() => one.suspensions.admit(ID) === 'probe')
    const key = `capstan:suspensions:probe:${ID}`
    const left = async (renewing: typeof one): Promise<number> => {
      await redis.admin.pexpire(key, 5_000)
      renewing.suspensions.renew(ID)
      // Commands of a replica are carried out in their order.
      await renewing.sync()
      return await redis.admin.pttl(key)
    }
    expect(await left(one)).to.be.above(20_000)
    two.suspensions.force(ID)
    expect(await left(two)).to.be.within(1, 5_000)
  })

  it('F-18 a probe that fails makes the time longer for all, whichever replica sent it', async () => {
    const [one, two] = [await replica(), await replica()]
    for (let count = 0; count < 5; count++) one.fail('broken')
    for (const { sync } of [one, two]) await sync()
    await timeOver([one, two])
    await until(() => two.suspensions.admit(ID) === 'probe')
    two.fail('broken')
    for (const { sync } of [two, one]) await sync()
    const [seen] = one.suspensions.list()
    expect((seen?.until ?? 0) - one.clock.now(), 'the second round').to.be.within(58_000, 60_000)
    expect(await redis.admin.exists(`capstan:suspensions:probe:${ID}`), 'the claim is over with the probe').to.equal(0)
  })

  it("an operator's suspension is not shared through Redis, and overrides whatever Redis says", async () => {
    const [one, two] = [await replica(), await replica()]
    one.suspensions.suspend(ID, 'costs too much')
    await one.sync()
    expect(await redis.admin.hexists('capstan:suspensions', ID)).to.equal(0)
    two.fail('quota')
    for (const { sync } of [two, one]) await sync()
    expect(one.suspensions.list()).to.deep.equal([{ id: ID, why: 'costs too much', until: Infinity, manual: true }])
    two.suspensions.resume(ID)
    for (const { sync } of [two, one]) await sync()
    expect(one.suspensions.list()).to.deep.equal([{ id: ID, why: 'costs too much', until: Infinity, manual: true }])
    one.suspensions.setManual(new Map())
    expect(one.suspensions.admit(ID)).to.equal('go')
  })

  it('an entry in another form counts for nothing and keeps nobody from the probe', async () => {
    await redis.admin.hset('capstan:suspensions', ID, `v2 ${Date.now() + 1e12} 0 costs too much`)
    const [one, two] = [await replica(), await replica()]
    for (const { sync } of [one, two]) await sync()
    expect([one.suspensions.admit(ID), two.suspensions.admit(ID)]).to.deep.equal(['go', 'go'])
    one.fail('busy')
    for (const { sync } of [one, two]) await sync()
    expect(two.suspensions.list()[0]?.why).to.equal('it was busy')
    await timeOver([one, two])
    await until(() => two.suspensions.admit(ID) === 'probe')
  })

  it('what the operator resumes is back on all replicas, also where it is not known that it was suspended', async () => {
    const [one, two] = [await replica(), await replica()]
    one.fail('quota')
    for (const { sync } of [one, two]) await sync()
    const three = await replica()
    three.suspensions.resume(ID)
    for (const { sync } of [three, one, two]) await sync()
    expect([one.suspensions.admit(ID), two.suspensions.admit(ID)]).to.deep.equal(['go', 'go'])
  })

  it('the longer suspension wins, whoever wrote it', async () => {
    const [one, two] = [await replica(), await replica()]
    one.fail('quota')
    await one.sync()
    two.fail('busy')
    await two.sync()
    await two.sync()
    expect(two.suspensions.list()[0]?.why).to.equal('it was quota')
  })

  it('F-15 a Redis that forgets does not end suspensions: a replica that has them writes them again', async () => {
    const [one, two] = [await replica(), await replica()]
    one.fail('quota')
    for (const { sync } of [one, two]) await sync()
    await redis.admin.flushall()
    for (const { sync } of [two, one, two]) await sync()
    const three = await replica()
    await three.sync()
    for (const { suspensions } of [one, two, three]) expect(suspensions.list()[0]?.why).to.equal('it was quota')
  })

  it('F-12 without Redis each decides alone, and reports to the others afterwards', async () => {
    const proxy = await links.proxy(redis)
    const [one, two] = [await replica(proxy.url), await replica()]
    await proxy.down()
    await untilShared(one.link, false)
    one.fail('busy')
    await one.sync()
    one.clock.advance(5_000)
    expect(one.suspensions.admit(ID), 'without a query').to.equal('probe')
    one.fail('quota')
    await proxy.up()
    await untilShared(one.link, true)
    for (const { sync } of [one, two]) await sync()
    expect(two.suspensions.list()[0]?.why).to.equal('it was quota')
  })

  it('a check every second writes and reads, one at a time', async () => {
    const clock = new HandClock()
    const link = new ScriptedLink()
    const suspensions = new Suspensions(clock)
    const shared = new SharedSuspensions(suspensions, { link, clock, instance: 'i' })
    open.push(shared)
    clock.advance(1_000)
    await settle()
    expect(link.commands.map(({ script }) => script)).to.deep.equal([READ])
    link.commands.length = 0
    suspensions.failed(ID, new Fault('quota', 'x'.repeat(1_000)), { started: clock.monotonic(), local: false })
    for (let count = 0; count < 50; count++) suspensions.failed(ID, new Fault('quota', 'x'), { started: clock.monotonic(), local: false })
    await settle()
    const puts = link.commands.filter(({ script }) => script === PUT)
    expect(puts.length, 'many changes while one is written are written once').to.be.at.most(2)
    expect(String(puts[0]?.args[3]).length).to.equal(300)
    shared.close()
    link.commands.length = 0
    clock.advance(10_000)
    await settle()
    expect(link.commands).to.have.length(0)
  })

  it('what another version wrote is left alone', async () => {
    const one = await replica()
    await redis.admin.hset('capstan:suspensions', { 'test.echo/a': 'nonsense', 'test.echo/b': '', epoch: 'e' })
    await one.sync()
    expect(one.suspensions.list()).to.deep.equal([])
    expect(one.suspensions.admit('test.echo/a')).to.equal('go')
  })
})
