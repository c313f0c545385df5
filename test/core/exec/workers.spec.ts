import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Cancel } from '../../../core/runtime/cancel.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { createWorkers } from '../../../core/exec/workers.js'
import type { Workers } from '../../../core/exec/types.js'
import { usedTime } from '../../../core/exec/work-time.js'
import { Fault } from '../../../core/sdk/index.js'
import { problemFrom } from '../../../core/dispatch/from-error.js'
import { callOf, faultOf } from '../../support/exec-sandbox.js'
import { HandClock } from '../../support/outbound.js'
import { atMost, cpuOf, later, until, waited } from '../../support/time.js'

const MODULES: Readonly<Record<string, string>> = {
  echo: 'let count = 0; export default (input) => ({ input, count: ++count })',
  env: 'export default () => Object.keys(process.env)',
  loop: 'export default () => { for (;;); }',
  never: 'export default () => new Promise(() => {})',
  heap: 'export default () => { const a = []; for (;;) a.push(new Array(1000).fill({})) }',
  deep: 'export default () => { const f = () => f() + 1; return f() }',
  fault: `export default () => { throw Object.assign(new Error('nothing there'), { kind: 'missing', [Symbol.for('capstan.fault')]: true }) }`,
  error: "export default () => { throw new TypeError('inner detail') }",
  leave: 'export default () => { process.exit(3) }',
  uncloneable: 'export default () => ({ f: () => 1 })',
  slow: 'export default (ms) => new Promise((resolve) => setTimeout(resolve, ms, ms))',
  marked: `import { appendFileSync } from 'node:fs'
    appendFileSync(new URL('imported.txt', import.meta.url), 'x')
    export default (ms) => new Promise((resolve) => setTimeout(resolve, ms, ms))`,
  // Work that uses no processor and waits for no event, as when it waits for a processor.
  held: `export default (shared) => {
    const flags = new Int32Array(shared)
    Atomics.store(flags, 0, 1)
    Atomics.wait(flags, 1, 0)
    return 'done'
  }`,
  // The quadratic work that nested elements cause in readers of pages.
  nested: `export default (html) => { const open = []; let steps = 0; for (const tag of html.match(/<div>/g)) { open.push(tag); for (const a of open) for (const b of open) steps += a === b ? 1 : 0 } return steps }`,
}

