import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import sinon from 'sinon'
import { Fault } from '../../core/sdk/index.js'
import { crashed } from './faults.js'
import type { Started } from './launch.js'
import { BrowserPool, type PageCall, type PoolSettings } from './pool.js'

/** A browser that can only be open or closed. */
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
      usage: () => Promise.resolve(null),
      renderers: () => Promise.resolve([]),
      signal: () => undefined,
    })
  }
  return { pool: new BrowserPool(start, { pages: 2, browsers: 1, uses: 50, lifetimeMs: 600_000, idleMs: 60_000, ...settings }), browsers }
}

const never: PageCall = callOf('one')

/** Work that ends the browser it gets. */
function hostile(browser: Browser): Promise<never> {
  asFake(browser).die()
  return new Promise(() => undefined)
}

function asFake(browser: Browser): FakeBrowser {
  return browser as unknown as FakeBrowser
}

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (Fault.is(error)) return error
  throw new Error(`expected a Fault, got ${String(error)}`)
}

function callOf(key: string, more: Partial<PageCall> = {}): PageCall {
  return { caller: { account: `account of ${key}`, key }, signal: new AbortController().signal, timeLeft: () => 60_000, ...more }
}

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

  it('F-39 opens a page once more when its browser died, and blames it when it ends a browser that it had for itself', async () => {
    const { pool, browsers } = poolOf()
    let tries = 0
    const once = await pool.run(() => {
      tries += 1
      if (tries > 1) return Promise.resolve('read')
      browsers.at(-1)?.die()
      return Promise.reject(new Error('Target closed'))
    }, never)
    expect([once, tries, pool.started]).to.deep.equal(['read', 2, 2])
    const fault = await faultOf(pool.run(hostile, never))
    expect([fault.kind, fault.message, fault.costly]).to.deep.equal(['blocked', 'the page ended the browser', true])
  })

  it('opens the pages that were open again in a browser each: the one at fault ends its own, the others are read', async () => {
    const { pool, browsers } = poolOf({ pages: 3 })
    const used: number[] = []
    const innocent = (browser: Browser): Promise<string> => {
      used.push(browsers.indexOf(asFake(browser)))
      return used.length > 2 ? Promise.resolve('read') : new Promise(() => undefined)
    }
    const one = pool.run(innocent, callOf('one'))
    const two = pool.run(innocent, callOf('two'))
    await clock.tickAsync(1)
    const fault = await faultOf(pool.run(hostile, callOf('three')))
    expect([fault.kind, fault.costly]).to.deep.equal(['blocked', true])
    expect(await Promise.all([one, two])).to.deep.equal(['read', 'read'])
    expect(used.slice(0, 2)).to.deep.equal([0, 0])
    expect(new Set(used).size).to.equal(3)
    await clock.tickAsync(1)
    expect(browsers.every(({ connected }) => !connected)).to.equal(true)
  })

  it('blames nobody for a browser that others used, and says so when too little time is left', async () => {
    const { pool, browsers } = poolOf()
    const waiting = pool.run(() => new Promise(() => undefined), callOf('one', { timeLeft: () => 2_000 }))
    await clock.tickAsync(1)
    browsers[0]?.die()
    const fault = await faultOf(waiting)
    expect([fault.kind, fault.costly]).to.deep.equal(['busy', false])
  })

  it('opens a page whose tab crashed beside others once more by itself', async () => {
    const { pool } = poolOf()
    let tries = 0
    const other = pool.run(() => new Promise<void>((resolve) => clock.setTimeout(() => resolve(), 100)), callOf('two'))
    const read = pool.run(() => (++tries === 1 ? Promise.reject(crashed()) : Promise.resolve('read')), callOf('one'))
    await clock.tickAsync(200)
    await other
    expect([await read, tries, pool.started]).to.deep.equal(['read', 2, 2])
    const fault = await faultOf(pool.run(() => Promise.reject(crashed()), callOf('one')))
    expect([fault.kind, fault.costly, pool.started]).to.deep.equal(['blocked', true, 2])
  })

  it('opens pages of a key whose pages ended two browsers one at a time and beside nobody, for five minutes', async () => {
    const { pool, browsers } = poolOf({ pages: 4 })
    await faultOf(pool.run(hostile, callOf('bad')))
    await faultOf(pool.run(hostile, callOf('bad')))
    const used = new Map<string, FakeBrowser>()
    const ends: (() => void)[] = []
    const open = (name: string, key: string): Promise<void> =>
      pool.run((browser) => {
        used.set(name, asFake(browser))
        return new Promise<void>((resolve) => ends.push(resolve))
      }, callOf(key))
    const pages = [open('first', 'bad'), open('second', 'bad'), open('neighbour', 'good'), open('another', 'good')]
    await clock.tickAsync(1)
    expect([...used.keys()]).to.have.members(['first', 'neighbour', 'another'])
    expect(used.get('neighbour')).to.equal(used.get('another'))
    expect(used.get('first')).not.to.equal(used.get('neighbour'))
    expect((await faultOf(open('third', 'bad'))).kind).to.equal('busy')
    ends.forEach((end) => end())
    await clock.tickAsync(1)
    ends.forEach((end) => end())
    await Promise.all(pages)
    expect(used.get('second')).not.to.equal(used.get('first'))
    await clock.tickAsync(301_000)
    const count = browsers.length
    await Promise.all([1, 2, 3].map(() => pool.run(() => Promise.resolve(), callOf('bad'))))
    expect(browsers.length).to.be.at.most(count + 1)
  })

  it('opens pages of a key in a browser each for a minute after one ended its own', async () => {
    const { pool, browsers } = poolOf({ pages: 4 })
    await faultOf(pool.run(hostile, callOf('bad')))
    const used = new Set<Browser>()
    const open = (key: string): Promise<void> =>
      pool.run((browser) => {
        used.add(browser)
        return new Promise<void>((resolve) => clock.setTimeout(() => resolve(), 10))
      }, callOf(key))
    const pages = Promise.all([open('bad'), open('bad'), open('good')])
    await clock.tickAsync(20)
    await pages
    expect(used.size).to.equal(3)
    await clock.tickAsync(60_000)
    const count = browsers.length
    const later = Promise.all([open('bad'), open('good')])
    await clock.tickAsync(20)
    await later
    expect(browsers.length).to.be.at.most(count + 1)
  })

  it('keeps a key apart whose page was open when a browser ended and then used up its time in its own', async () => {
    const { pool, browsers } = poolOf({ pages: 4 })
    const slow = (browser: Browser): Promise<never> => {
      if (browsers.length > 1) return Promise.reject(new Fault('blocked', 'the page was not ready in time', { costly: true }))
      return hostile(browser)
    }
    await faultOf(pool.run(slow, callOf('bad')))
    const used = new Set<Browser>()
    const open = (key: string): Promise<void> => pool.run((browser) => Promise.resolve(void used.add(browser)), callOf(key))
    await open('bad')
    await open('good')
    await open('good')
    expect(used.size).to.equal(2)
  })

  it('isolates an account whose keys end browsers in turn', async () => {
    const { pool } = poolOf({ pages: 4 })
    const keyOf = (key: string): PageCall => callOf(key, { caller: { account: 'many', key } })
    for (const key of ['a', 'b', 'c', 'd']) await faultOf(pool.run(hostile, keyOf(key)))
    let open = 0
    const all = ['e', 'f'].map((key) =>
      pool.run(() => {
        open += 1
        return new Promise<void>((resolve) => clock.setTimeout(() => resolve(), 10))
      }, keyOf(key)),
    )
    await clock.tickAsync(1)
    expect(open).to.equal(1)
    await clock.tickAsync(30)
    await Promise.all(all)
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
    const waiting = pool.run(ran, callOf('one', { signal: call.signal })).catch((error: unknown) => error)
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
          : Promise.resolve({
              browser: new FakeBrowser() as unknown as Browser,
              kill: () => undefined,
              usage: () => Promise.resolve(null),
              renderers: () => Promise.resolve([]),
              signal: () => undefined,
            }),
      { pages: 1, browsers: 1, uses: 5, lifetimeMs: 1000, idleMs: 1000 },
    )
    const fault = await flaky.run(() => Promise.resolve(), never).catch((error: unknown) => error)
    expect(Fault.is(fault) && fault.kind).to.equal('broken')
    fail = false
    expect(await flaky.run(() => Promise.resolve('up'), never)).to.equal('up')
    await pool.close()
  })

  it('keeps a place for another account while one has all that it may have, and fills the waiting list of one alone', async () => {
    const { pool } = poolOf({ pages: 2 })
    const open: string[] = []
    const ends: (() => void)[] = []
    const page = (account: string): Promise<void> =>
      pool.run(() => {
        open.push(account)
        return new Promise<void>((resolve) => ends.push(resolve))
      }, callOf(account))
    const greedy = Array.from({ length: 2 + 2 * 8 }, () => page('greedy'))
    await clock.tickAsync(1)
    expect(open).to.deep.equal(['greedy', 'greedy'])
    expect((await faultOf(page('greedy'))).kind).to.equal('busy')
    const modest = [page('modest'), page('modest')]
    await clock.tickAsync(1)
    expect(open).to.deep.equal(['greedy', 'greedy', 'modest'])
    while (open.length < 20) {
      ends.forEach((end) => end())
      await clock.tickAsync(1)
    }
    ends.forEach((end) => end())
    await Promise.all([...greedy, ...modest])
  })

  it('gives the place of a page to others while it waits for its captcha', async () => {
    const { pool } = poolOf({ pages: 1 })
    let solved = (): void => undefined
    const order: string[] = []
    const captcha = new Promise<void>((resolve) => (solved = resolve))
    const waits = pool.run((_browser, { releaseWhile }) => releaseWhile(() => captcha), never).then(() => order.push('solved'))
    await pool.run(() => Promise.resolve(void order.push('another page')), never)
    solved()
    await waits
    expect(order).to.deep.equal(['another page', 'solved'])
  })

  it('gives the place of a page back when it is closed, after its result', async () => {
    const { pool } = poolOf({ pages: 1 })
    let close = (): void => undefined
    const closing = new Promise<void>((resolve) => (close = resolve))
    const first = await pool.run((_browser, { afterwards }) => {
      afterwards(closing)
      return Promise.resolve('read')
    }, never)
    expect(first).to.equal('read')
    let ran = false
    const second = pool.run(() => Promise.resolve((ran = true)), never)
    await clock.tickAsync(1)
    expect(ran).to.equal(false)
    close()
    await second
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
