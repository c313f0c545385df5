import { expect } from 'chai'
import { Stopped } from '../../../core/problems/errors.js'
import type { HeldRegistry } from '../../../core/loader/types.js'
import { CallEnvironments } from '../../../core/dispatch/ports.js'
import { Fault, part, type Behaviour, type Scripted } from '../../support/test-plugin.js'
import { bench, failing, outcomes, saying, settle, silent, type BenchOptions } from '../../support/unit.js'

const ID = 'test.echo/slow'
const SUSPENDED_MS = 30_000

/** A provider that hung before and may be probed now, before a healthy one. */
async function hung(slow: Partial<Scripted> = {}, two: Partial<Scripted> = {}, options: BenchOptions = {}) {
  let behaviour: Behaviour = silent
  const run: Behaviour = (input, context) => behaviour(input, context)
  const kit = bench(
    {
      'test.echo': [
        { vendor: 'slow', timeoutMs: 1_000, run, ...slow },
        { vendor: 'two', run: saying('x'), ...two },
      ],
    },
    options,
  )
  const become = (next: Behaviour) => void (behaviour = next)
  /** Starts a call, lets time pass while it waits, and answers what became of it. */
  const callOnce = async (wait: number) => {
    const call = kit.call(30_000)
    const answer = kit.ask(call).then(
      ({ provider }) => provider,
      (error: unknown) => error,
    )
    await settle()
    kit.clock.advance(wait)
    return { call, ended: await Promise.race([answer, settle(6).then(() => 'still waits')]), answer }
  }
  const out = () => kit.suspensions.list().some(({ id }) => id === ID)
  const suspend = async () => {
    await callOnce(slow.timeoutMs ?? 1_000)
    expect(out()).to.equal(true)
    kit.clock.advance(SUSPENDED_MS)
  }
  return { kit, callOnce, become, out, suspend }
}

/** A provider that answers when the test says so. */
function answering() {
  let answer: () => void = () => undefined
  const behaviour: Behaviour = () => new Promise((resolve) => void (answer = () => resolve({ text: 'late' })))
  return { behaviour, answer: () => answer() }
}

