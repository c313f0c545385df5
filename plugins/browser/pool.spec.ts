import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import sinon from 'sinon'
import { Fault } from '../../core/sdk/index.js'
import type { Started } from './launch.js'
import { BrowserPool, type PoolSettings } from './pool.js'

/** A browser of which only life and death are real. */
class FakeBrowser extends EventEmitter {
  connected = true
  answers = true
  killed = false
  closed = false
  isConnected(): boolean {
    return this.connected
  }
  newBrowserCDPSession(): Promise<{ send: () => Promise<unknown> }> {
    return Promise.resolve({ send: () => (this.answers ? Promise.resolve({}) : new Promise(() => undefined)) })
  }
  close(): Promise<void> {
    this.closed = true
    this.die()
    return Promise.resolve()
  }
  die(): void {
    if (!this.connected) return
    this.connected = false
    this.emit('disconnected')
  }
}

function poolOf(settings: Partial<PoolSettings> = {}): { pool: BrowserPool; browsers: FakeBrowser[] } {
  const browsers: FakeBrowser[] = []
  const start = (): Promise<Started> => {
    const fake = new FakeBrowser()
    browsers.push(fake)
    const browser = fake as unknown as Browser
    return Promise.resolve({
      browser,
      kill: () => {
        fake.killed = true
        fake.die()
      },
    })
  }
  return { pool: new BrowserPool(start, { pages: 2, uses: 50, lifetimeMs: 600_000, idleMs: 60_000, ...settings }), browsers }
}

const never = new AbortController().signal

describe('browser pool', () => {
  let clock: sinon.SinonFakeTimers
  beforeEach(() => (clock = sinon.useFakeTimers()))
  afterEach(() => clock.restore())

  it('T-33 replaces the browser after so many uses and ends the old one', async () => {
    const { pool, browsers } = poolOf({ uses: 3 })
    for (let page = 0; page < 7; page += 1) await pool.run(() => Promise.resolve(page), never)
    expect(pool.started).to.equal(3)
    expect(browsers.map(({ closed }) => closed)).to.deep.equal([true, true, false])
  })

  it('T-33 replaces the browser after its lifetime', async () => {
    const { pool } = poolOf({ lifetimeMs: 600_000, idleMs: 10_000_000 })
    await pool.run(() => Promise.resolve(), never)
    await clock.tickAsync(599_000)
    await pool.run(() => Promise.resolve(), never)
    expect(pool.started).to.equal(1)
    await clock.tickAsync(2_000)
    await pool.run(() => Promise.resolve(), never)
    expect(pool.started).to.equal(2)
  })

  it('keeps an old browser for the pages it still has', async () => {
    const { pool, browsers } = poolOf({ uses: 1 })
    let finish: () => void = () => undefined
    const long = pool.run(() => new Promise<void>((resolve) => (finish = resolve)), never)
    await clock.tickAsync(1)
    await pool.run(() => Promise.resolve(), never)
    expect(browsers[0]?.closed).to.equal(false)
    finish()
    await long
    await clock.tickAsync(1)
    expect(browsers[0]?.closed).to.equal(true)
  })

  it('F-39 tries a page once more when its browser died, and blames the page the second time', async () => {
    const { pool, browsers } = poolOf()
    let tries = 0
    const once = await pool.run(() => {
      tries += 1
      if (tries > 1) return Promise.resolve('read')
      browsers.at(-1)?.die()
      return Promise.reject(new Error('Target closed'))
    }, never)
    expect([once, tries, pool.started]).to.deep.equal(['read', 2, 2])
    const both = pool.run(() => {
      browsers.at(-1)?.die()
      return Promise.reject(new Error('Target closed'))
    }, never)
    const fault = await both.catch((error: unknown) => error)
    expect(Fault.is(fault) && fault.kind).to.equal('blocked')
  })

  it('F-39 kills a browser that gives no sign of life within two seconds, and the page goes to a new one', async () => {
    const { pool, browsers } = poolOf()
    let tries = 0
    const hanging = pool.run(() => {
      tries += 1
      return tries === 1
        ? new Promise<string>((_resolve, reject) => browsers[0]?.once('disconnected', () => reject(new Error('Target closed'))))
        : Promise.resolve('read')
    }, never)
    await clock.tickAsync(10)
    const first = browsers[0]
    if (first === undefined) throw new Error('no browser was started')
    first.answers = false
    await clock.tickAsync(2000)
    expect(first.killed).to.equal(true)
    expect(await hanging).to.equal('read')
  })

  it('opens at most so many pages, lets others wait in order, and refuses when too many wait', async () => {
    const { pool } = poolOf({ pages: 1 })
    const order: number[] = []
    const ends: (() => void)[] = []
    const all = Array.from({ length: 9 }, (_, at) =>
      pool.run(() => {
        order.push(at)
        return new Promise<void>((resolve) => ends.push(resolve))
      }, never),
    )
    await clock.tickAsync(1)
    expect(order).to.deep.equal([0])
    const refused = await pool.run(() => Promise.resolve(), never).catch((error: unknown) => error)
    expect(Fault.is(refused) && refused.kind).to.equal('busy')
    for (let at = 0; at < 9; at += 1) {
      ends[at]?.()
      await clock.tickAsync(1)
    }
    await Promise.all(all)
    expect(order).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('forgets a page that waited when its call is over', async () => {
    const { pool } = poolOf({ pages: 1 })
    let finish: () => void = () => undefined
    const first = pool.run(() => new Promise<void>((resolve) => (finish = resolve)), never)
    await clock.tickAsync(1)
    const call = new AbortController()
    const ran = sinon.fake.resolves(undefined)
    const waiting = pool.run(ran, call.signal).catch((error: unknown) => error)
    call.abort()
    const fault = await waiting
    expect(Fault.is(fault) && fault.kind).to.equal('busy')
    finish()
    await first
    await pool.run(() => Promise.resolve(), never)
    expect(ran.called).to.equal(false)
  })

  it('closes a browser that nobody uses, and starts one again when asked', async () => {
    const { pool, browsers } = poolOf({ idleMs: 5_000 })
    await pool.run(() => Promise.resolve(), never)
    await clock.tickAsync(5_001)
    expect(browsers[0]?.closed).to.equal(true)
    await pool.run(() => Promise.resolve(), never)
    expect(pool.started).to.equal(2)
  })

  it('gives a failed start to the caller and starts anew for the next', async () => {
    let fail = true
    const { pool } = poolOf()
    const flaky = new BrowserPool(
      () =>
        fail
          ? Promise.reject(new Fault('broken', 'the browser did not start'))
          : Promise.resolve({ browser: new FakeBrowser() as unknown as Browser, kill: () => undefined }),
      { pages: 1, uses: 5, lifetimeMs: 1000, idleMs: 1000 },
    )
    const fault = await flaky.run(() => Promise.resolve(), never).catch((error: unknown) => error)
    expect(Fault.is(fault) && fault.kind).to.equal('broken')
    fail = false
    expect(await flaky.run(() => Promise.resolve('up'), never)).to.equal('up')
    await pool.close()
  })

  it('ends every browser when closed and refuses work after', async () => {
    const { pool, browsers } = poolOf()
    await pool.run(() => Promise.resolve(), never)
    await pool.close()
    expect(browsers[0]?.closed).to.equal(true)
    const fault = await pool.run(() => Promise.resolve(), never).catch((error: unknown) => error)
    expect(Fault.is(fault) && fault.kind).to.equal('broken')
  })
})
