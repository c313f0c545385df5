import { expect } from 'chai'
import { perform } from '../../../core/dispatch/perform.js'
import type { HandlerContext } from '../../../core/sdk/index.js'
import { echo, Fault, handle, part, type Behaviour, type Scripted } from '../../support/test-plugin.js'
import { bench, outcomes, saying, settle, silent } from '../../support/unit.js'

const ID = 'test.part/slow'

/** The part of a handler that can do without its answer, by the two ways a handler bounds one. */
const PARTS: Readonly<Record<string, (context: HandlerContext, withinMs: number) => Promise<unknown>>> = {
  aside: (context, withinMs) => context.aside((side) => side.call(part, { text: 'q' }), { withinMs }),
  'aside with a gather': (context, withinMs) => context.aside((side) => side.gather(part, { text: 'q' }), { withinMs }),
  'gather withinMs': (context, withinMs) => context.gather(part, { text: 'q' }, { withinMs, orFail: false }),
}

/** Calls whose handler calls one vendor in such a part. */
function world(run: (context: HandlerContext, withinMs: number) => Promise<unknown>, withinMs: number, slow: Partial<Scripted> = {}) {
  let behaviour: Behaviour = silent
  const kit = bench({
    handler: handle(echo, async (_input, context) => ({ text: JSON.stringify(await run(context, withinMs)) })),
    'test.part': [{ vendor: 'slow', run: (input, context) => behaviour(input, context), ...slow }],
  })
  const loaded = kit.registry.capabilities.get('test.echo')
  if (loaded === undefined) throw new Error('not loaded')
  /** One call during which so much time passes: the outcomes of its tries, or null while it still waits. */
  const call = async (wait: number): Promise<string[] | null> => {
    const state = kit.call(60_000)
    const done = perform(kit.environment, loaded, { text: 'x', mode: 'plain', times: 1, note: null }, state)
    await settle()
    kit.clock.advance(wait)
    const ended = await Promise.race([done, settle(8).then(() => null)])
    return ended === null ? null : outcomes(state.attempts)
  }
  const outFor = (): number | undefined => {
    const entry = kit.suspensions.list().find(({ id }) => id === ID)
    return entry && entry.until - kit.clock.now()
  }
  return { kit, call, outFor, become: (next: Behaviour) => void (behaviour = next) }
}

describe('a vendor that hangs in a part that its call can do without', () => {
  for (const [name, run] of Object.entries(PARTS)) {
    it(`B5 is suspended when the part ends before its try would (${name}), and later calls do not pay for it`, async () => {
      const { kit, call, outFor } = world(run, 4_000)
      expect(await call(4_000)).to.deep.equal(['slow busy'])
      expect(outFor()).to.equal(30_000)
      expect(await call(50), 'the one probe of a part is not waited for').to.deep.equal(['slow skipped', 'slow busy'])
      expect(await call(0), 'one probe at a time').to.deep.equal(['slow skipped'])
      await kit.environment.probes.close()
    })

    it(`B5 comes back with the first answer of its probe (${name})`, async () => {
      const { kit, call, become, outFor } = world(run, 4_000)
      await call(4_000)
      kit.clock.advance(30_000)
      become(saying('x'))
      expect(await call(0)).to.deep.equal(['slow ok'])
      expect(outFor()).to.equal(undefined)
    })
  }

  const aside = PARTS.aside ?? (() => Promise.resolve())

  it('B5 is not judged by less than three seconds, nor by less than it usually takes', async () => {
    const short = world(aside, 2_999)
    expect(await short.call(2_999)).to.deep.equal(['slow busy'])
    expect(short.outFor()).to.equal(undefined)
    const { kit, call, become, outFor } = world(aside, 4_500)
    for (let count = 0; count < 10; count++) {
      become(() => new Promise((resolve) => kit.clock.after(2_400, () => resolve({ text: 'x' }))))
      expect(await call(2_400)).to.deep.equal(['slow ok'])
    }
    become(silent)
    await call(4_500)
    expect(outFor(), 'twice its usual 2.4 s is more than it had').to.equal(undefined)
  })

  it('is not called for one while its account is used up, and for a whole call it is', async () => {
    const { kit, call, become } = world(aside, 4_000)
    kit.suspensions.failed(ID, new Fault('credentials', 'x'), { started: kit.clock.monotonic(), local: false })
    become(saying('x'))
    expect(await call(0)).to.deep.equal(['slow skipped'])
    const whole = kit.call()
    expect((await kit.ask(whole, 'test.part', { given: { text: 'q' } })).data).to.deep.equal({ text: 'x' })
    expect(outcomes(whole.attempts)).to.deep.equal(['slow skipped', 'slow ok'])
  })

  it('B5 a local provider is not: how long it takes is up to its target', async () => {
    const { call, outFor } = world(aside, 4_000, { kind: 'local' })
    for (let count = 0; count < 3; count++) expect(await call(4_000)).to.deep.equal(['slow busy'])
    expect(outFor()).to.equal(undefined)
  })

  it('B5 leaves half of the part to the next vendor, whatever its own limit, and is suspended', async () => {
    for (const [withinMs, limit] of [
      [8_000, 4_000],
      [40_000, 30_000],
    ] as const) {
      const kit = bench({
        handler: handle(echo, async (_input, context) => ({ text: JSON.stringify(await aside(context, withinMs)) })),
        'test.part': [
          { vendor: 'slow', timeoutMs: 60_000, run: silent },
          { vendor: 'two', run: saying('2') },
        ],
      })
      const loaded = kit.registry.capabilities.get('test.echo') ?? expect.fail('not loaded')
      const state = kit.call(60_000)
      const done = perform(kit.environment, loaded, { text: 'x', mode: 'plain', times: 1, note: null }, state)
      await settle()
      kit.clock.advance(limit)
      expect((await done).data).to.deep.equal({ text: '{"text":"2"}' })
      expect(outcomes(state.attempts)).to.deep.equal(['slow busy', 'two ok'])
      expect(kit.suspensions.isSuspended(ID)).to.equal(true)
    }
  })

  it('B5 is not, when the caller leaves or the deadline of the call passes first', async () => {
    const { kit, outFor } = world(aside, 10_000)
    const loaded = kit.registry.capabilities.get('test.echo')
    if (loaded === undefined) throw new Error('not loaded')
    for (const reason of ['client-gone', 'deadline'] as const) {
      const state = kit.call(5_000)
      const ended = perform(kit.environment, loaded, { text: 'x', mode: 'plain', times: 1, note: null }, state).catch(() => null)
      await settle()
      kit.clock.advance(4_999)
      state.cancel.cancel(reason)
      await ended
      expect(outFor(), reason).to.equal(undefined)
    }
  })

  it('reports that as busy to a handler that calls it', async () => {
    const failures: string[] = []
    const { call } = world(
      (context, withinMs) =>
        context.aside((side) => side.call(part, { text: 'q' }), {
          withinMs,
          onFailure: (fault) => void failures.push(`${Fault.is(fault) ? fault.kind : 'none'}: ${fault.message}`),
        }),
      4_000,
    )
    await call(4_000)
    await call(50)
    expect(failures).to.deep.equal([
      'busy: No result within 4000 ms.',
      'busy: The provider was suspended and is being probed; the call waited no longer than its usual time.',
    ])
  })
})
