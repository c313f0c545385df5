import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openResource, Type, type ResourceHost } from '../../core/sdk/index.js'
import { faultOf, needs, openSandbox, type TestSandbox } from '../../test/support/exec-sandbox.js'
import { until } from '../../test/support/time.js'
import { engine, type Engine, type EngineDefinition } from './engine.js'

const settings = Type.Object({ word: Type.String() })
type Definition = EngineDefinition<typeof settings>

const NODE = `
import { existsSync, readFileSync } from 'node:fs'
export const open = async ([model, secret, word]) => {
  const text = readFileSync(model, 'utf8')
  const kept = []
  console.log('a library that prints')
  return async (input, bytes, tell) => {
    if (input.do === 'die') process.exit(3)
    if (input.do === 'hang') for (;;);
    if (input.do === 'wait') await new Promise(() => setInterval(() => undefined, 1000))
    if (input.do === 'grow') for (;;) kept.push(Buffer.alloc(8 << 20, 1))
    if (input.do === 'fill') kept.push(Buffer.alloc(input.mb << 20, 1))
    if (input.do === 'refuse') throw Object.assign(new Error('There is nothing in it.'), { kind: 'missing' })
    if (input.do === 'fail') throw new Error('of no use to a caller')
    if (input.do === 'flood') process.stdout.write('x')
    tell({ half: true })
    const reached = await fetch('http://192.0.2.1/').then(() => true, () => false)
    return { result: { text, word, sees: existsSync(secret), reached, memory: kept.length }, bytes: bytes.toReversed() }
  }
}
`
const PYTHON = `
import helper
from engine_process import Refused
def open_engine(args):
    print('a library that prints')
    def answer(given, data, tell):
        if given.get('do') == 'refuse':
            raise Refused('invalid', 'This is not a sound.')
        if given.get('do') == 'fail':
            raise ValueError('of no use to a caller')
        tell({'half': True})
        return {'text': open(args[0]).read(), 'helper': helper.NAME}, data[::-1]
    return answer
`

