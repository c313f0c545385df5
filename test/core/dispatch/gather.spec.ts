import { expect } from 'chai'
import { systemClock } from '../../../core/runtime/clock.js'
import { Cancel } from '../../../core/runtime/cancel.js'
import { Stopped, Unavailable } from '../../../core/problems/errors.js'
import type { GatherOptions } from '../../../core/sdk/index.js'
import { Problem } from '../../../core/problems/problem.js'
import { Fault, part, send, type Behaviour, type Script, type Scripted } from '../../support/test-plugin.js'
import { seeded } from '../../support/hostile.js'
import { bench, errorOf, failing, outcomes, saying, settle, silent, type BenchOptions } from '../../support/unit.js'
import { atMost, waited } from '../../support/time.js'

type Kit = ReturnType<typeof bench>

/** Vendors that answer when the test says so, and the input of each. */
function hands(...names: string[]) {
  const started: string[] = []
  const stopped: string[] = []
  const answer = new Map<string, (text?: string) => void>()
  const refuse = new Map<string, (fault: Error) => void>()
  const vendors = names.map((vendor): Scripted => {
    const run: Behaviour = (_input, { signal }) => {
      started.push(vendor)
      signal.addEventListener('abort', () => void stopped.push(vendor))
      return new Promise((resolve, reject) => {
        answer.set(vendor, (text = vendor) => resolve({ text }))
        refuse.set(vendor, reject)
      })
    }
    return { vendor, run }
  })
  const say = async (vendor: string): Promise<void> => {
    answer.get(vendor)?.()
    await settle()
  }
  const fail = async (vendor: string, fault: Error): Promise<void> => {
    refuse.get(vendor)?.(fault)
    await settle()
  }
  return { vendors, started, stopped, say, fail }
}

function gathering(kit: Kit, options: GatherOptions<unknown> = {}, { ms = 30_000, portId = part.id } = {}) {
  const call = kit.call(ms)
  const answers = kit.environment.ports.gather({ call, cancel: call.cancel, depth: 0, portId, given: { text: 'x' }, options })
  return { call, answers }
}
const of = (vendors: readonly Scripted[], options?: BenchOptions): Kit => bench({ 'test.part': vendors } satisfies Script, options)
const ids = (answers: readonly { provider: string }[]) => answers.map(({ provider }) => provider)

