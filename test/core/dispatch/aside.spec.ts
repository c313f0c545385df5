import { expect } from 'chai'
import { Stopped } from '../../../core/problems/errors.js'
import { perform } from '../../../core/dispatch/perform.js'
import { problemFrom } from '../../../core/dispatch/from-error.js'
import { ownShortage } from '../../../core/problems/own-shortage.js'
import { Problem } from '../../../core/problems/problem.js'
import { isDefinite, type AsideOptions, type HandlerContext } from '../../../core/sdk/index.js'
import { StoreUnavailable } from '../../../core/store/types.js'
import { echo, Fault, handle, part, type Behaviour, type Script } from '../../support/test-plugin.js'
import { bench, errorOf, failing, outcomes, saying, settle, silent } from '../../support/unit.js'

/** A call whose handler does one thing aside. */
function asideOf(task: (context: HandlerContext) => Promise<unknown>, script: Script = {}, options: AsideOptions = { withinMs: 300 }) {
  const kit = bench({
    ...script,
    handler: handle(echo, async (_input, context) => ({ text: JSON.stringify(await context.aside(task, options)) })),
  })
  const loaded = kit.registry.capabilities.get('test.echo')
  if (loaded === undefined) throw new Error('not loaded')
  const call = kit.call()
  return { kit, call, done: perform(kit.environment, loaded, { text: 'x', mode: 'plain', times: 1, note: null }, call) }
}
const callPart = (context: HandlerContext) => context.call(part, { text: 'q' })

describe('work aside of a call', () => {
  it('answers what it came to, and its vendor is named', async () => {
    const { call, done } = asideOf(callPart, { 'test.part': [{ vendor: 'one', run: saying('1') }] })
    expect(await done).to.deep.equal({ data: { text: '{"text":"1"}' }, providerUsed: 'one' })
    expect(call.notes).to.deep.equal([])
  })

  it('is null at its time, when its vendor calls are cancelled; the call goes on', async () => {
    let signal: AbortSignal | undefined
    const run: Behaviour = (_input, context) => ((signal = context.signal), new Promise(() => undefined))
    const { kit, call, done } = asideOf(callPart, { 'test.part': [{ vendor: 'one', run }] }, { withinMs: 300, about: 'logo' })
    await settle()
    kit.clock.advance(299)
    await settle()
    expect(signal?.aborted).to.equal(false)
    kit.clock.advance(1)
    expect((await done).data).to.deep.equal({ text: 'null' })
    expect(signal?.aborted).to.equal(true)
    expect(call.notes).to.deep.equal(['logo: No result within 300 ms.'])
    expect(outcomes(call.attempts)).to.deep.equal(['one busy'])
    expect(kit.suspensions.list()).to.deep.equal([])
    expect(call.cancel.cancelled).to.equal(false)
  })

  for (const [name, error, why, hidden] of [
    ['a Fault', new Fault('missing', 'Nothing is known.'), 'Nothing is known.', null],
    ['a bug', new TypeError('canary-internal'), 'It failed unexpectedly.', 'canary-internal'],
    ['a lack of the gateway', new Problem('overloaded', 'The disk is full.'), 'The disk is full.', null],
    ['a database that is away', new StoreUnavailable('canary-internal'), 'The database of the gateway did not answer.', 'canary-internal'],
  ] as const)
    it(`${name} is null, a remark and a line of the log`, async () => {
      const { kit, call, done } = asideOf(() => Promise.reject(error), {}, { withinMs: 300, about: 'logo' })
      expect((await done).data).to.deep.equal({ text: 'null' })
      expect(call.notes).to.deep.equal([`logo: ${why}`])
      const line = kit.logs.find(({ message }) => message === `an optional part of a call was omitted: ${why}`)
      expect(line?.fields).to.include({ request_id: 'req_1', about: 'logo' })
      if (hidden === null) expect(line?.fields).not.to.have.property('internal')
      else expect(line?.fields.internal).to.contain(hidden)
    })

  it('B2 throws where no name server of the gateway answers, in whatever form that comes: nothing is known of anything then', async () => {
    const silence = Object.assign(new Error('no name server answers'), { code: 'EAI_AGAIN' })
    const lack = ownShortage(new Fault('blocked', 'x', { cause: silence }))
    for (const error of [silence, new Fault('blocked', 'x', { cause: silence }), new Fault('busy', 'x', { cause: lack }), lack]) {
      const { done } = asideOf(() => Promise.reject(error ?? new Error('none')))
      expect(problemFrom(ownShortage(await errorOf(done))).slug).to.equal('overloaded')
    }
  })

  it('gives the reason for an empty answer as a Fault to a handler with onFailure', async () => {
    const problem = new Problem('overloaded', 'The disk is full.')
    const seen: [string, boolean, string][] = []
    for (const [task, slug] of [
      [() => Promise.reject(new Fault('missing', 'None.')), 'no-result'],
      [() => Promise.reject(problem), 'overloaded'],
      [() => Promise.reject(new StoreUnavailable('x')), 'store-unavailable'],
      [callPart, 'capability-unavailable'],
      [() => Promise.reject(new TypeError('bug')), 'providers-failed'],
    ] as const) {
      const { done } = asideOf(
        task,
        {},
        { withinMs: 300, onFailure: (fault) => seen.push([fault.kind, isDefinite(fault), problemFrom(fault).slug]) },
      )
      await done
      expect(seen.at(-1)?.[2]).to.equal(slug)
    }
    expect(seen.map(([kind, definite]) => `${kind} ${String(definite)}`)).to.deep.equal([
      'missing true',
      'busy false',
      'busy false',
      'missing false',
      'broken false',
    ])
  })

  it('work that throws at once, a port that nobody serves and one without a name leave no remark', async () => {
    const thrown = asideOf(() => {
      throw new RangeError('at once')
    })
    expect((await thrown.done).data).to.deep.equal({ text: 'null' })
    const unserved = asideOf(callPart)
    expect((await unserved.done).data).to.deep.equal({ text: 'null' })
    expect([...thrown.call.notes, ...unserved.call.notes]).to.deep.equal([])
    expect(unserved.kit.logs.map(({ message }) => message)).to.deep.equal([
      'an optional part of a call was omitted: Nothing serves test.part in this version.',
    ])
  })

  it('the end of the call ends it with the reason of the call', async () => {
    for (const reason of ['deadline', 'client-gone', 'shutdown'] as const) {
      const { call, done } = asideOf(callPart, { 'test.part': [{ vendor: 'one', run: silent }] }, { withinMs: 300, about: 'logo' })
      const error = errorOf(done)
      await settle()
      call.cancel.cancel(reason)
      expect(((await error) as Stopped).reason).to.equal(reason)
      expect(call.notes).to.deep.equal([])
    }
  })

  it('a longer time than the call has is the time of the call', async () => {
    const { kit, done } = asideOf(callPart, { 'test.part': [{ vendor: 'one', run: silent }] }, { withinMs: 60_000 })
    const error = errorOf(done)
    await settle()
    kit.clock.advance(5_000)
    expect(((await error) as Stopped).reason).to.equal('deadline')
  })

  it('its context ends with it: what goes on behind its time begins nothing and leaves no remark', async () => {
    let late: () => void = () => undefined
    const outcomes: string[] = []
    const { kit, call, done } = asideOf(async (context) => {
      await new Promise<void>((resolve) => (late = resolve))
      context.note('too late')
      await context.files.put(new Uint8Array(1), { name: 'x' }).catch((error: Error) => outcomes.push(error.name))
    })
    await settle()
    kit.clock.advance(300)
    await done
    late()
    await settle()
    expect(outcomes).to.deep.equal(['Stopped'])
    expect(call.notes).to.deep.equal([])
  })

  it('a time that is no number is a fault of the plugin', async () => {
    expect(await errorOf(asideOf(callPart, {}, { withinMs: NaN }).done)).to.be.instanceOf(TypeError)
  })
})

