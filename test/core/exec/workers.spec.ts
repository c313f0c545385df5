import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Cancel } from '../../../core/runtime/cancel.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { createWorkers } from '../../../core/exec/index.js'
import type { Workers } from '../../../core/exec/types.js'
import { callOf, faultOf } from '../../support/exec-sandbox.js'
import { atMost, cpuOf, later, waited } from '../../support/time.js'

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
    options: { timeoutMs?: number; heapMb?: number; loadMs?: number } = {},
    cancel = callOf(),
  ): Promise<unknown> => workers.run(module(name), input, options, cancel)

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'capstan-workers-'))
    for (const [name, code] of Object.entries(MODULES)) await writeFile(join(folder, `${name}.mjs`), code)
  })
  beforeEach(() => void (workers = createWorkers({ clock: systemClock, size: 2 })))
  afterEach(() => workers.close())
  after(() => rm(folder, { recursive: true }))

  it('runs the default export, and keeps the imported module for the next', async () => {
    expect(await work('echo', { a: [1, new Uint8Array([2])] })).to.deep.equal({ input: { a: [1, new Uint8Array([2])] }, count: 1 })
    expect(await work('echo', 'x')).to.deep.equal({ input: 'x', count: 2 })
  })

  it('may take its time to import the module before the limit of the work begins', async () => {
    const slow = `await new Promise((resolve) => setTimeout(resolve, 700)); export default () => 'done'`
    await writeFile(join(folder, 'slow-import.mjs'), slow)
    expect((await faultOf(work('slow-import', null, { timeoutMs: 300 }))).costly).to.equal(true)
    expect(await work('slow-import', null, { timeoutMs: 300, loadMs: 10_000 })).to.equal('done')
    await writeFile(join(folder, 'slower-import.mjs'), slow)
    const late = await faultOf(work('slower-import', null, { timeoutMs: 300, loadMs: 50 }))
    expect([late.kind, late.costly, late.unavailable], 'nobody is to blame').to.deep.equal(['busy', false, true])
    const wrong = await faultOf(work('missing-module', null, { loadMs: 10_000 }))
    expect(wrong.kind).to.equal('broken')
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
      expect((await faultOf(work('marked', 5_000, {}, by('b', 100)))).kind).to.equal('blocked')
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
    const { result: fault, own } = await waited(() => faultOf(work('loop', null, { timeoutMs: 300 })))
    expect(fault).to.deep.include({ kind: 'blocked', message: 'the content took too long to read' })
    await atMost(this, { what: 'until it ended', value: own, limit: 1500 })
    expect(await work('echo', 1)).to.deep.equal({ input: 1, count: 1 })
  })

  it('ends a page of nested elements while the event loop stays free', async function () {
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

  it('ends with the call: busy when the caller is gone, blocked when its time is over', async () => {
    const cancel = callOf()
    const gone = faultOf(work('never', null, {}, cancel))
    later(100, () => cancel.cancel('client-gone'))
    expect((await gone).kind).to.equal('busy')
    const late = callOf()
    const stopped = faultOf(work('loop', null, {}, late))
    later(100, () => late.cancel('step-timeout'))
    expect((await stopped).kind).to.equal('blocked')
    const over = callOf()
    over.cancel('shutdown')
    expect((await faultOf(work('echo', 1, {}, over))).kind).to.equal('busy')
    expect((await faultOf(work('never', null, {}, callOf(200)))).kind).to.equal('blocked')
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
