import { expect } from 'chai'
import { WaterfallOrders } from '../../../core/dispatch/provider-control.js'
import { RegistryHolder } from '../../../core/loader/holder.js'
import type { Registry } from '../../../core/loader/types.js'
import { SettingsWatch } from '../../../core/store/settings-watch.js'
import { plugin } from '../../../core/sdk/index.js'
import type { Store } from '../../../core/store/types.js'
import { HandClock } from '../../support/outbound.js'
import { temporaryStore } from '../../support/store.js'
import { scriptedRegistry } from '../../support/test-plugin.js'
import { settle } from '../../support/unit.js'

describe('waterfall orders set while running', () => {
  let store: Store
  let end: () => Promise<void>
  beforeEach(async () => void ({ store, end } = await temporaryStore()))
  afterEach(() => end())

  function instance(clock: HandClock) {
    const seen: Record<string, readonly string[]>[] = []
    const logs: string[] = []
    const watch = new SettingsWatch(store.settings, clock, (_level, message) => void logs.push(message))
    const orders = new WaterfallOrders(store.settings, watch, (now) => void seen.push(Object.fromEntries(now)))
    return { orders, watch, seen, logs }
  }

  it('are seen by a second instance within five seconds, set and removed', async () => {
    const clock = new HandClock()
    const [one, two] = [instance(clock), instance(clock)]
    await two.watch.check()
    await one.orders.put('test.echo', ['b', 'a'])
    expect(one.seen.at(-1)).to.deep.equal({ 'test.echo': ['b', 'a'] })
    for (let second = 0; second < 5; second++) {
      clock.advance(1_000)
      await settle(20)
    }
    expect(two.seen.at(-1)).to.deep.equal({ 'test.echo': ['b', 'a'] })
    expect(await one.orders.remove('test.echo')).to.equal(true)
    expect(await one.orders.remove('test.echo')).to.equal(false)
    for (let second = 0; second < 5; second++) {
      clock.advance(1_000)
      await settle(20)
    }
    expect(two.seen.at(-1)).to.deep.equal({})
    expect(two.seen.length).to.equal(3, 'called only for changes')
  })

  it('survive a restart, and an empty order leaves nobody', async () => {
    const first = instance(new HandClock())
    await first.orders.put('a', ['x', 'y'])
    await first.orders.put('b', [])
    const second = instance(new HandClock())
    await second.watch.check()
    expect(Object.fromEntries(second.orders.current)).to.deep.equal({ a: ['x', 'y'], b: [] })
  })

  it('that cannot be read are reported and kept; after the close none are read', async () => {
    const clock = new HandClock()
    const { orders, watch, logs } = instance(clock)
    await orders.put('a', ['x'])
    const version = store.settings.version.bind(store.settings)
    let reads = 0
    store.settings.version = () => (reads++, Promise.reject(new Error('gone')))
    clock.advance(2_000)
    await settle()
    expect(logs).to.deep.equal(['settings could not be read'])
    expect(Object.fromEntries(orders.current)).to.deep.equal({ a: ['x'] })
    watch.close()
    clock.advance(10_000)
    expect(reads).to.equal(1)
    store.settings.version = version
  })
})

describe('the registry in force', () => {
  const registry = (version: string, contributions: Registry['contributions'] = []): Registry => {
    const made: Registry = {
      ...scriptedRegistry({}),
      version,
      contributions,
      withOrders: (orders) => ({ ...made, version: `${version} ${[...orders].map(([id, order]) => `${id}=${order.join('+')}`).join()}` }),
    }
    return made
  }

  it("keeps the operator's orders over a swap, and drops them when there are none", async () => {
    const holder = new RegistryHolder(registry('v1'))
    holder.order(new Map([['a', ['x', 'y']]]))
    expect(holder.current.version).to.equal('v1 a=x+y')
    const before = holder.current
    await holder.swap(registry('v2'))
    expect(holder.current.version).to.equal('v2 a=x+y')
    expect(before.version).to.equal('v1 a=x+y', 'a running call keeps what it began with')
    holder.order(new Map())
    expect(holder.current.version).to.equal('v2')
  })

  it('lets go exactly of the plugins that are gone', async () => {
    const gone: string[] = []
    const named = (name: string) =>
      plugin({ name, version: '1.0.0', sdk: 2, title: name, dispose: () => (gone.push(name), Promise.resolve()) })
    const [one, two, three] = [named('one'), named('two'), named('three')]
    const holder = new RegistryHolder(registry('v1', [one, two]))
    await holder.swap(registry('v2', [two, three]))
    expect(gone).to.deep.equal(['one'])
    await holder.swap(registry('v3', []))
    expect(gone).to.deep.equal(['one', 'two', 'three'])
  })
})
