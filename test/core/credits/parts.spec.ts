import { expect } from 'chai'
import { AccountService } from '../../../core/credits/account-service.js'
import { Lease } from '../../../core/credits/lease.js'
import { Sweeper } from '../../../core/credits/sweeper.js'
import { Problem } from '../../../core/problems/problem.js'
import { StoreUnavailable, type LeaseStore, type LedgerStore, type Store } from '../../../core/store/types.js'
import { logInto, type LogLine } from '../../support/log-lines.js'
import { HandClock } from '../../support/outbound.js'
import { temporaryStore } from '../../support/store.js'
import { errorOf, settle } from '../../support/unit.js'

describe('the sweeper', () => {
  function parts(shared = false) {
    const hand = new HandClock()
    const sweeps: { now: number; graceMs: number; deadOwners: unknown }[] = []
    const logs: string[] = []
    const ledger = {
      sweep: (request: (typeof sweeps)[number]) => (
        sweeps.push(request),
        Promise.resolve({ released: sweeps.length === 1 ? 2 : 0, refunded: 0, idempotency: 0, leases: 0, aside: [...aside] })
      ),
    } as unknown as LedgerStore
    const aside: { account: string; error: string }[] = []
    const taken: unknown[] = []
    const lease = { free: true }
    const leases = {
      dead: () => Promise.resolve(['gone']),
      take: (...given: unknown[]) => (taken.push(given), Promise.resolve(lease.free)),
    } as unknown as LeaseStore
    const sweeper = new Sweeper({ ledger, leases, shared }, hand, {
      instance: 'gw',
      log: (_level, message) => void logs.push(message),
      random: () => 0.5,
    })
    return { hand, sweeper, sweeps, logs, aside, taken, lease }
  }

  it('sweeps up after every gateway before it, then every five seconds with grace', async () => {
    const { hand, sweeper, sweeps, logs } = parts()
    await sweeper.start()
    // A sweep takes a bounded number, so it is repeated until it reports nothing.
    expect(sweeps).to.have.length(2)
    expect(sweeps[0]).to.deep.include({ graceMs: 0, deadOwners: 'all-but-owner' })
    expect(logs).to.deep.equal(['released holds and refunded charges of a previous process'])
    hand.advance(5_000)
    await settle()
    expect(sweeps[2]).to.deep.include({ graceMs: 30_000, deadOwners: ['gone'] })
  })

  it('where others may be alive takes only what those left whose lease ran out, and lets no start wait for it', async () => {
    const { hand, sweeper, sweeps } = parts(true)
    await sweeper.start()
    expect(sweeps).to.have.length(0)
    hand.advance(5_000)
    await settle()
    expect(sweeps[0]).to.deep.include({ graceMs: 30_000, deadOwners: ['gone'] })
    sweeper.close()
  })

  it('of several gateways only the one with the lease sweeps', async () => {
    const { hand, sweeper, sweeps, taken, lease } = parts(true)
    await sweeper.start()
    lease.free = false
    hand.advance(5_000)
    await settle()
    expect(sweeps).to.have.length(0)
    expect(taken).to.deep.equal([['sweeper', 'gw', hand.now(), 15_000]])
    lease.free = true
    hand.advance(5_000)
    await settle()
    expect(sweeps).to.have.length(1)
    sweeper.close()
  })

  it('says once that an account is set aside and once that it is back, and counts them while it is the one that sweeps', async () => {
    const { hand, sweeper, logs, aside, lease } = parts(true)
    await sweeper.start()
    const round = async (): Promise<void> => {
      hand.advance(5_000)
      await settle()
    }
    await round()
    logs.length = 0
    aside.push({ account: 'a', error: 'x' }, { account: 'b', error: 'y' })
    for (let count = 0; count < 3; count++) await round()
    expect(sweeper.aside).to.equal(2)
    aside.shift()
    await round()
    expect(sweeper.aside).to.equal(1)
    expect(logs).to.deep.equal(['account set aside', 'account set aside', 'account no longer set aside'])
    lease.free = false
    await round()
    expect([sweeper.aside, logs.length]).to.deep.equal([0, 3])
    sweeper.close()
  })

  for (const ms of [3_600_000, -3_600_000, 5_001])
    it(`T-75 F-34 a clock that jumps by ${ms} ms stops the sweeping for a minute`, async () => {
      const { hand, sweeper, sweeps, logs } = parts()
      await sweeper.start()
      hand.jump(ms)
      for (let round = 0; round < 12; round++) {
        hand.advance(5_000)
        await settle()
      }
      expect(sweeps, 'first minute').to.have.length(2)
      expect(logs.filter((line) => line.includes('jumped'))).to.have.length(1)
      hand.advance(5_000)
      await settle()
      expect(sweeps, 'afterwards').to.have.length(3)
    })

  it('T-75 F-34 small jumps that add up to more than five seconds stop it too', async () => {
    const { hand, sweeper, sweeps, logs } = parts()
    await sweeper.start()
    for (let round = 0; round < 2; round++) {
      hand.jump(3_000)
      hand.advance(5_000)
      await settle()
    }
    expect(sweeps, 'the first three seconds are drift').to.have.length(3)
    expect(logs.filter((line) => line.includes('jumped'))).to.have.length(1)
  })

  it('F-34 small drift does not stop it; a failing sweep is said and tried again; after the close nobody sweeps', async () => {
    const { hand, sweeper, sweeps, logs } = parts()
    await sweeper.start()
    hand.jump(4_999)
    hand.advance(5_000)
    await settle()
    expect(sweeps).to.have.length(3)
    sweeps.push = () => {
      throw new Error('away')
    }
    hand.advance(5_000)
    await settle()
    expect(logs.at(-1)).to.equal('the sweep failed and will be tried again')
    sweeper.close()
    const before = logs.length
    hand.advance(60_000)
    await settle()
    expect(logs).to.have.length(before)
  })
})

