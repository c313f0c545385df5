import { expect } from 'chai'
import { CallContext } from '../../../core/dispatch/context.js'
import { Stopped, Unavailable } from '../../../core/problems/errors.js'
import { perform } from '../../../core/dispatch/perform.js'
import { assertServed } from '../../../core/dispatch/ports.js'
import type { HandlerContext } from '../../../core/sdk/index.js'
import { echo, Fault, handle, part, type Script } from '../../support/test-plugin.js'
import { bench, errorOf, failing, outcomes, saying, settle, silent } from '../../support/unit.js'

type Kit = ReturnType<typeof bench>

async function performed(kit: Kit, id = 'test.echo') {
  const loaded = kit.registry.capabilities.get(id)
  if (loaded === undefined) throw new Error(`no ${id}`)
  const call = kit.call()
  return { call, result: await perform(kit.environment, loaded, { text: 'hello', mode: 'plain', times: 1, note: null }, call) }
}
const withHandler = (run: (context: HandlerContext, text: string) => Promise<{ text: string }>, rest: Script = {}): Kit =>
  bench({ ...rest, handler: handle(echo, ({ text }, context) => run(context, text)) })

describe('ports called by code', () => {
  it('gather calls every live provider at once and answers in the order of the waterfall', async () => {
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => (release = resolve))
    const kit = withHandler(
      async (context) => ({
        text: (await context.gather(part, { text: 'q' })).map(({ provider, data }) => `${provider}=${data.text}`).join(),
      }),
      {
        'test.part': [
          { vendor: 'one', run: async () => (await gate, { text: '1' }) },
          { vendor: 'two', run: async () => (release(), await Promise.resolve({ text: '2' })) },
          { vendor: 'three', run: failing('missing') },
          { vendor: 'four', run: saying('4'), state: 'dormant', reason: 'set FOUR' },
        ],
      },
    )
    const { call, result } = await performed(kit)
    expect(result).to.deep.equal({ data: { text: 'one=1,two=2' }, providerUsed: 'merged' })
    expect(outcomes(call.attempts).sort()).to.deep.equal(['one ok', 'three missing', 'two ok'])
    expect(call.contributors('')).to.deep.equal(['one', 'two'])
  })

  it('gather notes suspended providers as skipped, and with all suspended sends one probe', async () => {
    const kit = withHandler(async (context) => ({ text: String((await context.gather(part, { text: 'q' })).length) }), {
      'test.part': [
        { vendor: 'one', run: saying('1') },
        { vendor: 'two', run: saying('2') },
      ],
    })
    kit.suspensions.failed('test.part/one', new Fault('quota', 'x'), { started: kit.clock.monotonic(), local: false })
    const first = await performed(kit)
    expect(outcomes(first.call.attempts)).to.deep.equal(['one skipped', 'two ok'])
    kit.suspensions.failed('test.part/two', new Fault('busy', 'x'), { started: kit.clock.monotonic(), local: false })
    const second = await performed(kit)
    expect(second.result.data).to.deep.equal({ text: '1' })
    expect(second.call.contributors('')).to.deep.equal(['two'])
  })

  it('gather of a port that nobody serves is Unavailable', async () => {
    const kit = withHandler(async (context) => ({ text: String((await context.gather(part, { text: 'q' })).length) }))
    expect(await errorOf(performed(kit))).to.be.instanceOf(Unavailable)
  })

  it('a nested port is part of the same call: attempts in order, one deadline, the outer provider wins', async () => {
    const kit = bench({
      'test.echo': [{ vendor: 'outer', run: (_input, context) => context.call(part, { text: 'inner question' }) }],
      'test.part': [{ vendor: 'inner', run: ({ text }) => Promise.resolve({ text: `re: ${text}` }) }],
    })
    const call = kit.call()
    expect(await kit.ask(call)).to.deep.equal({ provider: 'outer', data: { text: 're: inner question' } })
    expect(call.attempts.map(({ provider, port }) => `${provider} ${port}`)).to.deep.equal(['outer test.echo', 'inner test.part'])
    expect(call.contributors('')).to.deep.equal(['outer'])
  })

  it('an attempt names its caller, and so does the log line of its failure', async () => {
    const nested = { vendor: 'inner', run: saying('never'), serves: () => false }
    const calling = bench({
      'test.echo': [{ vendor: 'outer', run: (_input, context) => context.call(part, { text: 'x' }) }],
      'test.part': [{ vendor: 'one', run: failing('broken') }, nested, { vendor: 'two', run: saying('2') }],
    })
    const call = calling.call()
    await calling.ask(call)
    expect(call.attempts.map(({ provider, under = null }) => [provider, under])).to.deep.equal([
      ['outer', null],
      ['one', 'test.echo/outer'],
      ['inner', 'test.echo/outer'],
      ['two', 'test.echo/outer'],
    ])
    expect(calling.logs.map(({ fields }) => fields?.['under'])).to.deep.equal(['test.echo/outer'])
    const composing = withHandler((context) => context.call(part, { text: 'x' }), {
      'test.send': [{ vendor: 'outer', run: (_input, context) => context.call(echo, { text: 'x' }) }],
      'test.part': [{ vendor: 'one', run: saying('1') }],
    })
    const above = composing.call()
    await composing.ask(above, 'test.send', { given: { text: 'x' } })
    expect(above.attempts.map(({ provider, under = null }) => [provider, under])).to.deep.equal([
      ['outer', null],
      ['one', 'test.echo'],
    ])
  })

  it('a time limit of the outer provider ends the inner one too', async () => {
    const kit = bench({
      'test.echo': [
        { vendor: 'outer', timeoutMs: 100, run: (_input, context) => context.call(part, { text: 'x' }) },
        { vendor: 'next', run: saying('ok') },
      ],
      'test.part': [{ vendor: 'inner', run: silent }],
    })
    const call = kit.call()
    const answer = kit.ask(call)
    await settle()
    kit.clock.advance(100)
    expect((await answer).provider).to.equal('next')
    expect(outcomes(call.attempts)).to.deep.equal(['outer busy', 'inner busy', 'next ok'])
  })

  it('T-69 ports that call each other in a loop are stopped', async () => {
    let called = 0
    const kit = bench({ 'test.part': [{ vendor: 'loop', run: (_input, context) => (called++, context.call(part, { text: 'again' })) }] })
    const error = await errorOf(kit.ask(kit.call(), 'test.part', { given: { text: 'x' } }))
    expect(Fault.is(error) && error.kind).to.equal('broken')
    expect(called).to.equal(9)
  })

  it('T-69 a gather in a circle is stopped too', async () => {
    let called = 0
    const kit = bench({
      'test.part': [
        {
          vendor: 'loop',
          run: async (_input, context) => (
            called++,
            await (context as unknown as HandlerContext).gather(part, { text: 'again' }),
            { text: 'x' }
          ),
        },
      ],
    })
    await kit.ask(kit.call(), 'test.part', { given: { text: 'x' } }).catch(() => undefined)
    expect(called).to.equal(9)
  })

  it('calls one vendor of a port when the handler says only', async () => {
    const kit = withHandler((context) => context.call(part, { text: 'x' }, { only: 'two' }), {
      'test.part': [
        { vendor: 'one', run: saying('1') },
        { vendor: 'two', run: saying('2') },
      ],
    })
    expect((await performed(kit)).result).to.deep.equal({ data: { text: '2' }, providerUsed: 'two' })
  })

  it("refuses an input outside the port's schema before any vendor is called, and leaves the caller's object alone", async () => {
    const given = { text: 7 } as never
    const kit = withHandler((context) => context.call(part, given), { 'test.part': [{ vendor: 'one', run: saying('1') }] })
    const error = await errorOf(performed(kit))
    expect(Fault.is(error) && error.kind).to.equal('broken')
    const mine = { text: 'hi' }
    const called: unknown[] = []
    const filled = bench({ 'test.echo': [{ vendor: 'one', run: (input) => (called.push(input), Promise.resolve({ text: 'x' })) }] })
    await filled.ask(filled.call(), 'test.echo', { given: mine })
    expect(called).to.deep.equal([{ text: 'hi', mode: 'plain', times: 1, note: null }])
    expect(mine).to.deep.equal({ text: 'hi' })
  })

  it('has() is true for a live provider, also while it is suspended: a call reports that it is', () => {
    const kit = bench({
      'test.part': [{ vendor: 'one', run: saying('1') }],
      'test.echo': [{ vendor: 'off', run: saying('x'), state: 'dormant' }],
    })
    const call = kit.call()
    const context = new CallContext(kit.environment, { call, cancel: call.cancel, depth: -1 }, null)
    expect(context.has(part)).to.equal(true)
    expect(context.has(echo)).to.equal(false)
    kit.suspensions.failed('test.part/one', new Fault('busy', 'x'), { started: kit.clock.monotonic(), local: false })
    expect(context.has(part)).to.equal(true)
    kit.clock.advance(5_000)
    expect(context.has(part)).to.equal(true)
    expect(kit.suspensions.admit('test.part/one')).to.equal('probe', 'has() takes no probe away')
  })
})

