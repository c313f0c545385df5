import { expect } from 'chai'
import type { Registry } from '../../../core/loader/types.js'
import { oneAtATime, Reloads } from '../../../core/lifecycle/reloads.js'
import { plugin, provider, resource, Type, vendor } from '../../../core/sdk/index.js'
import { SettingsWatch } from '../../../core/store/settings-watch.js'
import type { Store } from '../../../core/store/types.js'
import { startGateway } from '../../support/gateway.js'
import { HandClock } from '../../support/outbound.js'
import { temporaryStore } from '../../support/store.js'
import { echo, loadedProvider, part, scriptedRegistry, type Behaviour } from '../../support/test-plugin.js'
import { errorOf, saying, settle } from '../../support/unit.js'

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

  it('the one that gets the request reloads at once, the others within seconds, each once', async () => {
    const [one, two] = [replica(), replica()]
    await Promise.all([one.watch.check(), two.watch.check()])
    await one.reloads.request()
    expect([one.count(), two.count()]).to.deep.equal([1, 0])
    for (let round = 0; round < 3; round++) await pass()
    expect([one.count(), two.count()]).to.deep.equal([1, 1])
    await two.reloads.request()
    await pass()
    expect([one.count(), two.count()]).to.deep.equal([2, 2])
  })

  it('one that starts later has read everything already and reloads nothing', async () => {
    const one = replica()
    await one.watch.check()
    await one.reloads.request()
    const late = replica()
    await late.watch.check()
    await pass()
    expect(late.count()).to.equal(0)
  })

  it('a reload that fails where it was requested is not passed on', async () => {
    const [bad, other] = [replica(true), replica()]
    await Promise.all([bad.watch.check(), other.watch.check()])
    expect((await errorOf(bad.reloads.request())).message).to.equal('line 3')
    await pass()
    expect(other.count()).to.equal(0)
  })

  it('one whose own reload fails keeps its old state and does not try for ever', async () => {
    const [one, bad] = [replica(), replica(true)]
    await Promise.all([one.watch.check(), bad.watch.check()])
    await one.reloads.request()
    for (let round = 0; round < 4; round++) await pass()
    expect(bad.count()).to.equal(1)
  })

  it('a setting changed by a listener that failed is checked again', async () => {
    const watch = new SettingsWatch(store.settings, clock, () => undefined)
    let calls = 0
    watch.on(() => (++calls === 1 ? Promise.reject(new Error('once')) : Promise.resolve()))
    await errorOf(watch.check())
    await pass()
    await pass()
    expect(calls).to.equal(2)
    watch.close()
  })
})

describe('reloads of one gateway', () => {
  /** A reload whose runs end when the test says so, and what ran. */
  function held() {
    const runs: { end: () => void; fail: (error: Error) => void }[] = []
    const reload = oneAtATime(() => new Promise<void>((resolve, reject) => void runs.push({ end: resolve, fail: reject })))
    return { runs, reload }
  }

  it('run one after the other, so that the newest state is in force at the end', async () => {
    const { runs, reload } = held()
    const first = reload()
    await settle()
    const second = reload()
    await settle()
    expect(runs).to.have.length(1)
    runs[0]?.end()
    await first
    await settle()
    expect(runs).to.have.length(2)
    runs[1]?.end()
    await second
  })

  it('that are requested while one runs become one more, whose outcome all of them get', async () => {
    const { runs, reload } = held()
    const first = reload()
    await settle()
    const later = [reload(), reload(), reload()].map((reloading) => errorOf(reloading))
    runs[0]?.end()
    await first
    await settle()
    expect(runs).to.have.length(2)
    runs[1]?.fail(new Error('line 3'))
    expect((await Promise.all(later)).map(({ message }) => message)).to.deep.equal(['line 3', 'line 3', 'line 3'])
    expect(runs).to.have.length(2)
  })

  it('one that failed does not keep the next from its work', async () => {
    const { runs, reload } = held()
    const first = errorOf(reload())
    await settle()
    const second = reload()
    runs[0]?.fail(new Error('line 3'))
    expect((await first).message).to.equal('line 3')
    await settle()
    runs[1]?.end()
    await second
    const third = reload()
    await settle()
    runs[2]?.end()
    await third
  })
})