describe('the lease of a gateway', () => {
  it('says that the database is away at every renewal that fails for it, and that it answers at every other', async () => {
    const clock = new HandClock()
    let away = false
    const renew = (): Promise<void> => (away ? Promise.reject(new StoreUnavailable('out of reach')) : Promise.resolve())
    const store = { renew, end: () => Promise.resolve(true) } as unknown as LeaseStore
    const lines: LogLine[] = []
    const lease = new Lease(store, clock, { instance: 'gw', log: logInto(lines) })
    await lease.start()
    for (const is of [true, true, false]) {
      away = is
      clock.advance(5_000)
      await settle()
    }
    expect(lines.map(({ event, fields }) => [event, fields['error']])).to.deep.equal([
      ['store-away', 'out of reach'],
      ['store-away', 'out of reach'],
      ['store-back', undefined],
    ])
    await lease.end({ unsettled: 0 })
  })

  it('is renewed every five seconds for twenty, also while a renewal is slow or fails, and given back at the end', async () => {
    const hand = new HandClock()
    const clock = { now: () => hand.now(), monotonic: () => hand.monotonic(), after: hand.after.bind(hand), every: hand.every.bind(hand) }
    const renewals: [number, number][] = []
    const ended: string[] = []
    let settled = true
    const logs: string[] = []
    let answer: () => Promise<void> = () => Promise.resolve()
    const store = {
      renew: (_instance: string, now: number, ttl: number) => (renewals.push([now, ttl]), answer()),
      end: (instance: string) => (ended.push(instance), Promise.resolve(settled)),
    } as unknown as LeaseStore
    const lease = new Lease(store, clock, { instance: 'gw', log: (event, message) => void (event === 'store-back' || logs.push(message)) })
    const begin = hand.now()
    await lease.start()
    answer = () => Promise.reject(new Error('away'))
    hand.advance(5_000)
    await settle()
    expect(logs).to.deep.equal(['the lease of this gateway could not be renewed and will be tried again'])
    let finish: () => void = () => undefined
    answer = () => new Promise<void>((resolve) => void (finish = resolve))
    hand.advance(5_000)
    await settle()
    hand.advance(5_000)
    await settle()
    expect(renewals, 'one at a time').to.have.length(3)
    finish()
    await settle()
    answer = () => Promise.resolve()
    hand.advance(5_000)
    await settle()
    expect(renewals.map(([now, ttl]) => [now - begin, ttl])).to.deep.equal([
      [0, 20_000],
      [5_000, 20_000],
      [10_000, 20_000],
      [20_000, 20_000],
    ])
    await lease.end({ unsettled: 0 })
    expect(ended).to.deep.equal(['gw'])
    expect(logs).to.have.length(1)
    settled = false
    await lease.end({ unsettled: 0 })
    await lease.end({ unsettled: 2 })
    expect(ended, 'what is left to do keeps the lease').to.have.length(2)
    expect(logs.slice(1)).to.deep.equal(Array(2).fill('the lease was left to expire: a sweeper will settle what this gateway could not'))
    hand.advance(60_000)
    expect(renewals).to.have.length(4)
  })
})

