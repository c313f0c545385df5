import { expect } from 'chai'
import type { Store } from '../../../core/store/types.js'
import { useMongo } from '../../support/mongodb-store.js'
import { chargeOf, furnish, holdOf, NOON } from '../../support/store.js'

describe('sweeping among several gateways on MongoDB', () => {
  const bench = useMongo()
  let store: Store

  beforeEach(async () => {
    store = await bench.gateway()
    await furnish(store)
  })

  const sweep = (change: object = {}) => store.ledger.sweep({ now: NOON, graceMs: 30_000, owner: 'gw1', deadOwners: [], ...change })
  const held = async (owner: string) => {
    const request = holdOf({ owner })
    await store.ledger.hold(request)
    return request.hold
  }
  const charged = async (owner: string) => {
    const hold = await held(owner)
    await store.ledger.charge(chargeOf(hold, 1000, { owner }))
    return hold
  }

  it('a gateway that starts takes nothing of one whose lease is alive', async () => {
    await store.leases.renew('alive', NOON, 20_000)
    await store.leases.renew('dead', NOON - 30_000, 20_000)
    const [hold] = [await held('alive'), await held('dead'), await charged('alive'), await charged('dead'), await held('gw1')]
    expect(await sweep({ deadOwners: 'all-but-owner' })).to.deep.equal({ released: 1, refunded: 1, idempotency: 0, leases: 1, aside: [] })
    expect(await store.ledger.resolve('acc', hold)).to.include({ state: 'open' })
    expect(await store.ledger.balance('acc')).to.include({ balance: 9000, held: 2000, open: 2 })
    expect(await store.leases.live(NOON)).to.deep.equal(['alive'])
    expect(await bench.audit()).to.deep.equal([])
  })

  it('publishes what a dead gateway left with its accounts, however fresh, and refunds what it never delivered', async () => {
    const hold = await charged('dead')
    expect(await sweep({ deadOwners: ['dead'] })).to.include({ refunded: 1 })
    const entries = await bench.documents('entries')
    expect(entries.map(({ ref, delivered }) => [ref, delivered])).to.deep.equal([
      ['grant acc', null],
      [hold, false],
      [`rf:${hold}`, null],
    ])
  })

  it('publishes what lies unpublished, and no longer reads an idle account', async () => {
    await charged('gw1')
    expect((await bench.documents('accounts'))[0]).to.have.property('pub')
    await sweep()
    expect(await bench.documents('entries')).to.have.length(2)
    expect((await bench.documents('accounts'))[0])
      .to.include({ done: 2 })
      .and.not.have.property('pub')
    await charged('gw1')
    await sweep({ now: NOON + 60_000 })
    expect(await bench.documents('entries')).to.have.length(3)
    expect(await bench.audit()).to.deep.equal([])
  })

  it('a charge races the sweep of its own hold: one of them wins, and money and journal agree', async () => {
    for (let round = 0; round < 8; round++) {
      const request = holdOf({ deadline: NOON + 1 })
      await store.ledger.hold(request)
      const [charge] = await Promise.all([store.ledger.charge(chargeOf(request.hold, 10)), sweep({ now: NOON + 40_000 })])
      const { state } = await store.ledger.resolve('acc', request.hold)
      expect(state).to.equal(charge.ok ? 'charged' : 'released')
      expect(charge.ok || charge.why === 'released').to.equal(true)
    }
    expect(await store.ledger.balance('acc')).to.include({ held: 0, open: 0 })
    expect(await bench.audit(NOON + 40_000)).to.deep.equal([])
  })

  it('several sweepers give room of expired answers back once', async () => {
    const { idempotency, artifacts } = store
    for (let each = 0; each < 5; each++) {
      const claim = {
        account: 'acc',
        key: `k${each}`,
        fingerprint: 'f',
        hold: `h${each}`,
        owner: 'gw1',
        lockUntil: NOON,
        expires: NOON + 1,
        once: false,
        now: NOON,
      }
      await idempotency.claim(claim)
      const response = {
        status: 200,
        headers: {},
        body: new Uint8Array(100),
        gzip: false,
        file: null,
        amount: 0,
        facts: chargeOf('h').facts,
      }
      await idempotency.keep({ account: 'acc', key: `k${each}`, attempt: 1, hold: `h${each}`, response, now: NOON })
    }
    expect(await artifacts.used('acc')).to.equal(500)
    const reports = await Promise.all(Array.from({ length: 4 }, () => sweep({ now: NOON + 2 })))
    expect(reports.reduce((sum, report) => sum + report.idempotency, 0)).to.equal(5)
    expect((await bench.documents('accounts'))[0]?.stored).to.equal(0)
  })
})
