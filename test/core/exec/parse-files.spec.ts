import { expect } from 'chai'
import { readdirSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Cancel } from '../../../core/runtime/cancel.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { ScratchFolder } from '../../../core/files/scratch-folder.js'
import { Fault, type ScratchFile } from '../../../core/sdk/index.js'
import { callOf, faultOf, needs, openSandbox, type TestSandbox } from '../../support/exec-sandbox.js'
import { TemporaryFolder } from '../../support/store.js'
import { errorOf } from '../../support/unit.js'
import { until } from '../../support/time.js'

const MIB = 1024 * 1024
const MODULES: Readonly<Record<string, string>> = {
  join: `export default (files, args) => ({ result: { sizes: files.map(({ length }) => length), kind: files[0]?.constructor.name, args },
    data: Buffer.concat(files.toReversed?.() ?? [...files].reverse()) })`,
  size: 'export default ([file]) => ({ result: file.length })',
  none: 'export default () => undefined',
  much: 'export default (files, { mib }) => ({ result: null, data: Buffer.alloc(mib * 1048576, 7) })',
  large: "export default () => ({ result: 'x'.repeat(30 << 20), data: Buffer.alloc(10) })",
  half: `import { writeSync } from 'node:fs'
    export default () => { const b = Buffer.alloc(4); b.writeUInt32LE(24); writeSync(1, b); writeSync(1, '{"ok":true,"result":null}'); writeSync(1, Buffer.alloc(1 << 20)); for (;;); }`,
  lie: `import { writeSync } from 'node:fs'
    export default () => { writeSync(1, Buffer.from([255, 255, 255, 255, 1, 2, 3])); for (;;); }`,
  fault: `export default () => { throw Object.assign(new Error('the picture is too wide'), { kind: 'invalid', [Symbol.for('capstan.fault')]: true }) }`,
}

async function bytesOf(folder: ScratchFolder, file: ScratchFile | null): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  if (file !== null) for await (const chunk of folder.read(file)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe("core/exec parse and the call's files", function () {
  this.timeout(60_000)
  const usual = tmpdir()
  let box: TestSandbox
  let home: TemporaryFolder
  let modules: string
  let folder: ScratchFolder
  const run = (
    name: string,
    files: readonly ScratchFile[],
    options: { timeoutMs?: number; args?: unknown; maxBytes?: number } = {},
    cancel = callOf(),
  ) => box.sandbox.parseFiles(pathToFileURL(join(modules, `${name}.mjs`)), files, { ...options, callFiles: folder }, cancel)
  const onDisk = (): number =>
    readdirSync(home.path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && /^[0-9a-f]{32}$/.test(entry.name))
      .length

  before(async function () {
    needs(this, 'bwrap')
    home = new TemporaryFolder()
    await chmod(home.path, 0o711)
    modules = await mkdtemp(join(usual, 'capstan-parse-files-'))
    await chmod(modules, 0o755)
    for (const [name, code] of Object.entries(MODULES)) await writeFile(join(modules, `${name}.mjs`), code)
    process.env['TMPDIR'] = home.path
    box = await openSandbox()
    await box.sandbox.status()
  })
  after(async () => {
    await box?.close()
    process.env['TMPDIR'] = usual
    home?.remove()
    if (modules !== undefined) await rm(modules, { recursive: true })
  })
  beforeEach(() => void (folder = new ScratchFolder(200 * MIB)))
  afterEach(() => folder.close())

  it('gives a module the bytes of several files, and makes a file of what it answers', async () => {
    const files = [await folder.write([Buffer.from('one')]), await folder.write([]), await folder.write([Buffer.alloc(5 * MIB, 9)])]
    const { result, file } = await run('join', files, { args: { k: 1 } })
    expect(result).to.deep.equal({ sizes: [3, 0, 5 * MIB], kind: 'Buffer', args: { k: 1 } })
    expect((await bytesOf(folder, file)).equals(Buffer.concat([Buffer.alloc(5 * MIB, 9), Buffer.from('one')]))).to.equal(true)
  })

  it('makes no file where the module answers no bytes', async () => {
    expect(await run('none', [])).to.deep.equal({ result: null, file: null })
    expect(await run('size', [await folder.write([Buffer.alloc(70 * MIB)])])).to.deep.equal({ result: 70 * MIB, file: null })
  })

  it('refuses a made file over its limit or that of the call, and leaves nothing of it', async () => {
    const over = await faultOf(run('much', [], { args: { mib: 20 }, maxBytes: MIB }))
    expect([over.kind, over.message]).to.deep.equal(['invalid', 'The file is larger than 1048576 bytes.'])
    const all = await faultOf(run('much', [], { args: { mib: 201 } }))
    expect(all.kind, all.message + all.internal).to.equal('invalid')
    expect(all.message).to.contain('limits.scratch')
    expect(onDisk()).to.equal(0)
  })

  it('passes on the Fault of a module, and an answer that is too large is one', async () => {
    expect(await faultOf(run('fault', []))).to.include({ kind: 'invalid', message: 'the picture is too wide' })
    expect(await faultOf(run('large', []))).to.include({ kind: 'blocked' })
  })

  it('believes no length of an answer, and leaves nothing of a file that stops half way', async () => {
    expect(await faultOf(run('lie', []))).to.include({ kind: 'blocked' })
    expect(await faultOf(run('half', [], { timeoutMs: 1_500 }))).to.include({ kind: 'blocked' })
    await until(() => onDisk() === 0)
  })

  it('ends with the call', async () => {
    const cancel = new Cancel(systemClock, systemClock.monotonic() + 20_000)
    const running = faultOf(run('half', [], {}, cancel))
    await until(() => onDisk() > 0)
    cancel.cancel('client-gone')
    expect((await running).kind).to.equal('busy')
    await until(() => onDisk() === 0)
  })

  it('takes no file of another call, and none that is shorter than it says', async () => {
    const other = new ScratchFolder(MIB)
    const file = await other.write([Buffer.from('secret')])
    const failure = await errorOf(run('size', [file]))
    expect(Fault.is(failure) ? failure.internal : String(failure)).to.contain('another call')
    await other.close()
    const short = await folder.write([Buffer.from('abc')])
    expect((await faultOf(run('size', [{ ...short, size: 10 }]))).kind).to.equal('broken')
  })
})