describe('the account desk', () => {
  let store: Store
  let end: () => Promise<void>
  let desk: AccountService
  beforeEach(async () => {
    ;({ store, end } = await temporaryStore())
    desk = new AccountService(store, new HandClock())
  })
  afterEach(() => end())
  const slugOf = async (work: Promise<unknown>): Promise<string> => {
    const error = await errorOf(work)
    return error instanceof Problem ? error.slug : String(error)
  }
  const actions = async (): Promise<string[]> =>
    (await store.settings.auditLog({ limit: 50, offset: 0 })).map(({ actor, action }) => `${actor} ${action}`).sort()

  it('makes an account whose opening balance is a grant, both in the audit log', async () => {
    const { id } = await desk.create('First Last', 12.5, 'admin')
    expect(await desk.show(id)).to.deep.include({
      name: 'First Last',
      balance: 12.5,
      held: 0,
      available: 12.5,
      overage_limit: 0,
      disabled: false,
    })
    expect(await desk.list({ limit: 10, offset: 0 })).to.deep.equal([{ id, name: 'First Last', balance: 12.5, held: 0, available: 12.5 }])
    expect((await desk.find('First Last')).id).to.equal(id)
    expect(await actions()).to.deep.equal(['admin account.create', 'admin credits.grant'])
  })

  it('T-64 refuses impossible amounts before anything is made', async () => {
    for (const credits of [NaN, Infinity, 0.0001, 1e12, -5])
      expect(await slugOf(desk.create('x', credits, 'admin')), String(credits)).to.equal('validation-failed')
    expect(await desk.list({ limit: 10, offset: 0 })).to.deep.equal([])
    expect(await actions()).to.deep.equal([])
    const { id } = await desk.create('y', 0, 'admin')
    for (const amount of [NaN, 0, -0, 0.00001, Infinity])
      expect(await slugOf(desk.grant(id, { amount, ref: 'r', actor: 'a' })), String(amount)).to.equal('validation-failed')
    for (const overage_limit of [NaN, -1, 0.0001])
      expect(await slugOf(desk.change(id, { overage_limit }, 'a')), String(overage_limit)).to.equal('validation-failed')
    expect((await desk.show(id)).balance).to.equal(0)
  })

  it('T-62 grants once for each reference, and refuses the reference with another amount', async () => {
    const { id } = await desk.create('x', 0, 'admin')
    expect(await desk.grant(id, { amount: 5, ref: 'r1', actor: 'a' })).to.deep.equal({ account: id, ref: 'r1', balance: 5, applied: true })
    expect(await desk.grant(id, { amount: 5, ref: 'r1', actor: 'a' })).to.deep.include({ balance: 5, applied: false })
    expect(await slugOf(desk.grant(id, { amount: 6, ref: 'r1', actor: 'a' }))).to.equal('conflict')
    expect((await actions()).filter((line) => line.endsWith('credits.grant'))).to.have.length(1)
  })

  it('takes a correction down to what is there and no further', async () => {
    const { id } = await desk.create('x', 5, 'admin')
    expect(await desk.grant(id, { amount: -3, ref: 'c1', actor: 'a' })).to.deep.include({ balance: 2 })
    expect(await slugOf(desk.grant(id, { amount: -3, ref: 'c2', actor: 'a' }))).to.equal('conflict')
    await desk.change(id, { overage_limit: 1 }, 'a')
    expect(await slugOf(desk.grant(id, { amount: -3, ref: 'c3', actor: 'a' })), 'the overage is not to be taken').to.equal('conflict')
    expect(await desk.grant(id, { amount: -2, ref: 'c4', actor: 'a' })).to.deep.include({ balance: 0 })
    expect((await actions()).filter((line) => line === 'a credits.adjust')).to.have.length(2)
  })

  it('changes name, concurrency and state, one audit entry each, and says what is not there', async () => {
    const { id } = await desk.create('x', 0, 'admin')
    expect(await desk.change(id, { name: 'z', concurrency: 3, disabled: true }, 'b')).to.deep.include({
      name: 'z',
      concurrency: 3,
      disabled: true,
    })
    expect(await desk.change(id, { concurrency: null, disabled: false }, 'b')).to.deep.include({ concurrency: null, disabled: false })
    expect((await actions()).filter((line) => line === 'b account.change')).to.have.length(2)
    const works = [desk.show('no'), desk.find('no'), desk.change('no', {}, 'a'), desk.grant('no', { amount: 1, ref: 'r', actor: 'a' })]
    expect(await Promise.all(works.map(slugOf))).to.deep.equal(works.map(() => 'not-found'))
  })
})
