import { expect } from 'chai'
import { useFakeTimers } from 'sinon'
import { Resources } from '../../../core/dispatch/resources.js'
import { resource, ResourceTable, Type } from '../../../core/sdk/index.js'
import { faultOf, HandClock } from '../../support/outbound.js'
import { errorOf, settle } from '../../support/unit.js'

function parts() {
  const events: string[] = []
  const resources = new Resources((id) => ({ host: {} as never, cleanUp: () => (events.push(`clean ${id}`), Promise.resolve()) }))
  const browser = resource({
    id: 'browser',
    open: () => (events.push('open'), Promise.resolve({ name: events.length })),
    close: () => (events.push('close'), Promise.resolve()),
  })
  return { events, resources, browser }
}

describe('resources of plugins', () => {
  it('are opened once however many use them at once', async () => {
    const { events, resources, browser } = parts()
    const used = await Promise.all([resources.use(browser, {}), resources.use(browser, {}), resources.use(browser, {})])
    expect(new Set(used).size).to.equal(1)
    expect(events).to.deep.equal(['open'])
  })

  it('whose opening failed are cleaned up and opened again by the next use', async () => {
    const { events, resources } = parts()
    let tries = 0
    const shy = resource({ id: 'shy', open: () => (tries++ === 0 ? Promise.reject(new Error('not yet')) : Promise.resolve('open')) })
    expect((await errorOf(resources.use(shy, {}))).message).to.equal('not yet')
    expect(events).to.deep.equal(['clean shy'])
    expect(await resources.use(shy, {})).to.equal('open')
  })

  it('T-69 whose opening throws at once, or whose clean-up fails, reject and leave nothing unhandled', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    const rude = resource<string>({
      id: 'rude',
      open: () => {
        throw new Error('thrown')
      },
    })
    const resources = new Resources(() => ({ host: {} as never, cleanUp: () => Promise.reject(new Error('busy folder')) }))
    await errorOf(resources.use(rude, {}))
    await settle(5)
    process.off('unhandledRejection', note)
    expect(unhandled).to.deep.equal([])
  })

  it('a late failure of an opening that was dropped does not close its successor', async () => {
    const { events, resources } = parts()
    let fail: (error: Error) => void = () => undefined
    let tries = 0
    const slow = resource({
      id: 'slow',
      open: () => (tries++ === 0 ? new Promise<string>((_resolve, reject) => (fail = reject)) : Promise.resolve('second')),
      close: () => (events.push('close'), Promise.resolve()),
    })
    const first = errorOf(resources.use(slow, {}))
    const dropped = resources.forget(slow)
    expect(await resources.use(slow, {})).to.equal('second')
    fail(new Error('too late'))
    await Promise.all([first, dropped])
    await settle()
    expect(events).to.deep.equal(['clean slow'])
    expect(await resources.use(slow, {})).to.equal('second')
  })

  it('whose opening never ends are given up after 30 seconds and opened anew by the next use; what opens then is closed', async () => {
    const clock = new HandClock()
    const events: string[] = []
    const cleanUp = () => (events.push('clean'), Promise.resolve())
    const resources = new Resources(() => ({ host: {} as never, cleanUp }), clock)
    let openLate: (value: string) => void = () => undefined
    let tries = 0
    const slow = resource({
      id: 'slow',
      open: () => (tries++ === 0 ? new Promise<string>((resolve) => (openLate = resolve)) : Promise.resolve('second')),
      close: (value) => (events.push(`close ${value}`), Promise.resolve()),
    })
    const given = faultOf(resources.use(slow, {}))
    clock.advance(29_999)
    const waiting = faultOf(resources.use(slow, {}))
    await settle()
    expect([tries, events]).to.deep.equal([1, []])
    clock.advance(1)
    expect([(await given).kind, (await waiting).kind]).to.deep.equal(['busy', 'busy'])
    expect(await resources.use(slow, {})).to.equal('second')
    expect(events).to.deep.equal(['clean'])
    openLate('first')
    await settle()
    expect(events).to.deep.equal(['clean', 'close first', 'clean'])
    expect(await resources.use(slow, {})).to.equal('second')
  })

  it('are closed when nothing but code that is gone has used them, and opened anew by their next use', async () => {
    const { events, resources, browser } = parts()
    const other = resource({
      id: 'other',
      open: () => Promise.resolve('other'),
      close: () => (events.push('close other'), Promise.resolve()),
    })
    const [gone, stays] = [{}, {}]
    await resources.use(browser, {}, gone)
    await resources.use(other, {}, gone)
    await resources.use(other, {}, stays)
    expect(await resources.leave(new Set([gone]))).to.deep.equal([])
    expect(events).to.deep.equal(['open', 'close', 'clean browser'])
    await resources.use(browser, {}, stays)
    expect(await resources.leave(new Set([gone]))).to.deep.equal([])
    expect(events).to.deep.equal(['open', 'close', 'clean browser', 'open'])
    await resources.leave(new Set([stays]))
    expect(events.slice(4)).to.have.members(['close', 'clean browser', 'close other', 'clean other'])
  })

  it('stay open over a reload that changes no setting they see', async () => {
    const { events, resources, browser } = parts()
    const [user, other] = [{}, {}]
    const used = await resources.use(browser, { pages: 4, list: ['a'] }, user)
    await resources.use(browser, { pages: 9 }, other)
    const close = resources.renew(
      new Map<object, Record<string, unknown>>([
        [user, { pages: 4, list: ['a'] }],
        [other, { pages: 1 }],
      ]),
    )
    expect(await close()).to.deep.equal([])
    expect(await resources.use(browser, { pages: 4, list: ['a'] }, user)).to.equal(used)
    expect(events).to.deep.equal(['open'])
  })

  it('whose settings changed are opened again with the current ones at the next use by anyone, and closed on request', async () => {
    const opened: unknown[] = []
    const closed: unknown[] = []
    const resources = new Resources((_id, settings) => ({
      host: { settings } as never,
      cleanUp: () => Promise.resolve(),
    }))
    const pool = resource({
      id: 'pool',
      settings: Type.Object({ pages: Type.Integer() }),
      open: ({ settings: { pages } }) => (opened.push(pages), Promise.resolve(pages)),
      close: (pages) => (closed.push(pages), Promise.resolve()),
    })
    const user = {}
    await resources.use(pool, { pages: 4 }, user)
    const close = resources.renew(new Map([[user, { pages: 5 }]]))
    expect(await resources.use(pool, { pages: 4 }, user), 'by a call that began before').to.equal(5)
    expect(await resources.use(pool, { pages: 5 }, user)).to.equal(5)
    expect(closed).to.deep.equal([])
    const closeNext = resources.renew(new Map([[user, { pages: 6 }]]))
    expect(await close()).to.deep.equal([])
    expect(closed).to.deep.equal([4])
    await resources.close()
    expect(await closeNext()).to.deep.equal([])
    expect([opened, closed]).to.deep.equal([
      [4, 5],
      [4, 5],
    ])
  })

  it('whose closing never settles are waited for five seconds and named', async () => {
    const { resources } = parts()
    const stuck = resource({ id: 'stuck', open: () => Promise.resolve(1), close: () => new Promise(() => undefined) })
    const gone = {}
    await resources.use(stuck, {}, gone)
    const timers = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const left = resources.leave(new Set([gone]))
      await timers.tickAsync(5_000)
      expect((await left).map(({ message }) => message).join()).to.match(/^closing resource stuck: .* within 5000 ms/)
    } finally {
      timers.restore()
    }
  })

  it('are closed and cleaned up at the stop, and refused afterwards', async () => {
    const { events, resources, browser } = parts()
    await resources.use(browser, {})
    await resources.close()
    expect(events).to.deep.equal(['open', 'close', 'clean browser'])
    expect((await errorOf(resources.use(browser, {}))).message).to.contain('after the stop')
  })

  it('that were forgotten are closed and opened anew', async () => {
    const { events, resources, browser } = parts()
    await resources.use(browser, {})
    await resources.forget(browser)
    await resources.use(browser, {})
    expect(events).to.deep.equal(['open', 'close', 'clean browser', 'open'])
  })

  it('are in a table by their definition, not by their id', async () => {
    const table = new ResourceTable()
    const [one, two] = [resource({ id: 'same', open: () => Promise.resolve(1) }), resource({ id: 'same', open: () => Promise.resolve(2) })]
    table.set(one, Promise.resolve(1), () => Promise.resolve())
    expect(table.get(two)).to.equal(undefined)
    expect(await table.get(one)).to.equal(1)
    expect(table.take(two)).to.equal(undefined)
    expect(table.take(one)).to.be.a('function')
    expect(table.get(one)).to.equal(undefined)
    table.set(two, Promise.resolve(2), () => Promise.resolve())
    expect([table.takeAll().length, table.takeAll().length]).to.deep.equal([1, 0])
  })
})