describe('gather with a stop rule', () => {
  it('answers carry vendor, place in the waterfall and data, whoever was first', async () => {
    const { vendors, say } = hands('one', 'two', 'three')
    const kit = of([{ vendor: 'off', run: silent, state: 'dormant' }, ...vendors])
    const { answers } = gathering(kit)
    for (const vendor of ['three', 'one', 'two']) await say(vendor)
    expect(await answers).to.deep.equal([
      { provider: 'one', order: 0, data: { text: 'one' } },
      { provider: 'two', order: 1, data: { text: 'two' } },
      { provider: 'three', order: 2, data: { text: 'three' } },
    ])
  })

  it('ends once the rule holds: what runs is cancelled, and not held against anybody', async () => {
    const { vendors, say, stopped } = hands('one', 'two', 'three')
    const kit = of(vendors)
    const seen: string[][] = []
    const until: GatherOptions<unknown>['until'] = (all) => (seen.push(ids(all)), all.length === 2)
    const { call, answers } = gathering(kit, { until })
    await settle()
    await say('three')
    await say('one')
    expect(ids(await answers)).to.deep.equal(['one', 'three'])
    expect(seen).to.deep.equal([['three'], ['one', 'three']])
    expect(stopped).to.include('two')
    expect(outcomes(call.attempts)).to.deep.equal(['one ok', 'two busy', 'three ok'])
    expect(call.attempts[1]?.reason).to.equal('no longer needed')
    expect(kit.suspensions.list()).to.deep.equal([])
    expect(call.contributors('')).to.deep.equal(['one', 'three'])
  })

  it('calls as many at once as it may, the next in order when one has ended, and none after the rule holds', async () => {
    const { vendors, started, say, fail } = hands('one', 'two', 'three', 'four', 'five')
    const kit = of(vendors)
    const { call, answers } = gathering(kit, { atOnce: 2, until: (all) => all.length === 2 })
    await settle()
    expect(started).to.deep.equal(['one', 'two'])
    await fail('two', new Fault('missing', 'nothing'))
    expect(started).to.deep.equal(['one', 'two', 'three'])
    await say('three')
    expect(started).to.deep.equal(['one', 'two', 'three', 'four'])
    await say('four')
    expect(ids(await answers)).to.deep.equal(['three', 'four'])
    expect(started).not.to.include('five')
    expect(outcomes(call.attempts)).to.deep.equal(['one busy', 'two missing', 'three ok', 'four ok'])
  })

  it('calls at most so many vendors, failed ones counted, the first of the waterfall', async () => {
    const kit = of([
      { vendor: 'one', run: failing('missing') },
      { vendor: 'two', run: saying('2') },
      { vendor: 'three', run: saying('3') },
    ])
    const { call, answers } = gathering(kit, { atMost: 2 })
    expect(ids(await answers)).to.deep.equal(['two'])
    expect(outcomes(call.attempts)).to.deep.equal(['one missing', 'two ok'])
  })

  it('one that cannot be called after all does not count', async () => {
    const kit = bench({
      'test.part': [
        { vendor: 'hollow', run: (_input, context) => context.call(send, { text: 'x' }) },
        { vendor: 'two', run: saying('2') },
      ],
    })
    expect(ids(await gathering(kit, { atMost: 1 }).answers)).to.deep.equal(['two'])
  })

  it('keeps to its time, answers what there is by then, and blames nobody', async () => {
    const { vendors, say, stopped } = hands('one', 'two')
    const kit = of([...vendors, { vendor: 'three', run: silent, timeoutMs: 1_000 }])
    const { call, answers } = gathering(kit, { withinMs: 300, atOnce: 3 })
    await settle()
    await say('two')
    kit.clock.advance(299)
    await settle()
    expect(stopped).to.deep.equal(['two'], 'its own context is over once it has answered')
    kit.clock.advance(1)
    expect(ids(await answers)).to.deep.equal(['two'])
    expect(outcomes(call.attempts)).to.deep.equal(['one busy', 'two ok', 'three busy'])
    expect(call.attempts.map(({ reason }) => reason)).to.deep.equal(['no time left', undefined, 'no time left'])
    expect(kit.suspensions.list()).to.deep.equal([])
    expect(call.cancel.cancelled).to.equal(false)
  })

  it('calls no vendor without time, and says so', async () => {
    const kit = of([{ vendor: 'one', run: saying('1') }])
    for (const withinMs of [0, -5, 19]) {
      const { call, answers } = gathering(kit, { withinMs, orFail: false })
      expect(await answers).to.deep.equal([])
      expect(call.attempts[0]).to.include({ outcome: 'skipped', reason: 'no time left' })
    }
    expect(((await errorOf(gathering(kit, {}, { ms: 10 }).answers)) as Stopped).reason).to.equal('deadline')
  })

  it('calls only those that are named, in the order of the waterfall', async () => {
    const kit = of(['one', 'two', 'three'].map((vendor) => ({ vendor, run: saying(vendor) })))
    expect(await gathering(kit, { only: ['three', 'one', 'nobody'] }).answers).to.deep.equal([
      { provider: 'one', order: 0, data: { text: 'one' } },
      { provider: 'three', order: 2, data: { text: 'three' } },
    ])
    const error = await errorOf(gathering(kit, { only: ['nobody'] }).answers)
    expect(error).to.be.instanceOf(Unavailable)
    expect(error.message).to.contain('nobody')
  })

  it('the end of the call ends it, whatever its own time', async () => {
    const kit = of([{ vendor: 'one', run: silent }])
    const { answers } = gathering(kit, { withinMs: 60_000 }, { ms: 1_000 })
    const error = errorOf(answers)
    await settle()
    kit.clock.advance(1_000)
    expect(((await error) as Stopped).reason).to.equal('deadline')
    const { call, answers: left } = gathering(kit)
    const gone = errorOf(left)
    call.cancel.cancel('client-gone')
    expect(((await gone) as Stopped).reason).to.equal('client-gone')
  })

  it('a rule that throws, and what only the whole call can end with, cancel what runs', async () => {
    const { vendors, say, stopped } = hands('one', 'two')
    const rule = gathering(of(vendors), {
      until: () => {
        throw new RangeError('rule')
      },
    })
    const error = errorOf(rule.answers)
    await settle()
    await say('two')
    expect((await error).message).to.equal('rule')
    expect(stopped).to.include('one')
    const second = hands('one', 'two')
    const full = errorOf(gathering(of(second.vendors)).answers)
    await settle()
    await second.fail('two', new Problem('overloaded', 'full'))
    expect((await full).message).to.equal('full')
    expect(second.stopped).to.include('one')
  })

  it('refuses numbers that mean nothing', async () => {
    const kit = of([{ vendor: 'one', run: saying('1') }])
    for (const [options, name] of [
      [{ atMost: 0 }, 'atMost'],
      [{ atMost: 1.5 }, 'atMost'],
      [{ atOnce: -1 }, 'atOnce'],
      [{ atOnce: NaN }, 'atOnce'],
      [{ withinMs: NaN }, 'withinMs'],
    ] as const) {
      const error = await errorOf(gathering(kit, options).answers)
      expect(error).to.be.instanceOf(TypeError)
      expect(error.message).to.contain(name)
    }
    expect(ids(await gathering(kit, { atMost: Infinity, atOnce: Infinity, withinMs: Infinity }).answers)).to.deep.equal(['one'])
  })

  it('on a port that acts on the world the rule cancels nothing that runs', async () => {
    const { vendors, say } = hands('one', 'two')
    const kit = bench({ 'test.send': vendors })
    const { call, answers } = gathering(kit, { until: () => true }, { portId: send.id })
    await settle()
    await say('two')
    await say('one')
    expect(ids(await answers)).to.deep.equal(['one', 'two'])
    expect(outcomes(call.attempts)).to.deep.equal(['one ok', 'two ok'])
  })

  it('five vendors of 200 ms take 200 ms together', async () => {
    const slow: Behaviour = () => new Promise((resolve) => kit.clock.after(200, () => resolve({ text: 'x' })))
    const kit: Kit = of(['a', 'b', 'c', 'd', 'e'].map((vendor) => ({ vendor, run: slow })))
    const { answers } = gathering(kit)
    await settle()
    kit.clock.advance(200)
    expect(await answers).to.have.length(5)
  })

  it('and on a real clock at most 260 ms', async function () {
    const slow: Behaviour = () => new Promise((resolve) => systemClock.after(200, () => resolve({ text: 'x' })))
    const kit = of(
      ['a', 'b', 'c', 'd', 'e'].map((vendor) => ({ vendor, run: slow })),
      { clock: systemClock },
    )
    const { all, own } = await waited(async () => expect(await gathering(kit).answers).to.have.length(5))
    expect(all).to.be.at.least(195)
    await atMost(this, { what: 'the answer', value: own, limit: 260 })
  })
})

