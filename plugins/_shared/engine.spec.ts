import { expect } from 'chai'
import { EngineBench } from '../../test/support/engine-bench.js'
import { faultOf, needs, openSandbox, type TestSandbox } from '../../test/support/exec-sandbox.js'
import { until } from '../../test/support/time.js'

describe('engines', function () {
  this.timeout(30_000)
  let box: TestSandbox
  let bench: EngineBench

  before(async function () {
    needs(this, 'bwrap')
    box = await openSandbox()
  })
  after(async () => await box?.close())
  beforeEach(() => {
    bench = new EngineBench(box)
  })
  afterEach(async () => await bench?.close())

  it('a process answers with its model, without network or files beside the pack, and stays for the next question', async () => {
    const events: unknown[] = []
    const demo = await bench.open()
    const call = { input: {}, bytes: Uint8Array.of(1, 2, 3), onEvent: (event: unknown) => void events.push(event) }
    const { result, bytes } = await demo.ask(bench.call(), call)
    expect(result).to.deep.include({ text: 'weights', word: 'set', sees: false, reached: false })
    expect([[...bytes], bytes.slice().buffer.byteLength]).to.deep.equal([[3, 2, 1], 3])
    expect(events).to.deep.equal([{ half: true }])
    await bench.ask(demo, { do: 'fill', mb: 1 })
    expect(await bench.memoryOf(demo)).to.equal(1)
  })

  it('a process is replaced after so many answers, and when it holds too much memory', async () => {
    const counted = await bench.open({ uses: 2 })
    await bench.ask(counted, { do: 'fill', mb: 1 })
    expect(await bench.memoryOf(counted)).to.equal(1)
    expect(await bench.memoryOf(counted)).to.equal(0)
    await bench.end()
    const weighed = await bench.open({ recycleMb: 150 })
    await bench.ask(weighed, { do: 'fill', mb: 1 })
    expect(await bench.memoryOf(weighed)).to.equal(1)
    await bench.ask(weighed, { do: 'fill', mb: 150 })
    expect(await bench.memoryOf(weighed)).to.equal(0)
  })

  it('one that dies, hangs or grows fails the call that it answers, and the next call has a new one', async () => {
    const demo = await bench.open()
    const [died, hung, grown] = [
      await faultOf(bench.ask(demo, { do: 'die' })),
      await faultOf(bench.ask(demo, { do: 'hang' }, { timeoutMs: 1_500 })),
      await faultOf(bench.ask(demo, { do: 'grow' })),
    ]
    expect(died).to.include({ kind: 'broken', costly: true, message: 'The local engine ended before it had answered.' })
    expect(hung).to.include({ kind: 'missing', costly: true, final: true, message: 'This takes more time than the local engine may use.' })
    expect(grown).to.include({
      kind: 'missing',
      costly: true,
      final: false,
      message: 'This takes more memory than the local engine may use.',
    })
    expect(await bench.memoryOf(demo)).to.equal(0)
  })

  it('a refusal reaches the caller, any other error only the log, and neither ends the process', async () => {
    const demo = await bench.open()
    await bench.ask(demo, { do: 'fill', mb: 1 })
    expect(await faultOf(bench.ask(demo, { do: 'refuse' }))).to.include({ kind: 'missing', message: 'There is nothing in it.' })
    const failed = await faultOf(bench.ask(demo, { do: 'fail' }))
    expect(failed).to.include({ kind: 'broken', message: 'The local engine failed.' })
    expect(failed.internal).to.contain('of no use to a caller')
    expect(await bench.memoryOf(demo)).to.equal(1)
  })

  it('a caller who leaves ends the process and nobody else waits for it', async () => {
    const demo = await bench.open()
    const leaves = new AbortController()
    const left = faultOf(demo.ask(bench.call(leaves.signal), { input: { do: 'wait' } }))
    const next = bench.ask(demo)
    leaves.abort()
    expect((await left).kind).to.equal('busy')
    expect((await next).result).to.deep.include({ text: 'weights' })
  })

  it('questions wait for each other; one account has eight waiting, and who leaves the line is not asked', async () => {
    const demo = await bench.open()
    const leaves = new AbortController()
    const first = bench.ask(demo)
    const gone = faultOf(demo.ask(bench.call(leaves.signal), { input: { do: 'die' } }))
    const waiting = Array.from({ length: 7 }, () => bench.ask(demo))
    const full = await faultOf(bench.ask(demo))
    leaves.abort()
    expect(full).to.include({ kind: 'busy', message: 'Too many calls wait for the local engine.' })
    expect((await gone).message).to.equal('The local engine was not free in time.')
    expect(await Promise.all([first, ...waiting])).to.have.length(8)
  })

  it('a process that is not asked ends after a while, and with the gateway', async () => {
    const ended: Promise<unknown>[] = []
    const demo = await bench.open({ idleMs: 30 })
    const start = box.sandbox.start.bind(box.sandbox)
    box.sandbox.start = async (...given) => {
      const program = await start(...given)
      ended.push(program.ended)
      return program
    }
    try {
      await bench.ask(demo)
      await until(() => ended.length === 1)
      await ended[0]
      expect(await bench.memoryOf(demo)).to.equal(0)
      expect(ended).to.have.length(2)
      await bench.end()
      await ended[1]
    } finally {
      box.sandbox.start = start
    }
  })

  it('a module in Python answers, imports from the pack, refuses and fails in the same way', async function () {
    needs(this, '/usr/bin/python3')
    const demo = await bench.open({ module: bench.file('code/demo.py') })
    const { result, bytes } = await bench.ask(demo)
    expect(result).to.deep.equal({ text: 'weights', helper: 'from the pack' })
    expect([...bytes]).to.deep.equal([3, 2, 1])
    expect(await faultOf(bench.ask(demo, { do: 'refuse' }))).to.include({ kind: 'invalid', message: 'This is not a sound.' })
    expect((await faultOf(bench.ask(demo, { do: 'fail' }))).internal).to.contain('ValueError')
    expect((await bench.ask(demo)).result).to.deep.include({ text: 'weights' })
  })

  it('one that does not start fails the call with what it wrote', async () => {
    bench.write('code/demo.mjs', "export const open = () => { throw new Error('no weights') }")
    const fault = await faultOf(bench.ask(await bench.open()))
    expect(fault.kind).to.equal('broken')
    expect(fault.internal).to.contain('no weights')
  })
})