describe('a capability that another one calls', () => {
  it('runs its handler; the rules over its fields hold, and one vendor alone cannot be wanted', async () => {
    const kit = bench({
      handler: handle(echo, async ({ text }, context) => ({ text: `${text} ${(await context.call(part, { text })).text}` })),
      'test.part': [{ vendor: 'inner', run: saying('back') }],
      'test.send': [{ vendor: 'outer', run: ({ text }, context) => context.call(echo, { text }) }],
    })
    const call = kit.call()
    expect(await kit.ask(call, 'test.send')).to.deep.equal({ provider: 'outer', data: { text: 'hello back' } })
    expect(call.contributors('')).to.deep.equal(['outer'])
    const broken = await errorOf(kit.ask(kit.call(), 'test.echo', { given: { text: 'never', times: 2 } }))
    expect(Fault.is(broken) && [broken.kind, broken.internal]).to.deep.equal(['broken', 'test.echo: times must be 1 for this text'])
    expect(await errorOf(kit.ask(kit.call(), 'test.echo', { only: 'inner' }))).to.be.instanceOf(TypeError)
  })

  it('its handler reaches its own vendors: to merge them, to call one, and to see whether there are any', async () => {
    const kit = bench({
      handler: handle(echo, async ({ text }, context) => {
        const all = await context.gather(echo, { text })
        const one = await context.call(echo, { text }, { only: 'two' })
        const aside = await context.aside((side) => side.call(echo, { text }), { withinMs: 100 })
        return { text: [...all.map(({ data }) => data.text), one.text, aside?.text, context.has(echo), context.providers().length].join() }
      }),
      'test.echo': [
        { vendor: 'one', run: saying('1') },
        { vendor: 'two', run: saying('2') },
      ],
    })
    const call = kit.call()
    expect((await kit.ask(call)).data).to.deep.equal({ text: '1,2,2,1,true,2' })
    expect(call.contributors('')).to.deep.equal(['one', 'two'])
    const error = await errorOf(
      kit.environment.ports.gather({ call, cancel: call.cancel, depth: 0, portId: echo.id, given: { text: 'x' } }),
    )
    expect(error).to.be.instanceOf(TypeError)
    expect(error.message).to.contain('test.echo is made by a handler')
  })

  it('T-69 in a circle is stopped', async () => {
    let calls = 0
    const kit = bench({
      handler: handle(echo, ({ text }, context) => (calls++, context.call(part, { text }))),
      'test.part': [{ vendor: 'loop', run: ({ text }, context) => context.call(echo, { text }) }],
    })
    const error = await errorOf(kit.ask(kit.call()))
    expect(Fault.is(error) && error.kind).to.equal('broken')
    expect(calls).to.equal(5)
    const deep = { call: kit.call(), depth: 9, portId: echo.id, given: { text: 'x' } }
    const refused = await errorOf(kit.environment.ports.invoke({ ...deep, cancel: deep.call.cancel }))
    expect(Fault.is(refused) && refused.kind).to.equal('broken')
    expect(calls).to.equal(5)
  })

  it('keeps to its own time, which is a Fault and not the end of the call', async () => {
    const kit = bench({ handler: handle(echo, () => new Promise(() => undefined)) })
    const call = kit.call(60_000)
    const error = errorOf(kit.ask(call))
    await settle()
    kit.clock.advance(5_000)
    const fault = await error
    expect(Fault.is(fault) && [fault.kind, fault.message]).to.deep.equal(['busy', 'Echo took too long.'])
    expect(call.cancel.cancelled).to.equal(false)
    const short = kit.call(1_000)
    const stopped = errorOf(kit.ask(short))
    await settle()
    kit.clock.advance(1_000)
    expect(((await stopped) as Stopped).reason).to.equal('deadline')
  })

  it('whose handler answers nothing, or fails, passes that to its caller', async () => {
    const nothing = await errorOf(bench({ handler: handle(echo, () => Promise.resolve(null as never)) }).ask(bench({}).call()))
    expect(Fault.is(nothing) && nothing.kind).to.equal('missing')
    const failed = bench({
      handler: handle(echo, (_input, context) => context.call(part, { text: 'x' })),
      'test.part': [{ vendor: 'one', run: failing('blocked') }],
    })
    const blocked = await errorOf(failed.ask(failed.call()))
    expect(Fault.is(blocked) && blocked.kind).to.equal('blocked')
  })
})