describe('core/exec workers', function () {
  this.timeout(20_000)
  let folder: string
  let workers: Workers
  const module = (name: string): URL => pathToFileURL(join(folder, `${name}.mjs`))
  const work = (
    name: string,
    input: unknown = null,
    options: { timeoutMs?: number; heapMb?: number } = {},
    cancel = callOf(),
  ): Promise<unknown> => workers.run(module(name), input, options, cancel)

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'capstan-workers-'))
    for (const [name, code] of Object.entries(MODULES)) await writeFile(join(folder, `${name}.mjs`), code)
  })
  beforeEach(() => void (workers = createWorkers({ clock: systemClock, size: 2 })))
  afterEach(() => workers.close())
  after(() => rm(folder, { recursive: true }))
  /** Threads whose work ends at its limit, however busy the machine is. */
  const atItsLimit = async (): Promise<void> => {
    await workers.close()
    workers = createWorkers({ clock: systemClock, size: 2, used: () => null })
  }

  it('runs the default export, and keeps the imported module for the next', async () => {
    expect(await work('echo', { a: [1, new Uint8Array([2])] })).to.deep.equal({ input: { a: [1, new Uint8Array([2])] }, count: 1 })
    expect(await work('echo', 'x')).to.deep.equal({ input: 'x', count: 2 })
  })

  it('may take its time to import the module before the limit of the work begins', async () => {
    const slow = `await new Promise((resolve) => setTimeout(resolve, 700)); export default () => 'done'`
    await writeFile(join(folder, 'slow-import.mjs'), slow)
    expect(await work('slow-import', null, { timeoutMs: 300 })).to.equal('done')
    await writeFile(join(folder, 'slower-import.mjs'), slow)
    const late = await faultOf(work('slower-import', null, { timeoutMs: 300 }, callOf(50)))
    expect([late.kind, late.costly, late.unavailable], 'nobody is to blame').to.deep.equal(['busy', false, true])
    expect(problemFrom(late)).to.include({ slug: 'overloaded', message: 'A thread did not start in time.' })
    expect((await faultOf(work('missing-module'))).kind).to.equal('broken')
  })

  it('is warm after the first', async () => {
    await work('echo')
    // Processor time of all threads: what else the machine does is not counted.
    const ms = await cpuOf(async () => {
      for (let i = 0; i < 20; i++) await work('echo')
    })
    expect(ms / 20).to.be.lessThan(20)
  })

  describe('another thread with what the last one has imported', () => {
    const by = (caller: string, ms = 10_000): Cancel => new Cancel(systemClock, systemClock.monotonic() + ms, caller)
    const imported = (): number => readFileSync(join(folder, 'imported.txt')).length
    beforeEach(async () => {
      await writeFile(join(folder, 'imported.txt'), '')
      await work('marked', 1, {}, by('a'))
      expect(imported()).to.equal(1)
    })
    const settled = async (count: number): Promise<void> => {
      for (let tries = 0; tries < 100 && imported() < count; tries++) await work('slow', 20, {}, by('a'))
    }

    it('is not kept for one caller alone', async () => {
      for (let each = 0; each < 3; each++) await work('marked', 200, {}, by('a'))
      expect(imported()).to.equal(1)
    })

    it('is prepared when one of several callers takes the last', async () => {
      await work('marked', 1, {}, by('b'))
      await settled(2)
      expect(imported()).to.equal(2)
      for (let each = 0; each < 5; each++) await work('marked', 100, {}, by('a'))
      expect(imported()).to.equal(2)
    })

    it('is prepared when one is lost', async () => {
      await work('marked', 1, {}, by('b'))
      await settled(2)
      await faultOf(work('marked', 5_000, {}, by('b', 100)))
      await settled(3)
      expect(imported()).to.equal(3)
    })

    it('is prepared before the old one has done all that it may', async () => {
      for (let each = 1; each < 190; each++) await work('marked', 0, {}, by('a'))
      await settled(2)
      expect(imported()).to.equal(2)
      for (let each = 190; each < 220; each++) await work('marked', 0, {}, by('a'))
      expect(imported()).to.equal(2)
    })
  })

  it('ends an endless loop at its time and serves the next at once', async function () {
    await atItsLimit()
    const { result: fault, own } = await waited(() => faultOf(work('loop', null, { timeoutMs: 300 })))
    expect(fault).to.deep.include({ kind: 'blocked', message: 'the content took too long to read' })
    await atMost(this, { what: 'until it ended', value: own, limit: 1500 })
    expect(await work('echo', 1)).to.deep.equal({ input: 1, count: 1 })
  })

  describe('on a machine with fewer processors than work', () => {
    const LIMIT_MS = 3_000
    let clock: HandClock
    /** Milliseconds of processor time that the thread has had of so many since its work began. */
    let share: (elapsed: number) => number
    let began = 0

    beforeEach(async () => {
      await workers.close()
      clock = new HandClock()
      const used = (thread: number): number => (usedTime(thread) ?? expect.fail('no times of threads')) + share(clock.monotonic() - began)
      workers = createWorkers({ clock, size: 2, used })
    })
    /** Begins work that goes on until `release`, and waits until its limit runs. */
    const held = async (cancel = new Cancel(clock, 60_000)) => {
      began = clock.monotonic()
      const flags = new Int32Array(new SharedArrayBuffer(8))
      let ended = false
      const result = work('held', flags.buffer, { timeoutMs: LIMIT_MS }, cancel)
        .then(
          (value) => ({ value }),
          (error: unknown) => ({ fault: Fault.is(error) ? error : expect.fail(String(error)) }),
        )
        .finally(() => (ended = true))
      await until(() => Atomics.load(flags, 0) === 1)
      await turns()
      const release = (): void => {
        Atomics.store(flags, 1, 1)
        Atomics.notify(flags, 1)
      }
      return { result, release, ended: () => turns().then(() => ended) }
    }
    /** What the thread said before is received by then. */
    const turns = async (): Promise<void> => {
      for (let each = 0; each < 3; each++) await new Promise<void>((resolve) => setImmediate(resolve))
    }
    /** Lets time pass in small steps until the work ended; the milliseconds it took. */
    const endOf = async ({ ended }: Awaited<ReturnType<typeof held>>): Promise<number> => {
      while (!(await ended()) && clock.monotonic() - began < 100_000) clock.advance(100)
      return clock.monotonic() - began
    }

    it('V7 work that gets no processor goes on beyond its limit, and its result counts', async () => {
      share = () => 0
      const begun = await held()
      clock.advance(4 * LIMIT_MS)
      expect(await begun.ended()).to.equal(false)
      begun.release()
      expect(await begun.result).to.deep.equal({ value: 'done' })
    })

    it('V7 after five times its limit it is overloaded, to be tried again, and nobody is to blame', async () => {
      share = (elapsed) => elapsed / 10
      const begun = await held()
      expect(await endOf(begun)).to.equal(5 * LIMIT_MS)
      const outcome = await begun.result
      if (!('fault' in outcome)) return expect.fail('it ended with a result')
      expect(outcome.fault).to.include({ kind: 'busy', unavailable: true, costly: false })
      const problem = problemFrom(outcome.fault)
      expect(problem).to.include({ slug: 'overloaded', message: 'The machine was too busy to read the content in time.' })
      expect(problem.options.retryAfterSeconds).to.equal(5)
    })

    for (const [what, part] of [
      ['all', 1],
      ['half', 0.5],
      ['a quarter', 0.25],
    ] as const)
      it(`V7 work that has ${what} of a processor is blocked when it has used its limit`, async () => {
        share = (elapsed) => elapsed * part
        const begun = await held()
        expect(await endOf(begun)).to.be.within(LIMIT_MS / part - 100, LIMIT_MS / part + 100)
        const outcome = await begun.result
        expect('fault' in outcome && outcome.fault).to.include({
          kind: 'blocked',
          message: 'the content took too long to read',
          costly: true,
        })
      })

    it('V7 where the call is over first it is the work that took too long only if it had most of the time', async () => {
      for (const [part, kind] of [
        [0.9, 'blocked'],
        [0.1, 'busy'],
      ] as const) {
        share = (elapsed) => elapsed * part
        const timed = await held(new Cancel(clock, clock.monotonic() + 1_000))
        expect(await endOf(timed), kind).to.equal(1_000)
        const cancel = new Cancel(clock, clock.monotonic() + 60_000)
        const stopped = await held(cancel)
        clock.advance(500)
        cancel.cancel('step-timeout')
        for (const outcome of [await timed.result, await stopped.result])
          expect('fault' in outcome && outcome.fault.kind, kind).to.equal(kind)
      }
    })

    it('V7 a system that does not report the times of threads ends the work at its limit', async () => {
      await workers.close()
      workers = createWorkers({ clock, size: 1, used: () => null })
      const begun = await held()
      expect(await endOf(begun)).to.equal(LIMIT_MS)
      const outcome = await begun.result
      expect('fault' in outcome && outcome.fault).to.include({ kind: 'blocked', costly: true })
    })

    it('V7 work that waits for something else than a processor is blocked at its limit', async () => {
      await workers.close()
      workers = createWorkers({ clock: systemClock, size: 1 })
      for (const [name, input] of [
        ['never', null],
        ['slow', 60_000],
      ] as const)
        expect(await faultOf(work(name, input, { timeoutMs: 50 })), name).to.include({ kind: 'blocked', costly: true })
    })
  })

  it('ends a page of nested elements while the event loop stays free', async function () {
    await atItsLimit()
    const before = performance.eventLoopUtilization()
    const fault = await faultOf(work('nested', '<div>'.repeat(5000), { timeoutMs: 500 }))
    expect(fault.kind).to.equal('blocked')
    await atMost(this, { what: 'the event loop at work', value: performance.eventLoopUtilization(before).active, limit: 250 })
  })

  it('ends what outgrows its heap or its stack, and lives on', async () => {
    expect(await faultOf(work('heap', null, { heapMb: 32 }))).to.deep.include({
      kind: 'blocked',
      message: 'the content needs too much memory to read',
    })
    expect(await faultOf(work('deep'))).to.deep.include({ kind: 'blocked', message: 'the content is nested too deeply to be read' })
    expect(await work('echo', 1)).to.deep.include({ input: 1 })
  })

  it('ends with the call, busy when the caller is gone', async () => {
    const cancel = callOf()
    const gone = faultOf(work('never', null, {}, cancel))
    later(100, () => cancel.cancel('client-gone'))
    expect((await gone).kind).to.equal('busy')
    const over = callOf()
    over.cancel('shutdown')
    expect((await faultOf(work('echo', 1, {}, over))).kind).to.equal('busy')
  })

  it('passes a Fault on, and makes anything else broken without showing it', async () => {
    expect(await faultOf(work('fault'))).to.deep.include({ kind: 'missing', message: 'nothing there' })
    expect(await faultOf(work('error'))).to.deep.include({
      kind: 'broken',
      message: 'the content could not be read',
      internal: 'TypeError: inner detail',
    })
    for (const name of ['leave', 'uncloneable', 'absent']) expect((await faultOf(work(name))).kind, name).to.equal('broken')
    expect(await work('echo', 1)).to.deep.include({ input: 1 })
  })

  it('has none of the secrets of the environment', async () => {
    expect(await work('env')).to.deep.equal([])
  })

  it('does several at once, never more than its size', async () => {
    const begin = performance.now()
    expect(await Promise.all([1, 2, 3, 4].map(() => work('slow', 300)))).to.deep.equal([300, 300, 300, 300])
    expect(performance.now() - begin).to.be.greaterThan(590)
  })

  it('serves other heap sizes without growing', async () => {
    for (const heapMb of [32, 48, 64, 80]) expect(await work('echo', heapMb, { heapMb })).to.deep.equal({ input: heapMb, count: 1 })
  })

  it('refuses work when closed', async () => {
    await workers.close()
    expect((await faultOf(work('echo'))).kind).to.equal('busy')
  })
})
