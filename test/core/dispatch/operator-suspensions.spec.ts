import { expect } from 'chai'
import { OperatorSuspensions } from '../../../core/dispatch/provider-control.js'
import { Suspensions } from '../../../core/dispatch/suspension.js'
import { Fault } from '../../../core/sdk/index.js'
import { SettingsWatch } from '../../../core/store/settings-watch.js'
import { StoreUnavailable, type Store } from '../../../core/store/types.js'
import { HandClock } from '../../support/outbound.js'
import { temporaryStore } from '../../support/store.js'
import { errorOf, settle } from '../../support/unit.js'

const ID = 'test.echo/one'

describe('providers the operator suspends', () => {
  let store: Store
  let end: () => Promise<void>
  const clock = new HandClock()
  beforeEach(async () => void ({ store, end } = await temporaryStore()))
  afterEach(() => end())

  function replica() {
    const watch = new SettingsWatch(store.settings, clock, () => undefined)
    const suspensions = new Suspensions(clock)
    return { watch, suspensions, operator: new OperatorSuspensions(store.settings, watch, suspensions) }
  }
  const passFiveSeconds = async () => {
    for (let second = 0; second < 5; second++) {
      clock.advance(1_000)
      await settle(20)
    }
  }

  it('are out on another replica within five seconds, and back within five of being resumed, also those resumed elsewhere', async () => {
    const [one, two] = [replica(), replica()]
    await Promise.all([one.watch.check(), two.watch.check()])
    await one.operator.suspend(ID, 'costs too much')
    expect(one.suspensions.admit(ID)).to.equal('suspended')
    await passFiveSeconds()
    expect(two.suspensions.list()).to.deep.equal([{ id: ID, why: 'costs too much', until: Infinity, manual: true }])
    await two.operator.resume(ID)
    expect(two.suspensions.admit(ID)).to.equal('go')
    await passFiveSeconds()
    expect(one.suspensions.admit(ID)).to.equal('go')
  })

  it('stay out over a restart', async () => {
    await replica().operator.suspend(ID, 'costs too much')
    const restarted = replica()
    await restarted.watch.check()
    expect(restarted.suspensions.list()).to.deep.equal([{ id: ID, why: 'costs too much', until: Infinity, manual: true }])
  })

  it('stay out whatever other replicas say of them', async () => {
    const { operator, suspensions } = replica()
    await operator.suspend(ID, 'costs too much')
    suspensions.adopt(ID, null)
    suspensions.adopt(ID, { why: 'busy', msLeft: -1, rounds: 0 })
    expect(suspensions.list()).to.deep.equal([{ id: ID, why: 'costs too much', until: Infinity, manual: true }])
    expect([suspensions.shared(ID), suspensions.ids()]).to.deep.equal([null, []])
  })

  it('that are resumed are back also from what they were suspended for by failures; other suspensions stay', async () => {
    const { operator, suspensions } = replica()
    const started = clock.monotonic()
    for (const id of [ID, 'test.echo/two']) suspensions.failed(id, new Fault('quota', 'used up'), { started, local: false })
    await operator.suspend('test.echo/three', 'by hand')
    await operator.resume(ID)
    await operator.resume('test.echo/three')
    expect(suspensions.list().map(({ id }) => id)).to.deep.equal(['test.echo/two'])
  })

  it('stay as they are while the database does not answer', async () => {
    const { watch, operator, suspensions } = replica()
    await watch.check()
    const [put, remove] = [store.settings.put.bind(store.settings), store.settings.delete.bind(store.settings)]
    store.settings.put = () => Promise.reject(new StoreUnavailable('gone'))
    expect(await errorOf(operator.suspend(ID, 'costs too much'))).to.be.instanceOf(StoreUnavailable)
    expect([suspensions.admit(ID), operator.has(ID)]).to.deep.equal(['go', false])
    store.settings.put = put
    await operator.suspend(ID, 'costs too much')
    store.settings.delete = () => Promise.reject(new StoreUnavailable('gone'))
    expect(await errorOf(operator.resume(ID))).to.be.instanceOf(StoreUnavailable)
    await passFiveSeconds()
    expect([suspensions.admit(ID), operator.has(ID)]).to.deep.equal(['suspended', true])
    store.settings.delete = remove
  })

  it('are not brought back for a moment by a list that was read before they were suspended', async () => {
    const { watch, operator, suspensions } = replica()
    await watch.check()
    await store.settings.put('waterfall:test.echo', 'two')
    const list = store.settings.list.bind(store.settings)
    let goOn: () => void = () => undefined
    store.settings.list = async (prefix) => {
      const rows = await list(prefix)
      await new Promise<void>((resolve) => (goOn = resolve))
      store.settings.list = list
      return rows
    }
    const checking = watch.check()
    await settle(20)
    await operator.suspend(ID, 'costs too much')
    goOn()
    await checking
    expect(suspensions.admit(ID)).to.equal('suspended')
  })
})