describe('a probe of a suspended provider', () => {
  it('F-17 is left behind by its call after 50 ms when no usual time is known, and goes on alone', async () => {
    const { callOnce, become, suspend, kit } = await hung()
    await suspend()
    const late = answering()
    become(late.behaviour)
    expect((await callOnce(49)).ended).to.equal('still waits')
    kit.clock.advance(1)
    await settle()
    late.answer()
    await settle()
    become(saying('x'))
    expect((await callOnce(0)).ended).to.equal('slow')
  })

  it('shows in the record of its call as busy, and in the metrics once, when it has ended', async () => {
    const { callOnce, become, suspend, kit } = await hung()
    await suspend()
    kit.finished.length = 0
    const late = answering()
    become(late.behaviour)
    const { call, ended } = await callOnce(50)
    expect(ended).to.equal('two')
    expect(outcomes(call.attempts)).to.deep.equal(['slow busy', 'two ok'])
    expect(call.attempts[0]).to.include({ ms: 50, reason: 'suspended and is being probed; the call waited no longer than its usual time' })
    expect(outcomes(kit.finished)).to.deep.equal(['two ok'])
    late.answer()
    await settle()
    expect(outcomes(kit.finished)).to.deep.equal(['two ok', 'slow ok'])
    expect(outcomes(call.attempts)).to.deep.equal(['slow busy', 'two ok'])
  })

  it('is waited for twice as long as its provider usually takes, at most five seconds', async () => {
    for (const [takes, waits] of [
      [300, 600],
      [5, 20],
      [9_000, 5_000],
    ] as const) {
      const { callOnce, become, kit } = await hung({ timeoutMs: 10_000 })
      for (let count = 0; count < 12; count++) {
        const late = answering()
        become(late.behaviour)
        const { answer } = await callOnce(takes)
        late.answer()
        await answer
      }
      become(silent)
      await callOnce(10_000)
      kit.clock.advance(SUSPENDED_MS)
      const { ended, answer } = await callOnce(waits - 1)
      expect(ended, `${takes} ms`).to.equal('still waits')
      kit.clock.advance(1)
      expect(await Promise.race([answer, settle(20).then(() => 'still waits')]), `${takes} ms and no more`).to.equal('two')
      kit.suspensions.resume(ID)
    }
  })

  it('answers its call when it is back in time', async () => {
    const { callOnce, become, suspend } = await hung()
    await suspend()
    become((_input, context) => {
      context.note('said by the probe')
      return Promise.resolve({ text: 'x' })
    })
    const { call, ended } = await callOnce(0)
    expect(ended).to.equal('slow')
    expect(outcomes(call.attempts)).to.deep.equal(['slow ok'])
    expect(call.notes).to.deep.equal(['said by the probe'])
  })

  it('is the only one for as long as it runs, longer than a lost one is waited for too', async () => {
    const { callOnce, become, kit, out } = await hung({ timeoutMs: 120_000 })
    const first = kit.ask(kit.call(200_000))
    await settle()
    kit.clock.advance(120_000)
    await first
    expect(out()).to.equal(true)
    kit.clock.advance(SUSPENDED_MS)
    let calls = 0
    become(() => {
      calls++
      return new Promise(() => undefined)
    })
    for (let time = 0; time < 119_000; time += 7_000) {
      expect((await callOnce(50)).ended).to.equal('two')
      kit.clock.advance(7_000 - 50)
    }
    expect(calls).to.equal(1)
  })

  it('that ran into limits of time or memory counts for its caller, when its call has waited for it', async () => {
    const { callOnce, become, suspend } = await hung()
    await suspend()
    become(failing('blocked', { costly: true }))
    const { call, ended } = await callOnce(0)
    expect([ended, call.costly]).to.deep.equal(['two', true])
  })

  it('that fails alone makes the suspension longer', async () => {
    const { callOnce, suspend, kit, out } = await hung()
    await suspend()
    expect((await callOnce(50)).ended).to.equal('two')
    kit.clock.advance(950)
    await settle()
    expect(out()).to.equal(true)
    expect((kit.suspensions.list()[0]?.until ?? 0) - kit.clock.now()).to.equal(2 * SUSPENDED_MS)
  })

  it('is waited for after all by a call that finds no other answer', async () => {
    const { callOnce, become, suspend } = await hung({}, { run: failing('broken') })
    await suspend()
    const late = answering()
    become(late.behaviour)
    const { call, ended, answer } = await callOnce(50)
    expect(ended).to.equal('still waits')
    late.answer()
    expect(await answer).to.equal('slow')
    expect(outcomes(call.attempts)).to.deep.equal(['slow ok', 'two broken'])
  })

  it('goes on when its caller leaves, and what it throws later troubles nobody', async () => {
    const { callOnce, become, suspend, kit, out } = await hung()
    await suspend()
    let fail: (error: Error) => void = () => undefined
    become(() => new Promise((_resolve, reject) => void (fail = reject)))
    const { call, answer } = await callOnce(10)
    call.cancel.cancel('client-gone')
    expect(await answer).to.be.instanceOf(Stopped)
    fail(new Fault('missing', 'nothing there'))
    await settle()
    expect(out()).to.equal(false)
    expect(kit.suspensions.admit(ID)).to.equal('go')
  })

  it('that its call has left keeps no file for the caller, and its provider is back', async () => {
    let kept = 0
    const files = { put: () => Promise.resolve({ id: String(++kept), url: '', size: 1, expires_at: '', content_type: '' }) }
    const { callOnce, become, suspend, kit } = await hung({}, {}, { files })
    await suspend()
    let go: () => void = () => undefined
    become(async (_input, context) => {
      await new Promise<void>((resolve) => void (go = resolve))
      const { id } = await context.files.put(Buffer.from('x'), { name: 'x.txt' })
      return { text: id }
    })
    await callOnce(50)
    go()
    await settle()
    expect(kept).to.equal(0)
    expect(kit.suspensions.admit(ID)).to.equal('go')
  })

  it('of a port that acts on the world is carried by its call: it must not happen twice', async () => {
    let run: Behaviour = failing('busy', { retryAfterSeconds: 1 })
    const kit = bench({
      'test.send': [
        { vendor: 'slow', run: (input, context) => run(input, context) },
        { vendor: 'two', run: saying('x') },
      ],
    })
    expect((await kit.ask(kit.call(), 'test.send')).provider).to.equal('two')
    kit.clock.advance(1_000)
    const late = answering()
    run = late.behaviour
    const answer = kit.ask(kit.call(), 'test.send')
    await settle()
    kit.clock.advance(1_000)
    await settle()
    late.answer()
    expect((await answer).provider).to.equal('slow')
  })

  it('in a question to all providers holds up nobody who has another answer', async () => {
    let run: Behaviour = failing('busy', { retryAfterSeconds: 1 })
    const kit = bench({
      'test.part': [
        { vendor: 'slow', run: (input, context) => run(input, context) },
        { vendor: 'two', run: saying('x') },
      ],
    })
    const gather = () => {
      const call = kit.call(30_000)
      return kit.environment.ports.gather({ call, cancel: call.cancel, depth: 0, portId: part.id, given: { text: 'x' } })
    }
    await gather()
    kit.clock.advance(1_000)
    run = silent
    const gathered = gather()
    await settle()
    kit.clock.advance(50)
    expect((await gathered).map(({ provider }) => provider)).to.deep.equal(['two'])
  })

  it('keeps the plugins it began with until it has ended, and is ended by a stop', async () => {
    const { suspend, become, kit } = await hung()
    await suspend()
    become(silent)
    const registry = kit.environment.registry()
    let held = 0
    const hold = (): HeldRegistry => {
      held++
      return { registry, again: hold, end: () => void held-- }
    }
    const { environment, end } = new CallEnvironments({ ...kit.environment, begin: hold }).begin()
    const call = kit.call()
    const answer = environment.ports.invoke({ call, cancel: call.cancel, depth: 0, portId: 'test.echo', given: { text: 'x' } })
    await settle()
    kit.clock.advance(50)
    expect((await answer).provider).to.equal('two')
    end()
    expect(held).to.equal(1)
    await kit.environment.probes.close()
    expect(held).to.equal(0)
  })
})
