import { expect } from 'chai'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import sinon from 'sinon'
import { EngineBench, engineManifest } from '../../test/support/engine-bench.js'
import { faultOf, needs, openSandbox, processesWith, type TestSandbox } from '../../test/support/exec-sandbox.js'
import { fsTouches } from '../../test/support/fs-touches.js'
import { until } from '../../test/support/time.js'
import type { Engine } from './engine.js'

const MISSING = { kind: 'broken', message: 'The local engine is not installed as it should be.', costly: false }

describe('the life of an engine and its packs', function () {
  this.timeout(30_000)
  let box: TestSandbox
  let bench: EngineBench

  before(async function () {
    needs(this, 'bwrap')
    box = await openSandbox()
  })
  after(async () => await box?.close())
  let temp: string | undefined
  beforeEach(() => {
    bench = new EngineBench(box)
    temp = process.env['TMPDIR']
    mkdirSync(bench.path('tmp'))
    process.env['TMPDIR'] = bench.path('tmp')
  })
  afterEach(async () => {
    if (temp === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = temp
    await bench?.close()
  })

  /** Processes of the engine, with those of its sandbox. */
  const processes = async (): Promise<number[]> => await processesWith(bench.path('code'))
  const gone = async (): Promise<number> => await until(async () => (await processes()).length === 0)
  /** The internal message of a failed request. */
  const whyNot = async (engine: Engine, more: Parameters<EngineBench['ask']>[2] = {}): Promise<string | undefined> => {
    const fault = await faultOf(bench.ask(engine, {}, more))
    expect(fault).to.include(MISSING)
    return fault.internal
  }

  it('a pack that is missing, cut short, changed or of another version is not used: the file and the command are named, and no process starts', async () => {
    const model = bench.path('tools', 'demo', 'model.txt')
    const broken: readonly (readonly [() => void, RegExp])[] = [
      [() => bench.remove('demo'), /^engine pack demo: it is not installed; npm run tools -- demo$/],
      [() => rmSync(model), /model.txt is missing; npm run tools -- demo$/],
      [() => truncateSync(model, 3), /model.txt has 3 bytes, not 7; npm run tools -- demo$/],
      [() => writeFileSync(model, 'WEIGHTS'), /model.txt has a SHA-256 other than in its manifest; npm run tools -- demo$/],
      [() => rmSync(bench.path('tools', 'demo', 'lib', 'helper.py')), /helper.py is missing; npm run tools -- demo$/],
      [() => rmSync(bench.path('tools', 'demo', 'contents')), /contents is missing; npm run tools -- demo$/],
      [() => bench.pack('demo', { 'model.txt': 'older' }), /demo is not what .*demo.json says; npm run tools -- demo$/],
    ]
    const opened: Engine[] = []
    for (const [breaks, says] of broken) {
      const demo = await bench.open()
      opened.push(demo)
      breaks()
      expect(await whyNot(demo)).to.match(says)
      bench.pack('demo', { 'model.txt': 'weights' })
    }
    expect(await processes()).to.deep.equal([])
    for (const demo of opened.slice(0, 2))
      expect((await bench.ask(demo)).result, 'as soon as it is back').to.deep.include({ text: 'weights' })
  })

  it('a pack that is removed while its process runs ends it, and another process answers as soon as the pack is back', async () => {
    const demo = await bench.open()
    await bench.ask(demo, { do: 'fill', mb: 1 })
    renameSync(bench.path('tools', 'demo'), bench.path('away'))
    const failed = faultOf(bench.ask(demo, { do: 'fill', mb: 1 }))
    expect((await faultOf(demo.packs())).internal).to.match(/it is not installed; npm run tools -- demo$/)
    expect((await failed).internal).to.match(/it is not installed; npm run tools -- demo$/)
    await gone()
    renameSync(bench.path('away'), bench.path('tools', 'demo'))
    expect(await bench.memoryOf(demo)).to.equal(0)
  })

  it('a new version of the plugin’s manifest wants a new pack at once', async () => {
    const demo = await bench.open()
    await bench.ask(demo)
    bench.write('demo.json', engineManifest('demo', { 'model.txt': 'newer' }))
    expect(await whyNot(demo)).to.match(/npm run tools -- demo$/)
    bench.pack('demo', { 'model.txt': 'newer' })
    expect((await bench.ask(demo)).result).to.deep.include({ text: 'newer' })
  })

  it('a file that goes missing under a process is named when the process fails for it', async () => {
    const demo = await bench.open()
    await bench.ask(demo)
    expect((await faultOf(bench.ask(demo, { do: 'fail' }))).internal).to.contain('of no use to a caller')
    rmSync(bench.path('tools', 'demo', 'lib', 'helper.py'))
    expect((await faultOf(bench.ask(demo, { do: 'fail' }))).internal).to.match(/helper.py is missing; npm run tools -- demo$/)
    bench.write('code/demo.mjs', "export const open = () => { throw new Error('no weights') }")
    await bench.end()
    expect(await whyNot(demo)).to.match(/helper.py is missing/)
  })

  it('a pack that is brought for an engine reaches it without a restart; one that is not whole is left out, and named to who needs it', async () => {
    const demo = await bench.open()
    const read = async (more = {}): Promise<unknown> => (await bench.ask(demo, { do: 'packs' }, more)).result
    const ids = async (): Promise<string[]> => (await demo.packs()).map(({ id }) => id)
    expect([await ids(), await read()]).to.deep.equal([['demo'], []])
    bench.pack('further', { 'x.txt': 'x' }, { for: 'demo', about: { language: 'de' } })
    bench.pack('apart', { 'x.txt': 'y' })
    bench.write('tools/torn/pack.json', '{')
    expect([await ids(), await read()]).to.deep.equal([['demo', 'further'], ['x']])
    const further = (await demo.packs())[1] ?? expect.fail('no further pack')
    expect(further).to.deep.include({ id: 'further', about: { language: 'de' }, folder: bench.path('tools', 'further') })
    expect(bench.logs).to.have.length(1)
    expect(bench.logs[0]?.fields).to.deep.include({ folder: bench.path('tools', 'torn') })

    bench.pack('further', { 'x.txt': 'x' }, { for: 'demo', about: { language: 'fr' } })
    truncateSync(bench.path('tools', 'further', 'x.txt'))
    expect([await ids(), await read()]).to.deep.equal([['demo', 'further'], []])
    expect(bench.logs.at(-1)?.fields).to.deep.include({ pack: 'further' })
    await bench.ask(demo, { do: 'fill', mb: 1 })
    expect(await whyNot(demo, { pack: further })).to.match(/^engine pack further: .*x.txt has 0 bytes, not 1; npm run tools -- further/)
    expect(await bench.memoryOf(demo), 'the process goes on').to.equal(1)
    writeFileSync(bench.path('tools', 'further', 'x.txt'), 'x')
    expect(await read({ pack: further })).to.deep.equal(['x'])
  })

  it('hashes a pack once, and again only what has changed', async () => {
    const demo = await bench.open({ uses: 1 })
    const hashed = async (): Promise<string[]> =>
      (await fsTouches('model.txt', async () => await bench.ask(demo))).filter((touch) => touch.startsWith('createReadStream'))
    expect(await hashed()).to.have.length(1)
    expect(await hashed()).to.deep.equal([])
    bench.pack('demo', { 'model.txt': 'weights' })
    expect(await hashed()).to.have.length(1)
  })

  it('runs no process before the first question, and none after the idle time', async () => {
    const demo = await bench.open({ idleMs: 120_000 })
    await demo.packs()
    expect(await processes()).to.deep.equal([])
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true, shouldClearNativeTimers: true })
    try {
      await bench.ask(demo)
      expect(await processes()).not.to.deep.equal([])
      clock.tick(119_000)
      await bench.ask(demo, { do: 'fill', mb: 1 })
      clock.tick(119_000)
      expect(await bench.memoryOf(demo), 'each question begins the time anew').to.equal(1)
      clock.tick(120_001)
    } finally {
      clock.restore()
    }
    await gone()
  })

  it('one that dies, hangs, grows or is left leaves no process, no file and no place behind', async () => {
    const demo = await bench.open()
    for (const [what, more] of [
      ['die', {}],
      ['hang', { timeoutMs: 500 }],
      ['grow', {}],
    ] as const) {
      expect((await bench.ask(demo)).result).to.deep.include({ left: false, memory: 0 })
      await bench.ask(demo, { do: 'write' })
      await faultOf(bench.ask(demo, { do: what }, more))
      await gone()
    }
    const leaves = new AbortController()
    await bench.ask(demo)
    const left = faultOf(demo.ask(bench.call(leaves.signal), { input: { do: 'wait' } }))
    leaves.abort()
    await left
    await gone()
    expect(await Promise.all(Array.from({ length: 8 }, () => bench.memoryOf(demo)))).to.deep.equal(Array(8).fill(0))
    await bench.end()
    await gone()
    expect(readdirSync(bench.path('tmp')), 'files of the sandbox').to.deep.equal([])
  })

  for (const [language, module] of [
    ['Node', 'code/demo.mjs'],
    ['Python', 'code/demo.py'],
  ] as const)
    it(`in ${language} has a network of its own, with the loopback device alone, no address beyond it and no route`, async function () {
      needs(this, '/usr/bin/python3')
      const demo = await bench.open({ module: bench.file(module) })
      const inside = (await bench.ask(demo, { do: 'network' })).result as { namespace: string }
      expect(inside).to.deep.include({ devices: ['lo'] })
      expect(inside).not.to.have.property('namespace', readlinkSync('/proc/self/ns/net'))
      if (language === 'Node') expect(inside).to.deep.include({ beyond: [], routes: 0 })
      // The same process, by its id on the host.
      const [pid] = (await processes()).filter((id) => readlinkSync(`/proc/${id}/ns/net`) === inside.namespace)
      const devices = readFileSync(`/proc/${pid}/net/dev`, 'utf8').split('\n').slice(2, -1)
      expect(devices.map((line) => line.split(':')[0]?.trim())).to.deep.equal(['lo'])
      expect(readFileSync(`/proc/${pid}/net/route`, 'utf8').trim().split('\n')).to.have.length(1)
    })
})
