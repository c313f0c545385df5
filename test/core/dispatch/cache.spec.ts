import { expect } from 'chai'
import type { CacheOptions } from '../../../core/sdk/index.js'
import { Fault, Type, type HandlerContext } from '../../../core/sdk/index.js'
import { Problem } from '../../../core/problems/problem.js'
import type { CallState } from '../../../core/dispatch/call.js'
import { composed } from '../../../core/dispatch/perform.js'
import { handle, type Script } from '../../support/test-plugin.js'
import { echo, part } from '../../support/test-plugin.js'
import { bench, errorOf, outcomes, saying, settle } from '../../support/unit.js'

const shape = Type.Object({ text: Type.String() })
const MINUTE: CacheOptions<typeof shape> = { shape, seconds: 60 }

type Task = (context: HandlerContext) => Promise<{ text: string }>
const nothing: Task = () => Promise.reject(new Error('no task'))

/** Loads that end when the test says so. */
class Loads {
  readonly begun: { readonly context: HandlerContext; end(text: string): void; fail(error: Error): void }[] = []
  readonly load = (context: HandlerContext): Promise<{ text: string }> =>
    new Promise((resolve, reject) => {
      this.begun.push({ context, end: (text) => resolve({ text }), fail: reject })
    })
}

describe('the cache of a plugin', () => {
  const gateway = (script: Script = {}) => {
    const tasks = new Map<CallState, Task>()
    let running: CallState
    const kit = bench({
      ...script,
      handler: handle(echo, async (_, context) => await (tasks.get(running) ?? nothing)(context)),
    })
    const loaded = kit.registry.capabilities.get('test.echo')
    if (loaded?.handler === null || loaded === undefined) throw new Error('no handler')
    const { handler } = loaded
    /** A call of a handler that does this. */
    const call = (task: Task, { ms = 5_000, state = kit.call(ms) } = {}) => {
      tasks.set(state, task)
      running = state
      const answer = composed(kit.environment, { loaded, handler, input: { text: 'x' } }, { call: state, cancel: state.cancel, depth: -1 })
      void answer.catch(() => undefined)
      return { state, answer }
    }
    const by = (account: string): CallState => Object.assign(kit.call(), { account })
    return { ...kit, call, by }
  }

  it('loads a value once for all concurrent calls and until it expires; each has a copy of its own', async () => {
    const kit = gateway()
    const loads = new Loads()
    const get = () => kit.call((context) => context.cache.get('k', MINUTE, loads.load)).answer
    const [one, two] = [get(), get()]
    await settle()
    expect(loads.begun.length).to.equal(1)
    loads.begun[0]?.end('a')
    const [first, second] = [await one, await two]
    expect([first, second]).to.deep.equal([{ text: 'a' }, { text: 'a' }])
    expect(first).not.to.equal(second)
    Object.assign(first as object, { text: 'changed' })
    kit.clock.advance(59_999)
    expect(await get()).to.deep.equal({ text: 'a' })
    kit.clock.advance(1)
    const third = get()
    await settle()
    loads.begun[1]?.end('b')
    expect(await third).to.deep.equal({ text: 'b' })
  })

  it('distinguishes keys by their parts and not only by their text', async () => {
    const kit = gateway()
    const texts: string[] = []
    for (const key of ['a', ['a', 'b'], ['a","b'], ['ab'], [1], ['1']])
      await kit.call((context) => context.cache.get(key, MINUTE, () => Promise.resolve({ text: String(texts.push('')) }))).answer
    expect(texts.length).to.equal(6)
  })

  it('goes on with a load when the call that began it leaves and another one waits', async () => {
    const kit = gateway()
    const loads = new Loads()
    const one = kit.call((context) => context.cache.get('k', MINUTE, loads.load))
    const two = kit.call((context) => context.cache.get('k', MINUTE, loads.load))
    await settle()
    one.state.cancel.cancel('client-gone')
    one.state.end(() => undefined)
    expect((await errorOf(one.answer)).name).to.equal('Stopped')
    const [load] = loads.begun
    expect(load?.context.signal.aborted).to.equal(false)
    load?.end('a')
    expect(await two.answer).to.deep.equal({ text: 'a' })
    expect(loads.begun.length).to.equal(1)
  })

  it('cancels a load that nobody waits for any more; the next call loads again', async () => {
    const kit = gateway()
    const loads = new Loads()
    const calls = [1, 2].map(() => kit.call((context) => context.cache.get('k', MINUTE, loads.load)))
    await settle()
    for (const { state } of calls) {
      expect(loads.begun[0]?.context.signal.aborted).to.equal(false)
      state.cancel.cancel('client-gone')
      await settle()
    }
    expect(loads.begun[0]?.context.signal.aborted).to.equal(true)
    const next = kit.call((context) => context.cache.get('k', MINUTE, loads.load))
    await settle()
    loads.begun[1]?.end('b')
    loads.begun[0]?.end('late')
    expect(await next.answer).to.deep.equal({ text: 'b' })
    expect(await kit.call((context) => context.cache.get('k', MINUTE, loads.load)).answer).to.deep.equal({ text: 'b' })
  })

  it('loads anew for who has more time than the one whose load ran out of it', async () => {
    const kit = gateway()
    const loads = new Loads()
    const short = kit.call((context) => context.cache.get('k', MINUTE, loads.load), { ms: 1_000 })
    const long = kit.call((context) => context.cache.get('k', MINUTE, loads.load), { ms: 9_000 })
    await settle()
    expect(loads.begun[0]?.context.timeLeft()).to.equal(1_000)
    kit.clock.advance(1_000)
    expect((await errorOf(short.answer)).message).to.contain('deadline')
    await settle()
    expect(loads.begun.length).to.equal(2)
    loads.begun[1]?.end('b')
    expect(await long.answer).to.deep.equal({ text: 'b' })
  })

  it('keeps no failure: all who wait have it, the next one loads', async () => {
    const kit = gateway()
    const loads = new Loads()
    const calls = [1, 2].map(() => kit.call((context) => context.cache.get('k', MINUTE, loads.load)).answer)
    await settle()
    loads.begun[0]?.fail(new Fault('broken', 'out of order'))
    for (const each of calls) expect(await errorOf(each)).to.include({ kind: 'broken' })
    const missing = kit.call((context) => context.cache.get('k', MINUTE, loads.load)).answer
    await settle()
    loads.begun[1]?.fail(new Fault('missing', 'nothing there'))
    expect(await errorOf(missing)).to.include({ kind: 'missing' })
    const next = kit.call((context) => context.cache.get('k', MINUTE, loads.load)).answer
    await settle()
    loads.begun[2]?.end('c')
    expect(await next).to.deep.equal({ text: 'c' })
  })

  it('keeps an empty outcome, with the words of the load, where missingSeconds is given', async () => {
    const kit = gateway()
    let loads = 0
    const get = () =>
      kit.call((context) =>
        context.cache.get('k', { ...MINUTE, missingSeconds: 10 }, () => {
          loads++
          return Promise.reject(new Fault('missing', 'Nobody is there.'))
        }),
      ).answer
    for (let time = 0; time < 2; time++) expect(await errorOf(get())).to.include({ kind: 'missing', message: 'Nobody is there.' })
    expect(loads).to.equal(1)
    kit.clock.advance(10_000)
    await errorOf(get())
    expect(loads).to.equal(2)
  })

  it('B2 B3 keeps no failure of a load for missingSeconds: neither one that could not check nor one that is broken', async () => {
    const kit = gateway()
    const lack = new Problem('overloaded', 'The gateway lacks an answer of its name servers.')
    const failures = [
      new Fault('missing', 'x', { inconclusive: true }),
      new Fault('missing', 'x', { unavailable: true }),
      ...(['busy', 'broken', 'quota', 'credentials', 'blocked'] as const).map((kind) => new Fault(kind, 'x')),
      new Fault('busy', 'x', { unavailable: true, cause: lack }),
      lack,
    ]
    for (const [at, failure] of failures.entries()) {
      const get = (load: Task) => kit.call((context) => context.cache.get(`k${at}`, { ...MINUTE, missingSeconds: 60 }, load)).answer
      expect(await errorOf(get(() => Promise.reject(failure)))).to.include({ message: failure.message })
      expect(await get(() => Promise.resolve({ text: 'found' }))).to.deep.equal({ text: 'found' })
    }
  })

  it('shares no refusal that is about one account: the next one who waits loads', async () => {
    const kit = gateway()
    const cap = { most: 1, per: 'day' as const, of: 'account' as const, setting: 'loads_per_day' }
    let loads = 0
    const get = (account: string) => {
      const state = kit.by(account)
      return kit.call(
        (context) =>
          context.cache.get('k', MINUTE, async (own) => {
            await own.caps.take('loads', cap)
            loads++
            return { text: own.requestId }
          }),
        { state },
      ).answer
    }
    await kit.call((context) => context.caps.take('loads', cap).then(() => ({ text: '' })), {
      state: kit.by('poor'),
    }).answer
    const [poor, rich] = [get('poor'), get('rich')]
    expect(await errorOf(poor)).to.include({ kind: 'busy' })
    expect(await rich).to.deep.equal({ text: 'req_1' })
    expect(loads).to.equal(1)
  })

  it('gives each account its own values where that is requested, and each plugin always', async () => {
    const kit = gateway()
    const get = (account: string, per: 'account' | 'all') =>
      kit.call((context) => context.cache.get('k', { ...MINUTE, per }, () => Promise.resolve({ text: account })), {
        state: kit.by(account),
      }).answer
    expect([await get('one', 'account'), await get('two', 'account'), await get('one', 'account')]).to.deep.equal([
      { text: 'one' },
      { text: 'two' },
      { text: 'one' },
    ])
    expect([await get('one', 'all'), await get('two', 'all')]).to.deep.equal([{ text: 'one' }, { text: 'one' }])
    const names = [kit.environment.names.of('cache', 'a', '', '["k"]'), kit.environment.names.of('cache', 'b', '', '["k"]')]
    expect(new Set(names).size).to.equal(2)
    expect(names.join()).not.to.contain('k"')
  })

  it('gives a stale value while it loads a new one behind the call, once; a failure leaves it, and is not repeated at once', async () => {
    const kit = gateway()
    const loads = new Loads()
    const get = () => kit.call((context) => context.cache.get('k', { ...MINUTE, staleSeconds: 600 }, loads.load))
    const first = get()
    await settle()
    loads.begun[0]?.end('a')
    await first.answer
    kit.clock.advance(60_000)
    const stale = get()
    expect(await stale.answer).to.deep.equal({ text: 'a' })
    stale.state.end(() => undefined)
    expect(await get().answer).to.deep.equal({ text: 'a' })
    expect(loads.begun.length).to.equal(2)
    loads.begun[1]?.fail(new Fault('broken', 'out of order'))
    await settle()
    expect(await get().answer).to.deep.equal({ text: 'a' })
    expect(loads.begun.length).to.equal(2)
    kit.clock.advance(5_000)
    expect(await get().answer).to.deep.equal({ text: 'a' })
    loads.begun[2]?.end('b')
    await settle()
    expect(await get().answer).to.deep.equal({ text: 'b' })
    kit.clock.advance(660_000)
    void get()
    await settle()
    expect(loads.begun.length).to.equal(4)
  })

  it('says which vendors a value came from, also to calls that found it', async () => {
    const kit = gateway({ 'test.part': [{ vendor: 'acme', run: saying('word') }] })
    const get = () => kit.call((context) => context.cache.get('k', MINUTE, (own) => own.call(part, { text: 'x' })))
    const [first, second] = [get(), get()]
    expect([await first.answer, await second.answer]).to.deep.equal([{ text: 'word' }, { text: 'word' }])
    const third = get()
    await third.answer
    expect([first, second, third].map(({ state }) => state.contributors(''))).to.deep.equal([['acme'], ['acme'], ['acme']])
    for (const { state } of [first, second, third]) expect(state.contributions).to.deep.equal([{ vendor: 'acme', port: 'test.part' }])
    expect([first, second, third].map(({ state }) => state.attempts.length)).to.deep.equal([1, 0, 0])
  })

  it('notes the attempts of a load where they began, not where it ended', async () => {
    let quick = (): void => undefined
    const answered = new Promise<void>((resolve) => (quick = resolve))
    const kit = gateway({
      'test.part': [{ vendor: 'slow', run: async () => (await answered, { text: 'word' }) }],
      'test.echo': [{ vendor: 'quick', run: () => (quick(), Promise.resolve({ text: 'x' })) }],
    })
    const { state, answer } = kit.call(async (context) => {
      const value = context.cache.get('k', MINUTE, (own) => own.call(part, { text: 'x' }))
      await settle()
      await context.call(echo, { text: 'x' })
      return await value
    })
    await answer
    expect(outcomes(state.attempts)).to.deep.equal(['slow ok', 'quick ok'])
  })

  it('of a handler whose own vendors answered names these alone, as a call without a cache does', async () => {
    const kit = gateway({
      'test.part': [{ vendor: 'reader', run: saying('page') }],
      'test.echo': [{ vendor: 'acme', run: saying('word') }],
    })
    const get = () =>
      kit.call((context) =>
        context.cache.get('k', MINUTE, async (own) => {
          await own.call(part, { text: 'x' })
          return await own.call(echo, { text: 'x' })
        }),
      )
    const [first, second] = [get(), get()]
    expect([await first.answer, await second.answer]).to.deep.equal([{ text: 'word' }, { text: 'word' }])
    expect([first, second].map(({ state }) => state.contributors('test.echo'))).to.deep.equal([['acme'], ['acme']])
  })

  it('takes no value that does not fit, no options that mean nothing, and no load that requests itself', async () => {
    const kit = gateway()
    const error = async (task: Task) => await errorOf(kit.call(task).answer)
    expect(await error((context) => context.cache.get('k', MINUTE, () => Promise.resolve({ text: 7 } as never)))).to.be.instanceOf(
      TypeError,
    )
    for (const seconds of [-1, NaN, Infinity, 2_678_401])
      expect(await error((context) => context.cache.get('k', { shape, seconds }, () => Promise.resolve({ text: '' })))).to.be.instanceOf(
        TypeError,
      )
    expect(await error((context) => context.cache.get('k'.repeat(20_000), MINUTE, () => Promise.resolve({ text: '' })))).to.be.instanceOf(
      TypeError,
    )
    const itself: Task = (context) => context.cache.get('k', MINUTE, itself)
    expect((await error(itself)).message).to.contain('requests that value')
  })

  it('loads anew what is kept in a shape that the plugin had before', async () => {
    const kit = gateway()
    await kit.call((context) =>
      context.cache
        .get('k', { shape: Type.Object({ word: Type.String() }), seconds: 60 }, () => Promise.resolve({ word: 'old' }))
        .then(() => ({ text: '' })),
    ).answer
    const get = () => kit.call((context) => context.cache.get('k', MINUTE, () => Promise.resolve({ text: 'new' }))).answer
    expect(await get()).to.deep.equal({ text: 'new' })
  })

  it('gives a value of more than 256 KiB to those who wait, and does not keep it; many small ones give way to newer ones', async () => {
    const kit = gateway()
    let loads = 0
    const get = (key: string, size: number) =>
      kit.call((context) => context.cache.get(key, MINUTE, () => Promise.resolve({ text: `${++loads}`.padEnd(size, 'x') }))).answer
    await get('large', 300_000)
    await get('large', 300_000)
    expect(loads).to.equal(2)
    // The memory of the test is 1 MiB, two bytes a character.
    for (let key = 0; key < 10; key++) await get(String(key), 100_000)
    await get('9', 100_000)
    expect(loads).to.equal(12)
    await get('0', 100_000)
    expect(loads).to.equal(13)
  })
})