describe('a capability', () => {
  it('without a handler is its own waterfall, and the winner is provider_used', async () => {
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: failing('missing') },
        { vendor: 'two', run: saying('x') },
      ],
    })
    expect((await performed(kit)).result).to.deep.equal({ data: { text: 'x' }, providerUsed: 'two' })
  })

  it('names the vendor of its own port alone, when other ports only helped', async () => {
    const own = { vendor: 'one', run: saying('1') }
    const callPart = async (context: HandlerContext, text: string): Promise<{ text: string }> => {
      await context.call(part, { text })
      return await context.call(echo, { text, mode: 'plain', times: 1, note: null })
    }
    const kit = withHandler(callPart, { 'test.part': [{ vendor: 'helper', run: saying('x') }], 'test.echo': [own] })
    const { call, result } = await performed(kit)
    expect(result).to.deep.equal({ data: { text: '1' }, providerUsed: 'one' })
    expect(outcomes(call.attempts)).to.deep.equal(['helper ok', 'one ok'])
    const two = { vendor: 'two', run: saying('2') }
    const merging = withHandler(
      async (context, text) => {
        await context.gather(echo, { text, mode: 'plain', times: 1, note: null })
        return await context.call(part, { text })
      },
      { 'test.part': [{ vendor: 'helper', run: saying('x') }], 'test.echo': [own, two] },
    )
    const merged = await performed(merging)
    expect(merged.call.contributors('test.echo')).to.deep.equal(['one', 'two'])
    expect(merged.result.providerUsed).to.equal('merged')
  })

  it('with several winners says merged, or the word of its own', async () => {
    const rest = {
      'test.part': [
        { vendor: 'one', run: saying('1') },
        { vendor: 'two', run: saying('2') },
      ],
    }
    const kit = withHandler(async (context) => (await context.gather(part, { text: 'x' }), { text: 'y' }), rest)
    expect((await performed(kit)).result.providerUsed).to.equal('merged')
    const loaded = kit.registry.capabilities.get('test.echo')
    if (loaded === undefined) throw new Error('no test.echo')
    const own = await perform(
      kit.environment,
      { ...loaded, capability: { ...loaded.capability, many: 'multi' } },
      { text: 'x' },
      kit.call(),
    )
    expect(own.providerUsed).to.equal('multi')
    expect((await performed(withHandler(() => Promise.resolve({ text: 'alone' })))).result.providerUsed).to.equal(null)
  })

  it('T-27 whose handler answers outside its schema fails, and nothing of it reaches the caller', async () => {
    const error = await errorOf(performed(withHandler(() => Promise.resolve({ words: 'x' } as never))))
    expect(error).to.be.instanceOf(TypeError)
    expect(error.message).to.contain('handler of test.echo answered outside its schema')
  })

  it('whose handler has nothing is missing', async () => {
    const error = await errorOf(performed(withHandler(() => Promise.resolve(null as never))))
    expect(Fault.is(error) && error.kind).to.equal('missing')
  })

  it('T-69 whose handler never settles ends with the call', async () => {
    const kit = withHandler(() => new Promise(() => undefined))
    const failed = errorOf(performed(kit))
    await settle()
    kit.clock.advance(5_000)
    expect(((await failed) as Stopped).reason).to.equal('deadline')
  })

  it('is refused before any money moves when no provider is live, with the reason of each', () => {
    const kit = bench({
      'test.echo': [{ vendor: 'one', run: saying('x'), state: 'dormant', reason: 'set ONE_KEY' }],
      'test.send': [{ vendor: 'two', run: saying('x') }],
    })
    const [echoes, sends] = ['test.echo', 'test.send'].map((id) => kit.registry.capabilities.get(id))
    if (echoes === undefined || sends === undefined) throw new Error('not loaded')
    expect(() => assertServed(kit.environment, echoes, {})).to.throw(Unavailable, 'one: set ONE_KEY')
    expect(() => assertServed(kit.environment, sends, {})).not.to.throw()
    const composed = {
      ...echoes,
      handler: handle(echo, () => Promise.resolve({ text: 'x' })),
      capability: { ...echoes.capability, requires: () => [part] as never },
    }
    expect(() => assertServed(kit.environment, composed, {})).to.throw(Unavailable, 'test.part')
  })
})