describe('the vendors of a port', () => {
  it('are the live ones in order, with what they serve and whether they are suspended', async () => {
    const seen: unknown[] = []
    const kit = bench({
      handler: handle(echo, async (_input, context) => {
        for (const { id, title, order, suspended, serves } of context.providers(part))
          seen.push([id, title, order, suspended, serves({ text: 'short' }), serves({ text: 'a longer text' })])
        return { text: String(context.providers(part).length) }
      }),
      'test.part': [
        { vendor: 'one', run: silent, serves: ({ text }) => text.length < 10 },
        { vendor: 'off', run: silent, state: 'dormant' },
        { vendor: 'out', run: silent },
        {
          vendor: 'unsure',
          run: silent,
          serves: () => {
            throw new Error('no record')
          },
        },
      ],
    })
    kit.suspensions.failed('test.part/out', new Fault('busy', 'x'), { started: kit.clock.monotonic(), local: false })
    const call = kit.call()
    expect((await kit.ask(call)).data).to.deep.equal({ text: '3' })
    expect(seen).to.deep.equal([
      ['one', 'one', 0, false, true, false],
      ['out', 'out', 1, true, true, true],
      ['unsure', 'unsure', 2, false, false, false],
    ])
    expect(call.attempts).to.deep.equal([])
  })

  it('an input that the port does not take is a fault of the plugin; a port that is not there has none', async () => {
    const kit = bench({
      handler: handle(echo, async (_input, context) => {
        const nowhere = { ...part, id: 'test.nowhere' }
        if (context.providers(nowhere).length > 0) throw new Error('somebody serves nothing')
        return { text: String(context.providers(part)[0]?.serves({ text: 7 } as never)) }
      }),
      'test.part': [{ vendor: 'one', run: silent }],
    })
    const error = await errorOf(kit.ask(kit.call()))
    expect(Fault.is(error) && error.kind).to.equal('broken')
  })
})