describe('gather and suspended vendors', () => {
  const suspend = (kit: Kit, vendor: string, seconds = 1): void =>
    kit.suspensions.failed(`test.part/${vendor}`, new Fault('busy', 'x', { retryAfterSeconds: seconds }), {
      started: kit.clock.monotonic(),
      local: false,
    })

  it('a suspended one does not count, and the next is called', async () => {
    const kit = of(['one', 'two', 'three'].map((vendor) => ({ vendor, run: saying(vendor) })))
    suspend(kit, 'one')
    const { call, answers } = gathering(kit, { atMost: 1 })
    expect(ids(await answers)).to.deep.equal(['two'])
    expect(outcomes(call.attempts)).to.deep.equal(['one skipped', 'two ok'])
  })

  it('with all suspended one of those named is called', async () => {
    const kit = of(['one', 'two'].map((vendor) => ({ vendor, run: saying(vendor) })))
    suspend(kit, 'one', 10)
    suspend(kit, 'two', 20)
    const { answers } = gathering(kit, { only: ['two'], atMost: 1 })
    expect(await answers).to.deep.equal([{ provider: 'two', order: 1, data: { text: 'two' } }])
  })

  it('the probe of one keeps its turn for its usual time only, and then gives it to the next', async () => {
    for (const options of [{ atOnce: 1 }, { atMost: 1 }]) {
      const kit = of([
        { vendor: 'slow', run: silent },
        { vendor: 'two', run: saying('2') },
      ])
      suspend(kit, 'slow')
      kit.clock.advance(1_000)
      const { call, answers } = gathering(kit, { ...options, until: (all) => all.length === 1 })
      await settle()
      expect(outcomes(call.attempts)).to.deep.equal([])
      kit.clock.advance(50)
      expect(ids(await answers)).to.deep.equal(['two'])
      expect(outcomes(call.attempts)).to.deep.equal(['slow busy', 'two ok'])
      await kit.environment.probes.close()
    }
  })

  it('a probe keeps no turn for as long as others run', async () => {
    for (const options of [{ atOnce: 2 }, { atMost: 2 }]) {
      const { vendors, started, say } = hands('one', 'three')
      const [one, three] = vendors
      if (one === undefined || three === undefined) throw new Error('two vendors')
      const kit = of([one, { vendor: 'slow', run: silent }, three])
      suspend(kit, 'slow')
      kit.clock.advance(1_000)
      const { answers } = gathering(kit, options)
      await settle()
      expect(started).to.deep.equal(['one'])
      kit.clock.advance(50)
      await settle()
      expect(started).to.deep.equal(['one', 'three'])
      await say('three')
      await say('one')
      expect(ids(await answers)).to.deep.equal(['one', 'three'])
      await kit.environment.probes.close()
    }
  })

  it('a probe that is back in time counts like any answer', async () => {
    const kit = of([
      { vendor: 'back', run: saying('back') },
      { vendor: 'two', run: silent },
    ])
    suspend(kit, 'back')
    kit.clock.advance(1_000)
    const { answers } = gathering(kit, { until: (all) => all.length === 1 })
    expect(ids(await answers)).to.deep.equal(['back'])
    expect(kit.suspensions.isSuspended('test.part/back')).to.equal(false)
    expect(kit.suspensions.admit('test.part/back')).to.equal('go')
  })

  it('a rule that holds leaves a probe to itself, and the next call probes no second time', async () => {
    let called = 0
    const slow: Behaviour = () => (called++, new Promise(() => undefined))
    const kit = of([
      { vendor: 'slow', run: slow },
      { vendor: 'two', run: saying('2') },
    ])
    suspend(kit, 'slow')
    kit.clock.advance(1_000)
    expect(ids(await gathering(kit, { until: (all) => all.length === 1 }).answers)).to.deep.equal(['two'])
    expect(ids(await gathering(kit, { until: (all) => all.length === 1 }).answers)).to.deep.equal(['two'])
    expect(called).to.equal(1)
    await kit.environment.probes.close()
  })
})

