import { expect } from 'chai'
import { readdirSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { RunOptions } from '../../../core/exec/types.js'
import { ScratchFolder } from '../../../core/files/scratch-folder.js'
import { Fault, type ScratchFile } from '../../../core/sdk/index.js'
import { callOf, faultOf, needs, openSandbox, type TestSandbox, type TextResult } from '../../support/exec-sandbox.js'
import { TemporaryFolder } from '../../support/store.js'
import { errorOf } from '../../support/unit.js'

const MIB = 1024 * 1024
const LIMIT = 256 * MIB

async function textOf(folder: ScratchFolder, file: ScratchFile): Promise<string> {
  let text = ''
  for await (const chunk of folder.read(file)) text += Buffer.from(chunk).toString()
  return text
}
async function* zeros(pieces: number, on: { end?: () => void; fail?: Error } = {}): AsyncGenerator<Uint8Array> {
  try {
    for (let sent = 0; sent < pieces; sent++) yield await Promise.resolve(Buffer.alloc(MIB))
    if (on.fail !== undefined) throw on.fail
  } finally {
    on.end?.()
  }
}

describe("core/exec a program and the call's files", function () {
  this.timeout(60_000)
  const usual = tmpdir()
  let box: TestSandbox
  let home: TemporaryFolder
  let folder: ScratchFolder
  const bash = (script: string, options: RunOptions = {}): Promise<TextResult> =>
    box.sandbox
      .run('bash', ['-c', script], { callFiles: () => folder, ...options }, callOf(40_000))
      .then(({ stdout, stderr, ...rest }) => ({ ...rest, out: Buffer.from(stdout).toString(), err: Buffer.from(stderr).toString() }))
  const onDisk = (): number =>
    readdirSync(home.path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && /^[0-9a-f]{32}$/.test(entry.name))
      .length

  before(async function () {
    needs(this, 'bwrap', 'bash')
    home = new TemporaryFolder()
    await chmod(home.path, 0o711)
    process.env['TMPDIR'] = home.path
    box = await openSandbox()
    await box.sandbox.status()
  })
  after(async () => {
    await box?.close()
    process.env['TMPDIR'] = usual
    home?.remove()
  })
  beforeEach(() => void (folder = new ScratchFolder(LIMIT)))
  afterEach(() => folder.close())

  it('gives standard output to a function as it comes, to its end', async () => {
    const seen: number[] = []
    let read: Promise<void> = Promise.resolve()
    const { code, out } = await bash('head -c 3000000 /dev/zero; printf end', {
      stdout: (output) => {
        read = (async () => {
          for await (const chunk of output) seen.push(chunk.length)
        })()
      },
    })
    await read
    expect([code, out, seen.length > 1, seen.reduce((sum, each) => sum + each, 0)]).to.deep.equal([0, '', true, 3_000_003])
  })

  it('ends a program whose output is not read to its end', async () => {
    let first: Promise<number> = Promise.resolve(0)
    const { code } = await bash('yes', {
      stdout: (output) => {
        first = (async () => {
          for await (const chunk of output) return chunk.length
          return 0
        })()
      },
    })
    expect([(await first) > 0, code > 0]).to.deep.equal([true, true])
  })

  it('reads one of any size in its folder without a copy, and cannot change it', async () => {
    const file = await folder.write(zeros(200))
    const { out, err, code } = await bash('wc -c < big.bin; tail -c 3 big.bin | od -An -tx1; echo x >> big.bin', {
      files: [
        { name: 'big.bin', data: file },
        { name: 'small', data: Buffer.from('x') },
      ],
      memoryMb: 64,
      diskMb: 1,
    })
    expect(out).to.equal(`${200 * MIB}\n 00 00 00\n`)
    expect(code).to.equal(1)
    expect(err).to.match(/Read-only file system|Permission denied/)
    const rights = await bash('chmod u+w /files/big.bin; rm -f /files/big.bin; wc -c < /files/big.bin', {
      files: [{ name: 'big.bin', data: file }],
    })
    expect(rights.out).to.equal(`${200 * MIB}\n`)
  })

  it('refuses one of another call, and all of them in the isolation of another tool', async () => {
    const other = new ScratchFolder(10)
    const data = await other.write([Buffer.from('x')])
    expect(await faultOf(bash('cat x', { files: [{ name: 'x', data }] })))
      .to.have.property('cause')
      .that.is.instanceOf(TypeError)
    await other.close()
    for (const options of [{ files: [{ name: 'x', data }] }, { stdout: 'scratch' }, { collect: { maxFiles: 1, maxBytes: 1, into: 'scratch' } }])
      expect(await errorOf(bash('true', { ...(options as RunOptions), isolation: 'external' }))).to.be.instanceOf(TypeError) // prettier-ignore
  })

  it('takes a stream as its input, no faster than it reads', async () => {
    const { out } = await bash('wc -c', { stdin: zeros(64) })
    expect(out).to.equal(`${64 * MIB}\n`)
  })

  it('that ends before all of its input was read closes the stream', async () => {
    let ended = false
    const { out, code } = await bash('head -c 2 | od -An -tx1', { stdin: zeros(10_000, { end: () => void (ended = true) }) })
    expect([out, code, ended]).to.deep.equal([' 00 00\n', 0, true])
  })

  it('is stopped when its input fails, with the reason of the input', async () => {
    const fail = new Fault('missing', 'cut off')
    expect(await errorOf(bash('cat > /dev/null; sleep 30', { stdin: zeros(3, { fail }) }))).to.equal(fail)
  })

  it('writes its output to a file of the call, larger than what is kept in memory', async () => {
    const { out, stdoutFile, code } = await bash('head -c 50000000 /dev/zero; echo end', { stdout: 'scratch' })
    expect([out, code, stdoutFile?.size]).to.deep.equal(['', 0, 50_000_004])
  })

  it('that writes without end is stopped at the limit of the call, and nothing of it stays', async () => {
    const fault = await faultOf(bash('cat /dev/zero', { stdout: 'scratch' }))
    expect(fault.kind).to.equal('invalid')
    expect(fault.message).to.contain('limits.scratch')
    expect(onDisk()).to.deep.equal(0)
    const own = await faultOf(bash('cat /dev/zero', { stdout: 'scratch', maxOutput: 1000 }))
    expect(own.message).to.contain('larger than 1000 bytes')
  })

  it('that is stopped by time leaves the output so far', async () => {
    const { stdoutFile, stopped } = await bash('echo begun; sleep 30', { stdout: 'scratch', timeoutMs: 500 })
    expect(stopped).to.equal('time')
    expect(stdoutFile === null ? null : await textOf(folder, stdoutFile)).to.equal('begun\n')
  })

  it('makes files that become files of the call; inputs that it left alone are not among them', async () => {
    const input = await folder.write([Buffer.from('given')])
    const script = 'head -c 30000000 /dev/zero > big; echo -n more >> changed; mkdir sub; cp given sub/copy; : > empty; echo x > .hidden'
    const { scratchFiles, files, filesLeft } = await bash(script, {
      files: [
        { name: 'given', data: input },
        { name: 'same', data: Buffer.from('same') },
        { name: 'changed', data: Buffer.from('some') },
      ],
      collect: { maxFiles: 10, maxBytes: 40_000_000, into: 'scratch' },
    })
    expect([files, filesLeft]).to.deep.equal([[], 0])
    const sizes = Object.fromEntries(scratchFiles.map(({ name, file }) => [name, file.size]))
    expect(sizes).to.deep.equal({ big: 30_000_000, changed: 8, 'sub/copy': 5, empty: 0 })
    const changed = scratchFiles.find(({ name }) => name === 'changed')
    expect(changed === undefined ? null : await textOf(folder, changed.file)).to.equal('somemore')
  })

  it('that changes an input without changing its size has it among the files it made', async () => {
    const { scratchFiles } = await bash('echo -n SAME > same', {
      files: [{ name: 'same', data: Buffer.from('same') }],
      collect: { maxFiles: 10, maxBytes: 100, into: 'scratch' },
    })
    expect(scratchFiles.map(({ name }) => name)).to.deep.equal(['same'])
  })

  it('makes no more files than it may, and those over the limit of the call are refused without a rest', async () => {
    const collect = { maxFiles: 2, maxBytes: 1000, into: 'scratch' } as const
    const some = await bash('for n in 1 2 3; do echo $n > $n; done; head -c 2000 /dev/zero > 4', { collect })
    expect([some.scratchFiles.length, some.filesLeft]).to.deep.equal([2, 2])
    await folder.close()
    folder = new ScratchFolder(1000)
    const fault = await faultOf(bash('head -c 3000000 /dev/zero > x', { collect: { ...collect, maxBytes: 10_000_000 } }))
    expect(fault.message).to.contain('limits.scratch')
    expect(onDisk()).to.equal(0)
  })
})