describe('engines', function () {
  this.timeout(30_000)
  let box: TestSandbox
  let root: string
  let opened: Engine & { close?: () => Promise<void> }
  let resource: ReturnType<typeof engine>

  before(async function () {
    needs(this, 'bwrap')
    box = await openSandbox()
  })
  after(async () => await box?.close())
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'capstan-engine-'))
    chmodSync(root, 0o755)
    pack('demo', { 'model.txt': 'weights' })
    writeFileSync(join(root, 'secret'), 'x')
    writeFileSync(join(root, 'demo.json'), manifestOf('demo', { 'model.txt': 'weights' }))
    mkdirSync(join(root, 'code'))
    writeFileSync(join(root, 'code', 'demo.mjs'), NODE)
    writeFileSync(join(root, 'code', 'demo.py'), PYTHON)
  })
  afterEach(async () => {
    await resource?.close?.(opened)
    rmSync(root, { recursive: true, force: true })
  })

  const file = (name: string): URL => pathToFileURL(join(root, name))
  const manifestOf = (id: string, files: Readonly<Record<string, string>>, more: object = {}): string =>
    JSON.stringify({
      ...{ id, title: 'A demo', serves: 'nothing', installed_mb: 1 },
      files: Object.entries(files).map(([path, text]) => ({ path, sha256: createHash('sha256').update(text).digest('hex'), licence: 'MIT' })),
      ...more,
    })
  function pack(id: string, files: Readonly<Record<string, string>>, more: object = {}): void {
    const folder = join(root, 'tools', id)
    mkdirSync(join(folder, 'bin'), { recursive: true })
    mkdirSync(join(folder, 'lib'), { recursive: true })
    writeFileSync(join(folder, 'lib', 'helper.py'), "NAME = 'from the pack'\n")
    writeFileSync(join(folder, 'bin', id), '#!/bin/sh\n', { mode: 0o755 })
    writeFileSync(join(folder, 'pack.json'), manifestOf(id, files, more))
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  }
  async function open(more: Partial<Definition> = {}): Promise<Engine> {
    resource = engine<typeof settings>({
      id: 'demo.engine',
      manifest: file('demo.json'),
      module: file('code/demo.mjs'),
      settings,
      args: ({ packs: [own], settings: { word } }) => [own.path('model.txt'), join(root, 'secret'), word],
      memoryMb: 256,
      ...more,
    })
    const host = {
      program: (name: string) => (name === 'demo' ? join(root, 'tools', 'demo', 'bin', 'demo') : box.sandbox.program(name)),
      start: (...given: Parameters<ResourceHost['start']>) => box.sandbox.start(...given),
      settings: { word: 'set' },
    } as unknown as ResourceHost
    opened = await openResource(resource, host)
    return opened
  }
  const callOf = (signal = new AbortController().signal, left = 20_000) => ({
    signal,
    timeLeft: () => left,
    caller: { account: 'a', key: 'k' },
    log: () => undefined,
  })
  const ask = (given: Engine, input: object = {}, timeoutMs = 15_000) => given.ask(callOf(), { input, bytes: Uint8Array.of(1, 2, 3), timeoutMs })
  /** How much the process that answers was made to keep: another one has nothing. */
  const memoryOf = async (given: Engine): Promise<unknown> => ((await ask(given)).result as { memory: number }).memory

  it('a process answers with its model, without network or files beside the pack, and stays for the next question', async () => {
    const events: unknown[] = []
    const demo = await open()
    const call = { input: {}, bytes: Uint8Array.of(1, 2, 3), onEvent: (event: unknown) => void events.push(event) }
    const { result, bytes } = await demo.ask(callOf(), call)
    expect(result).to.deep.include({ text: 'weights', word: 'set', sees: false, reached: false })
    expect([...bytes]).to.deep.equal([3, 2, 1])
    expect(events).to.deep.equal([{ half: true }])
    await ask(demo, { do: 'fill', mb: 1 })
    expect(await memoryOf(demo)).to.equal(1)
  })

  it('a process is replaced after so many answers, and when it holds too much memory', async () => {
    const counted = await open({ uses: 2 })
    await ask(counted, { do: 'fill', mb: 1 })
    expect(await memoryOf(counted)).to.equal(1)
    expect(await memoryOf(counted)).to.equal(0)
    await resource.close?.(opened)
    const weighed = await open({ recycleMb: 150 })
    await ask(weighed, { do: 'fill', mb: 1 })
    expect(await memoryOf(weighed)).to.equal(1)
    await ask(weighed, { do: 'fill', mb: 150 })
    expect(await memoryOf(weighed)).to.equal(0)
  })

  it('one that dies, hangs or grows fails the call that it answers, and the next call has a new one', async () => {
    const demo = await open()
    const [died, hung, grown] = [
      await faultOf(ask(demo, { do: 'die' })),
      await faultOf(ask(demo, { do: 'hang' }, 1_500)),
      await faultOf(ask(demo, { do: 'grow' })),
    ]
    expect(died).to.include({ kind: 'broken', costly: true, message: 'The local engine ended before it had answered.' })
    expect(hung).to.include({ kind: 'missing', costly: true, final: true, message: 'This takes more time than the local engine may use.' })
    expect(grown).to.include({ kind: 'missing', costly: true, final: false, message: 'This takes more memory than the local engine may use.' })
    expect(await memoryOf(demo)).to.equal(0)
  })

  it('a refusal reaches the caller, any other error only the log, and neither ends the process', async () => {
    const demo = await open()
    await ask(demo, { do: 'fill', mb: 1 })
    expect(await faultOf(ask(demo, { do: 'refuse' }))).to.include({ kind: 'missing', message: 'There is nothing in it.' })
    const failed = await faultOf(ask(demo, { do: 'fail' }))
    expect(failed).to.include({ kind: 'broken', message: 'The local engine failed.' })
    expect(failed.internal).to.contain('of no use to a caller')
    expect(await memoryOf(demo)).to.equal(1)
  })

  it('a caller who leaves ends the process and nobody else waits for it', async () => {
    const demo = await open()
    const leaves = new AbortController()
    const left = faultOf(demo.ask(callOf(leaves.signal), { input: { do: 'wait' } }))
    const next = ask(demo)
    leaves.abort()
    expect((await left).kind).to.equal('busy')
    expect((await next).result).to.deep.include({ text: 'weights' })
  })

  it('questions wait for each other; one account has eight waiting, and who leaves the line is not asked', async () => {
    const demo = await open()
    const leaves = new AbortController()
    const first = ask(demo)
    const gone = faultOf(demo.ask(callOf(leaves.signal), { input: { do: 'die' } }))
    const waiting = Array.from({ length: 7 }, () => ask(demo))
    const full = await faultOf(ask(demo))
    leaves.abort()
    expect(full).to.include({ kind: 'busy', message: 'Too many calls wait for the local engine.' })
    expect((await gone).message).to.equal('The local engine was not free in time.')
    expect(await Promise.all([first, ...waiting])).to.have.length(8)
  })

  it('a process that is not asked ends after a while, and with the gateway', async () => {
    const ended: Promise<unknown>[] = []
    const demo = await open({ idleMs: 30 })
    const start = box.sandbox.start.bind(box.sandbox)
    box.sandbox.start = async (...given) => {
      const program = await start(...given)
      ended.push(program.ended)
      return program
    }
    try {
      await ask(demo)
      await until(() => ended.length === 1)
      await ended[0]
      expect(await memoryOf(demo)).to.equal(0)
      expect(ended).to.have.length(2)
      await resource.close?.(opened)
      await ended[1]
    } finally {
      box.sandbox.start = start
    }
  })

  it('a pack that is missing, older, or has another file than its manifest says is not used, and the command is named', async () => {
    writeFileSync(join(root, 'tools', 'demo', 'model.txt'), 'others')
    const other = await faultOf(ask(await open()))
    expect(other.internal).to.match(/model.txt has another SHA-256 than its manifest says; npm run tools -- demo$/)
    writeFileSync(join(root, 'demo.json'), manifestOf('demo', { 'model.txt': 'newer' }))
    const older = await faultOf(open())
    expect(older).to.include({ kind: 'broken', message: 'The local engine is not installed as it should be.' })
    expect(older.internal).to.match(/npm run tools -- demo$/)
  })

  it('an engine sees the packs that are for its own, and no others', async () => {
    pack('further', { 'x.txt': 'x' }, { for: 'demo', about: { language: 'de' } })
    pack('apart', { 'x.txt': 'x' })
    const { packs } = await open()
    expect(packs.map(({ id, about }) => ({ id, about }))).to.deep.equal([
      { id: 'demo', about: null },
      { id: 'further', about: { language: 'de' } },
    ])
    expect(packs[1]?.path('x.txt')).to.equal(join(root, 'tools', 'further', 'x.txt'))
  })

  it('a module in Python answers, imports from the pack, refuses and fails in the same way', async function () {
    needs(this, '/usr/bin/python3')
    const demo = await open({ module: file('code/demo.py') })
    const { result, bytes } = await ask(demo)
    expect(result).to.deep.equal({ text: 'weights', helper: 'from the pack' })
    expect([...bytes]).to.deep.equal([3, 2, 1])
    expect(await faultOf(ask(demo, { do: 'refuse' }))).to.include({ kind: 'invalid', message: 'This is not a sound.' })
    expect((await faultOf(ask(demo, { do: 'fail' }))).internal).to.contain('ValueError')
    expect((await ask(demo)).result).to.deep.include({ text: 'weights' })
  })

  it('one that does not start fails the call with what it wrote', async () => {
    writeFileSync(join(root, 'code', 'demo.mjs'), "export const open = () => { throw new Error('no weights') }")
    const fault = await faultOf(ask(await open()))
    expect(fault.kind).to.equal('broken')
    expect(fault.internal).to.contain('no weights')
  })
})