describe('gather in general', () => {
  it('400 random gathers: order, budgets and records hold', async () => {
    const random = seeded(20_261_124)
    const number = (most: number): number => 1 + Math.floor(random() * most)
    for (let round = 0; round < 400; round++) {
      let running = 0
      let most = 0
      const called: string[] = []
      const vendors = Array.from({ length: number(6) }, (_, at): Scripted => {
        const fails = random() < 0.3
        const turns = number(4)
        const run: Behaviour = async () => {
          called.push(`v${at}`)
          most = Math.max(most, ++running)
          await settle(turns)
          running--
          if (fails) throw new Fault('missing', 'x')
          return { text: `v${at}` }
        }
        return { vendor: `v${at}`, run, serves: () => true }
      })
      const atMost = number(7)
      const atOnce = number(7)
      const enough = number(4)
      const kit = of(vendors)
      const { call, answers } = gathering(kit, { atMost, atOnce, orFail: false, until: (all) => all.length >= enough })
      const given = await answers
      const seed = `round ${round}`
      expect(called.length, seed).to.be.at.most(Math.min(atMost, vendors.length))
      expect(most, seed).to.be.at.most(atOnce)
      expect(called, seed).to.deep.equal(vendors.slice(0, called.length).map(({ vendor }) => vendor))
      expect(ids(given), seed).to.deep.equal([...ids(given)].sort())
      for (const { provider, order, data } of given) expect([provider, data], seed).to.deep.equal([`v${order}`, { text: `v${order}` }])
      if (given.length < enough) expect(called.length, seed).to.equal(Math.min(atMost, vendors.length))
      expect(call.attempts.length, seed).to.equal(called.length)
      expect(call.attempts.filter(({ outcome }) => outcome === 'ok').length, seed).to.equal(given.length)
      expect(call.attempts.filter(({ outcome }) => outcome === 'broken').length, seed).to.equal(0)
    }
  }).timeout(60_000)

  it('with an already cancelled Cancel no vendor is called', async () => {
    const kit = of([{ vendor: 'one', run: saying('1') }])
    const call = kit.call()
    const cancel = new Cancel(kit.clock, kit.clock.monotonic() + 1_000)
    cancel.cancel('shutdown')
    const error = await errorOf(kit.environment.ports.gather({ call, cancel, depth: 0, portId: part.id, given: { text: 'x' } }))
    expect((error as Stopped).reason).to.equal('shutdown')
    expect(call.attempts).to.deep.equal([])
  })
})
