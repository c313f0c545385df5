import { expect } from 'chai'
import { Reloads } from '../../core/reloads.js'
import { SettingsWatch } from '../../core/settings-watch.js'
import type { Store } from '../../core/store/port.js'
import { HandClock } from '../support/outbound.js'
import { temporaryStore } from '../support/store.js'
import { errorOf, settle } from '../support/unit.js'

describe('reloads of several replicas', () => {
  let store: Store
  let end: () => Promise<void>
  const clock = new HandClock()
  beforeEach(async () => void ({ store, end } = await temporaryStore()))
  afterEach(() => end())

  function replica(fails = false) {
    let count = 0
    const watch = new SettingsWatch(store.settings, clock, () => undefined)
    const reload = () => (count++, fails ? Promise.reject(new Error('line 3')) : Promise.resolve())
    const reloads = new Reloads(store.settings, watch, { clock, reload, log: () => undefined })
    return { watch, reloads, count: () => count }
  }
  const pass = async () => {
    clock.advance(2_000)
    await settle(20)
  }

  it('one that is asked reloads at once, the others within seconds, each once', async () => {
    const [one, two] = [replica(), replica()]
    await Promise.all([one.watch.look(), two.watch.look()])
    await one.reloads.request()
    expect([one.count(), two.count()]).to.deep.equal([1, 0])
    for (let look = 0; look < 3; look++) await pass()
    expect([one.count(), two.count()]).to.deep.equal([1, 1])
    await two.reloads.request()
    await pass()
    expect([one.count(), two.count()]).to.deep.equal([2, 2])
  })

  it('one that starts later has read everything already and reloads nothing', async () => {
    const one = replica()
    await one.watch.look()
    await one.reloads.request()
    const late = replica()
    await late.watch.look()
    await pass()
    expect(late.count()).to.equal(0)
  })

  it('a reload that fails where it was asked for is not passed on', async () => {
    const [bad, other] = [replica(true), replica()]
    await Promise.all([bad.watch.look(), other.watch.look()])
    expect((await errorOf(bad.reloads.request())).message).to.equal('line 3')
    await pass()
    expect(other.count()).to.equal(0)
  })

  it('one whose own reload fails keeps its old state and does not try for ever', async () => {
    const [one, bad] = [replica(), replica(true)]
    await Promise.all([one.watch.look(), bad.watch.look()])
    await one.reloads.request()
    for (let look = 0; look < 4; look++) await pass()
    expect(bad.count()).to.equal(1)
  })

  it('a setting changed by a listener that failed is looked at again', async () => {
    const watch = new SettingsWatch(store.settings, clock, () => undefined)
    let calls = 0
    watch.on(() => (++calls === 1 ? Promise.reject(new Error('once')) : Promise.resolve()))
    await errorOf(watch.look())
    await pass()
    await pass()
    expect(calls).to.equal(2)
    watch.close()
  })
})
