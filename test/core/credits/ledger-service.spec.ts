import { expect } from 'chai'
import fc from 'fast-check'
import sinon from 'sinon'
import { systemClock } from '../../../core/runtime/clock.js'
import { LedgerService } from '../../../core/credits/ledger-service.js'
import { PendingReversals } from '../../../core/credits/pending-reversals.js'
import type { Caller } from '../../../core/accounts/caller.js'
import { Problem } from '../../../core/problems/problem.js'
import { StoreUnavailable, type HoldResult, type LedgerStore, type Store } from '../../../core/store/types.js'
import { facts, furnish, temporaryStore } from '../../support/store.js'
import { errorOf, settle } from '../../support/unit.js'

/** What happens to one command on its way: carried out and answered, lost before, or lost after it was carried out. */
type Fate = 'ok' | 'before' | 'after'
const COMMANDS = ['hold', 'charge', 'release', 'refund'] as const

/** The store, whose ledger counts the commands that are under way: real work, which a clock moved by hand has to await. */
function counted(store: Store, underWay: { count: number }): Store {
  const ledger = new Proxy(store.ledger, {
    get:
      (target, name) =>
      async (...given: unknown[]) => {
        underWay.count++
        try {
          return await (Reflect.get(target, name) as (...given: unknown[]) => unknown).apply(target, given)
        } finally {
          underWay.count--
        }
      },
  })
  return new Proxy(store, { get: (target, name) => (name === 'ledger' ? ledger : (Reflect.get(target, name) as unknown)) })
}

/** The ledger over a wire that loses commands or replies as the script says, in the order of all commands. */
function lossy(ledger: LedgerStore, fates: Fate[], sent: string[] = []): LedgerStore {
  const wire =
    <A extends unknown[], R>(name: string, command: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      sent.push(name)
      const fate = fates.shift() ?? 'ok'
      if (fate === 'before') throw new StoreUnavailable('lost')
      const result = await command(...given)
      if (fate === 'after') throw new StoreUnavailable('lost')
      return result
    }
  const through = Object.fromEntries(
    COMMANDS.map((name) => [name, wire(name, (request: never) => ledger[name](request) as Promise<unknown>)]),
  )
  return new Proxy(ledger, {
    get: (target, name) =>
      typeof name === 'string' && name in through
        ? through[name]
        : (target[name as keyof LedgerStore] as (...given: unknown[]) => unknown).bind(target),
  })
}

async function callerOf(store: Store): Promise<Caller> {
  const found = await store.keys.find('hash of key_1')
  if (found === null) throw new Error('no key')
  return { ...found, readAt: 0, capped: false }
}

