import { expect } from 'chai'
import { composed } from '../../../core/dispatch/perform.js'
import { problemFrom } from '../../../core/dispatch/from-error.js'
import { Fault, type Cap, type HandlerContext } from '../../../core/sdk/index.js'
import { echo, handle, type Script } from '../../support/test-plugin.js'
import { bench, errorOf, outcomes, saying } from '../../support/unit.js'

const cap: Cap = { most: 2, per: 'day', setting: 'messages_per_day' }

describe('the caps of a plugin', () => {
  const handled = async <T>(
    task: (context: HandlerContext) => Promise<T>,
    { account = 'acc', key = 'key' } = {},
    kit = bench({}),
  ): Promise<T> => {
    const loaded = kit.registry.capabilities.get('test.echo')
    if (loaded === undefined) throw new Error('no capability')
    const state = Object.assign(kit.call(), { account, key })
    let result: { value: T } | null = null
    const handler = handle(echo, async (_, context) => {
      result = { value: await task(context) }
      return { text: '' }
    })
    await composed(kit.environment, { loaded, handler, input: {} }, { call: state, cancel: state.cancel, depth: -1 })
    return (result as { value: T } | null)?.value as T
  }

  it('give out what is left and say when they begin anew', async () => {
    const kit = bench({})
    const take = () => handled((context) => context.caps.take('text_messages', cap), {}, kit)
    expect(await take()).to.deep.include({ most: 2, left: 1, resets_at: '2026-01-02T00:00:00Z' })
    const taken = await take()
    expect(taken.left).to.equal(0)
    const refused = await errorOf(take())
    expect(Fault.is(refused) && refused).to.include({ kind: 'busy', unavailable: true, retryAfterSeconds: 86_400 })
    expect(refused.message).to.equal(
      'The cap of 2 text messages a day (UTC) for this account (plugins.test.messages_per_day) leaves 0, and 1 is needed; the count starts again at 2026-01-02T00:00:00Z.',
    )
    await taken.giveBack()
    await taken.giveBack()
    expect(await handled((context) => context.caps.left('text_messages', cap), {}, kit)).to.include({ left: 1 })
    expect((await errorOf(handled((context) => context.caps.take('text_messages', cap, 2), {}, kit))).message).to.contain(
      'leaves 1, and 2 are needed',
    )
  })

  it('refuse the caller with 429, the time and the setting to change', async () => {
    const problem = problemFrom(await errorOf(handled((context) => context.caps.take('messages', { ...cap, most: 0 }))))
    expect(problem).to.include({ slug: 'rate-limited', status: 429 })
    expect(problem.options).to.include({ retryAfterSeconds: 86_400 })
    expect(problem.options.action).to.contain('plugins.test.messages_per_day')
  })

  it('A10 count for the account, the key or everybody, and for each subject, name and length of time by itself', async () => {
    const kit = bench({})
    const left = async (more: Partial<Cap>, who: { account?: string; key?: string } = {}, name = 'messages') =>
      (await handled((context) => context.caps.take(name, { ...cap, ...more }), who, kit)).left
    expect([await left({}), await left({ of: 'account' }, { key: 'other' })]).to.deep.equal([1, 0])
    expect(await left({}, { account: 'two' })).to.equal(1)
    expect([await left({ of: 'key' }), await left({ of: 'key' }, { key: 'other' })]).to.deep.equal([1, 1])
    expect([await left({ of: 'gateway' }), await left({ of: 'gateway' }, { account: 'two' })]).to.deep.equal([1, 0])
    expect([await left({ subject: '+491700000001' }), await left({ subject: '+491700000002' })]).to.deep.equal([1, 1])
    expect([await left({ per: 3_600 }), await left({}, {}, 'others')]).to.deep.equal([1, 1])
    kit.clock.advance(3_600_000)
    expect(await left({ per: 3_600 })).to.equal(1)
  })

  it('keep no subject in the clear', async () => {
    const ids: string[] = []
    const kit = bench(
      {},
      {
        caps: {
          take: ({ id }) => (ids.push(id), Promise.resolve({ taken: true, left: 1, window: 1, endsAt: 1, leftMs: 1 })),
          giveBack: () => Promise.resolve(),
        },
      },
    )
    await handled((context) => context.caps.take('messages', { ...cap, subject: '+491700000001' }), {}, kit)
    expect(ids.join()).to.match(/^[\w-]{32}$/)
  })

  it('that are used up in a provider let the next one be called, and suspend none', async () => {
    const run = async (_: unknown, context: { caps: HandlerContext['caps'] }) => {
      await context.caps.take('messages', { ...cap, most: 0 })
      return { text: '' }
    }
    const script: Script = {
      'test.echo': [
        { vendor: 'capped', run },
        { vendor: 'free', run: saying('hi') },
      ],
    }
    const kit = bench(script)
    const state = kit.call()
    expect(await kit.ask(state)).to.deep.include({ provider: 'free' })
    expect(outcomes(state.attempts)).to.deep.equal(['capped busy', 'free ok'])
    expect(kit.suspensions.list()).to.deep.equal([])
    const alone = bench({ 'test.echo': [{ vendor: 'capped', run }] })
    expect(problemFrom(await errorOf(alone.ask(alone.call())))).to.include({ slug: 'rate-limited' })
  })

  it('that mean nothing are a mistake of the plugin', async () => {
    const wrong = async (more: Partial<Cap>, name = 'messages', amount = 1) =>
      expect(await errorOf(handled((context) => context.caps.take(name, { ...cap, ...more }, amount)))).to.be.instanceOf(TypeError)
    for (const most of [-1, 1.5, NaN]) await wrong({ most })
    for (const per of [0, 0.5, 3e9]) await wrong({ per })
    await wrong({}, 'Messages')
    await wrong({}, 'messages', 0)
    await wrong({ subject: 'x'.repeat(20_000) })
  })
})