describe('a call that runs over a reload', () => {
  it('keeps the providers it began with to its end; what they opened is closed and their plugin disposed of only then', async () => {
    const events: string[] = []
    const loads: Registry[] = []
    const old = plugin({ name: 'old', version: '1.0.0', sdk: 2, title: 'Old', dispose: () => (events.push('disposed'), Promise.resolve()) })
    const thing = resource({ id: 'thing', open: () => Promise.resolve('open'), close: () => (events.push('closed'), Promise.resolve()) })
    let goOn: () => void = () => undefined
    const waiting = new Promise<void>((resolve) => void (goOn = resolve))
    const begun = new Promise<void>((begin) => {
      const outer: Behaviour = async ({ text }, context) => {
        await context.use(thing)
        begin()
        await waiting
        return await context.call(part, { text })
      }
      loads.push({
        ...scriptedRegistry({
          'test.echo': [{ vendor: 'outer', run: outer }],
          'test.part': [{ vendor: 'inner', run: saying('from the old') }],
        }),
        contributions: [old],
      })
    })
    loads.push(scriptedRegistry({ 'test.echo': [{ vendor: 'new', run: saying('from the new') }] }))
    const gateway = await startGateway({ overrides: { load: () => Promise.resolve(loads.shift() ?? expect.fail('one load too many')) } })
    try {
      const running = gateway.post('/v1/test/echo', { text: 'a' }).then((reply) => (events.push('answered'), reply))
      await begun
      expect((await gateway.admin('POST', '/admin/v1/reload')).status).to.equal(200)
      expect((await gateway.post('/v1/test/echo', { text: 'b' })).json().data).to.deep.equal({ text: 'from the new' })
      expect(events).to.deep.equal([])
      goOn()
      const reply = await running
      expect([reply.status, reply.json().data]).to.deep.equal([200, { text: 'from the old' }])
      await settle()
      expect(events).to.have.members(['closed', 'disposed', 'answered'])
      expect(events.indexOf('closed')).to.be.lessThan(events.indexOf('disposed'), 'what it opened is closed before')
    } finally {
      await gateway.close()
    }
  })
})

describe('a reload with other settings for a resource', () => {
  it('opens it anew for the next call, and closes the old one when the last call that began before has ended', async () => {
    const events: string[] = []
    const pool = resource({
      id: 'pool',
      settings: Type.Object({ pages: Type.Integer() }),
      open: ({ settings: { pages } }) => (events.push(`open ${pages}`), Promise.resolve(String(pages))),
      close: (pages) => (events.push(`close ${pages}`), Promise.resolve()),
    })
    let goOn: () => void = () => undefined
    const waiting = new Promise<void>((resolve) => void (goOn = resolve))
    let begin: () => void = () => undefined
    const begun = new Promise<void>((resolve) => void (begin = resolve))
    const contribution = provider(echo, {
      vendor: vendor({ id: 'pooled', title: 'Pooled' }),
      run: async ({ text }, context) => {
        const pages = await context.use(pool)
        if (text === 'long') {
          begin()
          await waiting
        }
        return { text: pages }
      },
    })
    const withPages = (pages: number): Registry => {
      const loaded = loadedProvider(contribution)
      return scriptedRegistry({ more: [{ ...loaded, access: { ...loaded.access, settings: { pages } } }] })
    }
    const loads = [withPages(4), withPages(4), withPages(5)]
    const gateway = await startGateway({ overrides: { load: () => Promise.resolve(loads.shift() ?? expect.fail('one load too many')) } })
    const pagesOf = async (text: string) => (await gateway.post('/v1/test/echo', { text })).json().data
    const reload = async () => expect((await gateway.admin('POST', '/admin/v1/reload')).status).to.equal(200)
    try {
      const long = pagesOf('long')
      await begun
      await reload()
      expect(await pagesOf('short')).to.deep.equal({ text: '4' })
      expect(events).to.deep.equal(['open 4'], 'nothing has changed')
      await reload()
      expect(await pagesOf('short')).to.deep.equal({ text: '5' })
      expect(events).to.deep.equal(['open 4', 'open 5'])
      goOn()
      expect(await long).to.deep.equal({ text: '4' })
      await settle()
      expect(events).to.deep.equal(['open 4', 'open 5', 'close 4'])
    } finally {
      await gateway.close()
    }
    expect(events.at(-1)).to.equal('close 5')
  })
})