describe('the ledger service', () => {
  let store: Store
  let end: () => Promise<void>
  let timers: sinon.SinonFakeTimers
  const underWay = { count: 0 }
  beforeEach(async () => {
    const opened = await temporaryStore()
    end = opened.end
    store = counted(opened.store, underWay)
    await furnish(store, 10_000)
    timers = sinon.useFakeTimers({ now: Date.now(), toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  })
  afterEach(async () => {
    // Some wait for a ledger that never answers. Those that wait for their next try set no timer again.
    for (const each of made.splice(0)) void each.close()
    await settle(10)
    timers.restore()
    await end()
  })

  const made: PendingReversals[] = []
  let reversals: PendingReversals
  const serviceOn = (ledger: LedgerStore) => {
    reversals = new PendingReversals(ledger, systemClock, { instance: 'gw1', log: () => undefined, idempotency: store.idempotency })
    made.push(reversals)
    return new LedgerService(ledger, systemClock, { instance: 'gw1', accountConcurrency: 64, retryMs: 1_000, reversals })
  }
  const order = { amount: 1_000, capability: 'search.web', limitMs: 30_000 }
  const fresh = async (): Promise<Caller> => await callerOf(store)
  const money = async () => {
    const now = await store.ledger.balance('acc')
    if (now === null) throw new Error('no account')
    return now
  }
  /** Runs work while its waits pass; no time passes while the store works. */
  const rushed = async <T>(work: Promise<T>): Promise<T> => {
    let over = false
    const done = work.finally(() => (over = true))
    done.catch(() => undefined)
    while (!over) {
      if (underWay.count === 0) await timers.tickAsync(50)
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    return await done
  }
  /** Lets what is to be undone be undone. */
  const undone = async (): Promise<void> => {
    for (let turn = 0; reversals.size > 0;) {
      if (turn > 1_000) throw new Error('a hold is never undone')
      if (underWay.count === 0) {
        turn++
        await timers.tickAsync(500)
      }
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }
  /** What the sweeper does of holds nobody came back for. */
  const sweep = async () => await store.ledger.sweep({ now: Date.now() + 3_600_000, graceMs: 0, owner: 'gw1', deadOwners: [] })

  it('holds, charges and says the balance', async () => {
    const service = serviceOn(store.ledger)
    const held = await service.hold(await fresh(), order, fresh)
    expect(held).to.deep.include({ account: 'acc', amount: 1_000, balance: 10_000, held: 1_000, available: 9_000 })
    expect(await service.charge(held, 1_000, facts())).to.deep.include({ balance: 9_000, held: 0 })
  })

  it('a hold lasts as long as its call may take and half a minute more, and no sweep takes it before', async () => {
    await serviceOn(store.ledger).hold(await fresh(), { ...order, limitMs: 600_000 }, fresh)
    const swept = (after: number) => store.ledger.sweep({ now: Date.now() + after, graceMs: 0, owner: 'gw1', deadOwners: [] })
    expect([(await swept(630_000)).released, (await swept(630_001)).released]).to.deep.equal([0, 1])
  })

  it('T-62 whatever is lost on the way, a call costs its price once or nothing, and no hold stays', async () => {
    const fate = fc.constantFrom<Fate>('ok', 'before', 'after')
    await fc.assert(
      fc.asyncProperty(fc.array(fate, { maxLength: 14 }), fc.constantFrom('charge', 'release', 'refund' as const), async (fates, path) => {
        const before = (await money()).balance
        const service = serviceOn(lossy(store.ledger, [...fates]))
        const outcome = await rushed(
          (async () => {
            const held = await service.hold(await fresh(), order, fresh)
            if (path === 'release') return await service.release(held, 'failed', null).then(() => 'free')
            await service.charge(held, 1_000, facts())
            if (path === 'refund') return await service.refund(held, 'not delivered').then(() => 'free')
            return 'paid'
          })().catch((error: unknown) => {
            if (!(error instanceof StoreUnavailable)) throw error
            return 'failed'
          }),
        )
        await undone()
        await sweep()
        const after = await money()
        expect(after.held).to.equal(0)
        expect(after.open).to.equal(0)
        const cost = before - after.balance
        if (outcome === 'paid') expect(cost).to.equal(1_000)
        else expect(cost).to.equal(0)
        if (before < 2_000 || cost > 0)
          await store.ledger.post({
            account: 'acc',
            ref: `top ${Math.random()}`,
            kind: 'grant',
            amount: 10_000,
            note: null,
            facts: null,
            owner: 't',
            now: Date.now(),
          })
      }),
      { numRuns: 60 },
    )
  }).timeout(30_000)

  it('T-62 repeats the same charge when its reply was lost, and pays once', async () => {
    const sent: string[] = []
    const service = serviceOn(lossy(store.ledger, ['ok', 'after', 'before', 'ok'], sent))
    const held = await service.hold(await fresh(), order, fresh)
    expect(await rushed(service.charge(held, 1_000, facts()))).to.deep.include({ balance: 9_000 })
    expect(sent).to.deep.equal(['hold', 'charge', 'charge', 'charge'])
  })

  it('gives up a charge after the retry time, reversals it and says unavailable', async () => {
    const lost = Array.from({ length: 40 }, (): Fate => 'after')
    const sent: string[] = []
    const fates: Fate[] = ['ok', ...lost]
    const service = serviceOn(lossy(store.ledger, fates, sent))
    const held = await service.hold(await fresh(), order, fresh)
    const started = performance.now()
    expect(await rushed(errorOf(service.charge(held, 1_000, facts())))).to.be.instanceOf(StoreUnavailable)
    expect(performance.now() - started).to.be.within(700, 1_100)
    await undone()
    expect(sent.slice(-2)).to.deep.equal(['release', 'refund'])
    expect(await money()).to.deep.include({ balance: 10_000, held: 0, open: 0 })
  })

  it('reversals in order: a charge that is carried out while the release is on its way is refunded', async () => {
    let pending: (() => Promise<unknown>) | null = null
    const ledger = new Proxy(store.ledger, {
      get: (target, name) => {
        if (name === 'charge')
          return (request: never) => ((pending ??= () => target.charge(request)), Promise.reject(new StoreUnavailable('lost')))
        if (name === 'release')
          return async (request: never) => {
            await new Promise<void>((resolve) => setImmediate(resolve))
            await pending?.()
            return await target.release(request)
          }
        return (target[name as keyof LedgerStore] as (...given: unknown[]) => unknown).bind(target)
      },
    })
    const service = serviceOn(ledger)
    const held = await service.hold(await fresh(), order, fresh)
    await rushed(errorOf(service.charge(held, 1_000, facts())))
    await undone()
    expect(await money()).to.deep.include({ balance: 10_000, held: 0 })
  })

  it('F-02 says soon that the ledger is away: a hold that failed slowly is not tried again', async () => {
    const sent: string[] = []
    const away = new Proxy(store.ledger, {
      get: (_target, name) => async () => {
        sent.push(String(name))
        await new Promise<void>((resolve) => void timers.setTimeout(() => resolve(), 800))
        throw new StoreUnavailable('no server')
      },
    })
    const started = performance.now()
    const error = await rushed(errorOf(serviceOn(away).hold(await fresh(), order, fresh)))
    expect(error).to.be.instanceOf(StoreUnavailable)
    expect(performance.now() - started).to.be.at.most(1_000)
    expect(sent.filter((name) => name === 'hold')).to.have.length(1)
    await rushed(reversals.close())
  })

  it('F-02 lets no try outlast the retry time, and what that try still does costs nothing', async () => {
    const late: (() => Promise<unknown>)[] = []
    const ledger = new Proxy(store.ledger, {
      get: (target, name) => {
        if (name === 'charge')
          return (request: never) => {
            late.push(() => target.charge(request))
            return late.length === 1 ? Promise.reject(new StoreUnavailable('cut')) : new Promise(() => undefined)
          }
        return (target[name as keyof LedgerStore] as (...given: unknown[]) => unknown).bind(target)
      },
    })
    const service = serviceOn(ledger)
    const held = await service.hold(await fresh(), order, fresh)
    const started = performance.now()
    const error = await rushed(errorOf(service.charge(held, 1_000, facts())))
    expect(error).to.be.instanceOf(StoreUnavailable)
    expect(performance.now() - started).to.be.at.most(1_050)
    expect(late).to.have.length(2)
    await late[1]?.()
    await undone()
    expect(await money()).to.deep.include({ balance: 10_000, held: 0, open: 0 })
  })

  it('F-02 keeps a caller no longer whose ledger is away, and undoes its hold at once when it is not', async () => {
    let away = true
    const ledger = new Proxy(store.ledger, {
      get: (target, name) =>
        away && name === 'release'
          ? () => new Promise(() => undefined)
          : (target[name as keyof LedgerStore] as (...given: unknown[]) => unknown).bind(target),
    })
    const service = serviceOn(ledger)
    const lost = await service.hold(await fresh(), order, fresh)
    const started = performance.now()
    expect(await rushed(service.abandon(lost, facts({ status: 503 })))).to.equal(false)
    expect(performance.now() - started).to.be.at.most(100)
    expect(await money()).to.deep.include({ held: 1_000 })
    away = false
    const other = serviceOn(ledger)
    const held = await other.hold(await fresh(), order, fresh)
    expect(await other.abandon(held, facts({ status: 503 }))).to.equal(true)
    expect(await money()).to.deep.include({ held: 1_000 })
    const { rows } = await store.history.calls({ account: 'acc', limit: 5, offset: 0 })
    expect(rows.map(({ id, facts }) => [id, facts.status])).to.deep.equal([[held.hold, 503]])
  })

  it('F-02 goes on undoing a charge while the ledger is away, and gives it back when it returns', async () => {
    let away = false
    const ledger = new Proxy(store.ledger, {
      get: (target, name) => {
        if (typeof name === 'string' && away && (COMMANDS as readonly string[]).includes(name))
          return () => Promise.reject(new StoreUnavailable('no server'))
        return (target[name as keyof LedgerStore] as (...given: unknown[]) => unknown).bind(target)
      },
    })
    const service = serviceOn(ledger)
    const held = await service.hold(await fresh(), order, fresh)
    await service.charge(held, 1_000, facts())
    away = true
    expect(await rushed(errorOf(service.refund(held, 'not delivered')))).to.be.instanceOf(StoreUnavailable)
    await timers.tickAsync(60_000)
    expect(reversals.size).to.equal(1)
    away = false
    await undone()
    expect(await money()).to.deep.include({ balance: 10_000, held: 0 })
  })

  it('takes a fresh id after a hold whose outcome is unknown, and gives the first back', async () => {
    const sent: string[] = []
    const service = serviceOn(lossy(store.ledger, ['after'], sent))
    const held = await service.hold(await fresh(), order, fresh)
    await undone()
    expect(sent).to.deep.equal(['hold', 'release', 'hold', 'refund'])
    expect(await money()).to.deep.include({ held: 1_000, open: 1 })
    expect((await store.ledger.resolve('acc', held.hold)).state).to.equal('open')
    const twice = serviceOn(lossy(store.ledger, ['before', 'ok', 'before']))
    expect(await errorOf(twice.hold(await fresh(), order, fresh))).to.be.instanceOf(StoreUnavailable)
  })

  it('T-62 never changes a hold id that an Idempotency-Key is written with: the replay would charge again', async () => {
    const hold = '01JAAAAAAAAAAAAAAAAAAAAAAA'
    for (const fate of ['before', 'after'] as const) {
      const sent: string[] = []
      const service = serviceOn(lossy(store.ledger, [fate], sent))
      expect(await errorOf(service.hold(await fresh(), { ...order, hold: hold + fate }, fresh))).to.be.instanceOf(StoreUnavailable)
      await undone()
      expect(sent).to.deep.equal(['hold', 'release', 'refund'])
    }
    expect(await money()).to.deep.include({ balance: 10_000, held: 0, open: 0 })
  })

  it('answers unavailable, not success, when a sweeper released the hold first', async () => {
    const service = serviceOn(store.ledger)
    const held = await service.hold(await fresh(), order, fresh)
    await sweep()
    expect(await errorOf(service.charge(held, 1_000, facts()))).to.be.instanceOf(StoreUnavailable)
    expect((await money()).balance).to.equal(10_000)
  })

  it("reads the key again when the account's epoch has moved, three times at most", async () => {
    const stale = { ...(await fresh()) }
    await store.keys.revoke('acc', 'key_1', Date.now())
    let reads = 0
    const held = await serviceOn(store.ledger).hold(stale, order, async () => (reads++, await fresh()))
    expect(reads).to.equal(1)
    expect(held.amount).to.equal(1_000)
    reads = 0
    const error = await errorOf(serviceOn(store.ledger).hold(stale, order, () => (reads++, Promise.resolve(stale))))
    expect(error instanceof Problem && error.slug).to.equal('invalid-api-key')
    expect(reads).to.equal(3)
  })

  it('takes the price of a call from every cap that its key spends on', async () => {
    const calls: unknown[] = []
    const ledger = new Proxy(store.ledger, {
      get: (target, name) =>
        name === 'hold'
          ? (request: { capped: boolean; caps?: readonly string[] }) => (
              calls.push([request.capped, request.caps]),
              Promise.resolve({ ok: false, why: 'capped' })
            )
          : (Reflect.get(target, name) as unknown),
    })
    const caller = await fresh()
    const capped = { ...caller, capped: true, key: { ...caller.key, caps: ['key_1', 'key_0'] } }
    for (const each of [capped, caller]) await errorOf(serviceOn(ledger).hold(each, order, fresh))
    expect(calls).to.deep.equal([
      [true, ['key_1', 'key_0']],
      [false, undefined],
    ])
  })

  it('T-61 of many calls at once only as many hold as there is money for', async () => {
    const service = serviceOn(store.ledger)
    const caller = await fresh()
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => service.hold(caller, order, fresh)))
    expect(results.filter(({ status }) => status === 'fulfilled').length).to.equal(10)
    expect(await money()).to.deep.include({ balance: 10_000, held: 10_000, available: 0 })
  })

  const refusals: [HoldResult & { ok: false }, string, RegExp][] = [
    [
      { ok: false, why: 'insufficient', balance: 500, held: 100, available: 400 },
      'insufficient-credits',
      /costs 1 credits .* 0\.4 available .*balance 0\.5, held by running calls 0\.1/,
    ],
    [{ ok: false, why: 'too-many-open' }, 'too-many-in-flight', /account_concurrency/],
    [{ ok: false, why: 'capped' }, 'key-not-allowed', /credit_limit/],
    [{ ok: false, why: 'disabled' }, 'key-not-allowed', /disabled/],
    [{ ok: false, why: 'absent' }, 'invalid-api-key', /unknown/],
    [{ ok: false, why: 'duplicate' }, 'internal', /Nothing was charged/],
  ]
  for (const [result, slug, text] of refusals)
    it(`answers ${slug} when the ledger says ${result.why}`, async () => {
      const ledger = new Proxy(store.ledger, {
        get: (target, name) => (name === 'hold' ? () => Promise.resolve(result) : (Reflect.get(target, name) as unknown)),
      })
      const error = await errorOf(serviceOn(ledger).hold(await fresh(), order, fresh))
      expect(error instanceof Problem && error.slug).to.equal(slug)
      expect(error.message).to.match(text)
    })
})
