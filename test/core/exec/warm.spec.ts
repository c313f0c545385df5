import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sinon from 'sinon'
import { ProcessorUse } from '../../../core/exec/host.js'
import { Cancel } from '../../../core/runtime/cancel.js'
import { systemClock } from '../../../core/runtime/clock.js'
import type { RunOptions } from '../../../core/exec/types.js'
import { ScratchFolder } from '../../../core/files/scratch-folder.js'
import { warmProgram, type WarmProgram } from '../../../core/sdk/index.js'
import { attempts, DRIVERS } from '../../support/exec-escapes.js'
import { callOf, faultOf, needs, openSandbox, processesWith, type TestSandbox, type TextResult } from '../../support/exec-sandbox.js'
import { HeldClock } from '../../support/held-clock.js'
import { TemporaryFolder } from '../../support/store.js'
import { errorOf } from '../../support/unit.js'
import { until } from '../../support/time.js'

const MIB = 1024 * 1024
const IDLE_MS = 77_777
const UP = '/job/.tmp/up'
let marks = 0

/** A program that does nothing but be there, known by a number in its command line. */
function idler(more: Partial<WarmProgram> & { readonly start?: string } = {}): WarmProgram & { readonly mark: string } {
  const mark = `5${process.pid}.${++marks}`
  const { start = '', ...rest } = more
  const args = ['-c', `${start} echo "pid $$" >${UP}.part; mv ${UP}.part ${UP}; sleep ${mark}; :`]
  return { ...warmProgram({ id: 'test.idler', program: 'bash', args, ready: UP, job: 'beside', idleMs: IDLE_MS, ...rest }), mark }
}

describe('core/exec programs that are started before their jobs', function () {
  this.timeout(60_000)
  const usual = tmpdir()
  let box: TestSandbox
  let home: TemporaryFolder
  let folder: ScratchFolder
  let clock: HeldClock

  const bash = async (warm: WarmProgram, script: string, options: RunOptions = {}, cancel = callOf()): Promise<TextResult> =>
    await box.run('bash', ['-c', script], { warm, callFiles: () => folder, ...options }, cancel)
  const sleeping = (mark: string): Promise<number[]> => processesWith(`sleep\0${mark}`, 'start')
  const ready = async (mark: string): Promise<void> => void (await until(async () => (await sleeping(mark)).length === 1, 20_000))
  const gone = async (mark: string): Promise<void> => void (await until(async () => (await sleeping(mark)).length === 0, 20_000))
  /** The first process of the sandbox above a process inside. */
  const above = async (pid: number): Promise<number[]> => {
    const { ppid } = await parent(pid)
    return ppid === 1 || ppid === process.pid ? [] : [ppid, ...(await above(ppid))]
  }

  before(async function () {
    needs(this, 'bwrap', 'bash', 'tar', 'python3')
    home = new TemporaryFolder()
    await chmod(home.path, 0o711)
    process.env['TMPDIR'] = home.path
  })
  after(() => {
    process.env['TMPDIR'] = usual
    home?.remove()
  })
  beforeEach(async () => {
    clock = new HeldClock((ms) => ms === IDLE_MS)
    folder = new ScratchFolder(256 * MIB)
    box = await openSandbox({ clock })
    await box.sandbox.status()
  })
  afterEach(async () => {
    await box.close()
    await folder.close()
  })

  it('the job finds the started one, and has its own words, variables, input, limits and results', async () => {
    const warm = idler({ env: { OWN: 'of the start' }, files: [{ name: '.profile/a/settings', text: 'as declared' }] })
    const words = ['a b', "it's", '', '-n', '$(x)', 'z\n']
    const script =
      'cat; printf "%s|" "$0" "$@" "$OWN" "$GIVEN"; cat .profile/a/settings in.txt; cp in.txt out.txt; echo "$(cat ' +
      UP +
      ')" >&2; ulimit -f; exit 7'
    const given = { GIVEN: `a 'quoted' \\ value`, words: 'x', files: '9', capstan: 'y' }
    const result = await box.run('bash', ['-c', script, ...words], {
      warm,
      env: given,
      stdin: Buffer.from('the input '),
      files: [{ name: 'in.txt', data: Buffer.from('a file ') }],
      collect: { maxFiles: 5, maxBytes: MIB },
    })
    expect(result.out).to.equal(`the input ${words.join('|')}|of the start|${given.GIVEN}|as declareda file ${(256 * MIB) / 1024}\n`)
    expect(result.err).to.match(/^pid \d+\n$/)
    expect(result).to.deep.include({ code: 7, stopped: null, filesLeft: 0 })
    expect(result.files.map(({ name, data }) => [name, Buffer.from(data).toString()])).to.deep.equal([['out.txt', 'a file ']])
  })

  it('one that does the job itself is given its files, its input, and its streams', async () => {
    const code = `
import os, sys
open('${UP}', 'w').close()
open('/job/.tmp/go').readline()
print(open('in.txt').read(), sys.stdin.read(), sys.argv[1:])
open('out.txt', 'w').write('made')
sys.exit(3)`
    const warm = warmProgram({
      id: 'test.itself',
      program: 'python3',
      args: ['-c', code, 'x y'],
      ready: UP,
      job: 'itself',
      idleMs: IDLE_MS,
    })
    for (let times = 0; times < 2; times++) {
      const result = await box.run('python3', warm.args, {
        warm,
        stdin: Buffer.from('input'),
        files: [{ name: 'in.txt', data: Buffer.from('file') }],
        collect: { maxFiles: 5, maxBytes: MIB },
      })
      expect(result).to.deep.include({ code: 3, out: "file input ['x y']\n", err: '' })
      expect(result.files.map(({ name }) => name)).to.deep.equal(['out.txt'])
    }
    expect(await errorOf(box.run('python3', ['-c', 'other'], { warm }))).to.be.instanceOf(TypeError)
    expect(await errorOf(box.run('python3', warm.args, { warm, env: { A: '1' } }))).to.be.instanceOf(TypeError)
  })

  it('nothing is started before the first job; then one waits, for as long as jobs come', async () => {
    const warm = idler()
    expect(await sleeping(warm.mark)).to.deep.equal([])
    await bash(warm, 'true')
    await ready(warm.mark)
    await bash(warm, 'true')
    await ready(warm.mark)
    await until(() => clock.waiting === 1, 20_000)
    clock.pass()
    await gone(warm.mark)
  })

  it('each job has a sandbox of its own in which no job was before', async () => {
    const warm = idler()
    const leave = `cat ${UP}; ls -A /job /job/.tmp /dev/shm; for place in /job /job/.tmp /dev/shm; do echo secret >$place/left; done; sleep 300 &`
    const first = await bash(warm, leave)
    await ready(warm.mark)
    const second = await bash(warm, leave)
    expect(second.out.replace(/pid \d+/, ''))
      .to.equal(first.out.replace(/pid \d+/, ''))
      .and.not.contain('left')
    const pid = async (): Promise<string> => (await bash(warm, 'readlink /proc/self/ns/pid')).out
    expect(new Set([await pid(), await pid(), await pid()]).size).to.equal(3)
  })

  it('several at once have one each, and one remains', async () => {
    const warm = idler()
    const all = await Promise.all([1, 2, 3, 4].map((n) => bash(warm, `echo ${n} >x; sleep 0.2; cat x; readlink /proc/self/ns/pid`)))
    expect(all.map(({ out }) => out.split('\n')[0])).to.deep.equal(['1', '2', '3', '4'])
    expect(new Set(all.map(({ out }) => out.split('\n')[1])).size).to.equal(4)
    await ready(warm.mark)
    await until(() => clock.waiting === 1, 20_000)
  })

  it('an account that used much processor time lately leaves the one that waits to the others', async () => {
    const warm = idler()
    await bash(warm, 'true')
    await ready(warm.mark)
    const waits = await sleeping(warm.mark)
    const isHeavy = sinon.stub(ProcessorUse.prototype, 'isHeavy').callsFake((account) => account === 'heavy')
    try {
      const cancel = new Cancel(systemClock, systemClock.monotonic() + 20_000, 'heavy')
      expect((await bash(warm, 'echo done', {}, cancel)).out).to.equal('done\n')
    } finally {
      isHeavy.restore()
    }
    await until(async () => (await sleeping(warm.mark)).length === 1, 20_000)
    expect(await sleeping(warm.mark)).to.deep.equal(waits)
  })

  it('shows files of the call as links, of any name, and gives results to the call', async () => {
    const warm = idler()
    const long = `${'n'.repeat(250)}.txt`
    const bytes = Buffer.alloc(3 * MIB + 1, 'y')
    const file = await folder.write([bytes])
    const result = await bash(warm, `wc -c <big.bin; cat ${long}; cp big.bin copy.bin; ls -A`, {
      files: [
        { name: 'big.bin', data: file },
        { name: long, data: Buffer.from('long ') },
      ],
      collect: { maxFiles: 9, maxBytes: 9 * MIB, into: 'scratch' },
    })
    expect(result.out).to.equal(`${bytes.length}\nlong .tmp\nbig.bin\ncopy.bin\n${long}\n`)
    expect(result.scratchFiles.map(({ name, file: { size } }) => [name, size])).to.deep.equal([['copy.bin', bytes.length]])
  })

  it('refuses files that do not fit, wrong names, other calls and what belongs to the start', async () => {
    const warm = idler({ diskMb: 20 })
    const big = { name: 'big', data: Buffer.alloc(4 * MIB + 1) }
    expect(await faultOf(bash(warm, 'true', { files: [big] }))).to.include({ kind: 'invalid' })
    expect(await faultOf(bash(warm, 'true', { files: [{ name: '../x', data: Buffer.from('') }] }))).to.include({ kind: 'invalid' })
    const other = new ScratchFolder(10)
    const data = await other.write([Buffer.from('x')])
    expect((await faultOf(bash(warm, 'true', { files: [{ name: 'x', data }] }))).cause).to.be.instanceOf(TypeError)
    await other.close()
    for (const wrong of [{ memoryMb: 1 }, { diskMb: 1 }, { network: true }, { readOnly: ['/usr'] }, { processes: 1 }])
      expect(await errorOf(bash(warm, 'true', wrong)), JSON.stringify(wrong)).to.be.instanceOf(TypeError)
    for (const wrong of [
      { ready: 'up' },
      { ready: '/a b' },
      { files: [{ name: '../x', text: '' }] },
      { files: [{ name: '/x', text: '' }] },
    ])
      expect(() => idler(wrong), JSON.stringify(wrong)).to.throw(TypeError)
  })

  it('one that was killed while it waited is replaced, and the caller does not notice', async () => {
    const warm = idler()
    await bash(warm, 'true')
    await ready(warm.mark)
    const [inside = 0] = await sleeping(warm.mark)
    for (const pid of [inside, ...(await above(inside))].slice(-2)) process.kill(pid, 'SIGKILL')
    expect(await bash(warm, 'echo done')).to.deep.include({ out: 'done\n', code: 0 })
  })

  it('one that hangs while it waits is replaced', async () => {
    const held = new HeldClock((ms) => ms >= 5_000 && ms < 5_100)
    await box.close()
    box = await openSandbox({ clock: held })
    const warm = idler()
    await bash(warm, 'true')
    await ready(warm.mark)
    const [inside = 0] = await sleeping(warm.mark)
    const stopped = [inside, ...(await above(inside))]
    // The shell has seen that the program is ready, and waits for a job.
    await until(async () => await isWaiting(stopped[2] ?? 0), 20_000)
    for (const pid of stopped) process.kill(pid, 'SIGSTOP')
    const result = bash(warm, 'echo done')
    await until(() => held.waiting === 1, 20_000)
    held.pass()
    expect(await result).to.deep.include({ out: 'done\n', code: 0 })
    expect(box.logs.join()).to.contain('ended before its job')
  })

  it('one that is killed in use ends its job alone', async () => {
    const warm = idler()
    const result = bash(warm, 'sleep 300.25')
    const other = bash(warm, 'while [ ! -e /job/.tmp/never ]; do sleep 0.1; done', { timeoutMs: 1500 })
    await until(async () => (await sleeping(warm.mark)).length === 2, 10_000)
    await until(async () => (await processesWith('sleep\x00300.25', 'start')).length > 0, 20_000)
    const [inside = 0] = await processesWith('sleep\x00300.25', 'start')
    const bwrap = (await above(inside)).at(-1) ?? 0
    process.kill(bwrap, 'SIGKILL')
    expect(await result).to.deep.include({ code: 137, stopped: null })
    expect(await other).to.deep.include({ code: 124, stopped: 'time' })
    expect(await bash(warm, 'echo done')).to.deep.include({ out: 'done\n' })
  })

  it('a job that hangs, ignores signals, or is left by its caller is ended with all that it started', async () => {
    const warm = idler()
    const stubborn = 'trap "" TERM INT HUP; (trap "" TERM; sleep 301) & while :; do sleep 302; done'
    expect(await bash(warm, stubborn, { timeoutMs: 400 })).to.deep.include({ code: 124, stopped: 'time' })
    const cancel = callOf()
    const left = bash(warm, stubborn, {}, cancel)
    await until(async () => (await processesWith('sleep\x00302', 'start')).length > 0, 20_000)
    cancel.cancel('client-gone')
    expect(await left).to.deep.include({ stopped: 'aborted' })
    await until(async () => (await Promise.all([301, 302].map((n) => processesWith(`sleep\0${n}`, 'start')))).flat().length === 0, 20_000)
  })

  it('a start that fails says why, and is tried anew by the next job alone', async () => {
    const fails = idler({ start: 'echo "no such display" >&2; exit 4;' })
    const fault = await faultOf(bash(fails, 'true'))
    expect(fault).to.deep.include({ kind: 'broken' })
    expect(fault.internal).to.contain('no such display')
    const hangs = idler({ start: 'sleep 303;', startMs: 300 })
    expect(await faultOf(bash(hangs, 'true'))).to.deep.include({ kind: 'broken' })
    await until(async () => (await processesWith('sleep\x00303', 'start')).length === 0, 20_000)
    const cancel = callOf()
    const waits = bash(idler({ start: 'sleep 304;' }), 'true', {}, cancel)
    await until(async () => (await processesWith('sleep\x00304', 'start')).length > 0, 20_000)
    cancel.cancel('client-gone')
    expect(await faultOf(waits)).to.deep.include({ kind: 'busy' })
    await until(async () => (await processesWith('sleep\x00304', 'start')).length === 0, 20_000)
  })

  it('limits hold: memory, files, output to every stream at once', async () => {
    const warm = idler({ memoryMb: 96, diskMb: 32, processes: 32 })
    const hog = await box.run('python3', ['-c', 'x = [bytearray(1 << 20) for _ in range(4000)]'], { warm })
    expect([hog.stopped === 'memory', hog.err.includes('MemoryError')]).to.include(true)
    const full = await bash(warm, 'head -c 100000000 /dev/zero >x 2>err; wc -c <x; echo $?; ls /job | wc -l', {
      collect: { maxFiles: 1, maxBytes: MIB },
    })
    expect(full.files.filter(({ name }) => name === 'x')).to.deep.equal([])
    expect(Number(full.out.split('\n')[0])).to.be.lessThan(32 * MIB)
    const flood = await bash(warm, 'yes >&2 & yes & yes >x & yes >/dev/shm/x & wait', { timeoutMs: 20_000, maxOutput: 1000 })
    expect(flood).to.deep.include({ stopped: 'output', code: 137 })
    expect([flood.out.length, flood.err.length]).to.deep.equal([1000, 1000])
    const bomb = await bash(warm, 'for i in $(seq 300); do sleep 305 & done; echo none', { timeoutMs: 5000 })
    expect(bomb.err).to.match(/fork|Resource temporarily unavailable/)
  })

  it('T-44 N-31 denies every attempt in three languages, as the sandbox does without', async () => {
    const server = createServer((socket) => void socket.end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await writeFile(join(box.folder, 'canary'), 'canary', { mode: 0o644 })
    const list = attempts({ port, canary: join(box.folder, 'canary'), pid: process.pid })
    const warm = idler()
    for (const language of ['python3', 'node', 'bash'] as const) {
      const own = list.filter((attempt) => attempt.language === language)
      const files = own.map(({ code }, index) => ({ name: `${String(index).padStart(3, '0')}.txt`, data: Buffer.from(code) }))
      const shown = language === 'node' ? idler({ readOnly: [join(process.execPath, '..')] }) : warm
      const result = await box.run(language, [language === 'node' ? '-e' : '-c', DRIVERS[language]], {
        warm: shown,
        files,
        timeoutMs: 50_000,
      })
      const outcomes = own.map(({ name }, index) => {
        const outcome = new RegExp(`^@${String(index).padStart(3, '0')} (.*)$`, 'm').exec(result.out)?.[1]
        return `${name}: ${outcome ?? `no outcome ${result.err.slice(0, 300)}`}`
      })
      expect(outcomes).to.deep.equal(own.map(({ name }) => `${name}: denied`))
    }
    server.close()
  })

  it('twenty killed calls leave no file, no process and no group', async () => {
    const warm = idler()
    const mark = 3_060_000
    const killed = async (index: number): Promise<void> => {
      const own = new ScratchFolder(10 * MIB)
      const file = await own.write([Buffer.alloc(MIB)])
      const cancel = callOf()
      const options: RunOptions = {
        callFiles: () => own,
        files: [{ name: 'big', data: file }],
        collect: { maxFiles: 2, maxBytes: 9 * MIB, into: 'scratch' },
      }
      const job = bash(warm, `cp big copy; echo x >y; sleep ${mark + index}`, options, cancel)
      if (index % 2 === 0) await until(async () => (await processesWith(`sleep\0${mark + index}`, 'start')).length > 0, 20_000)
      cancel.cancel('client-gone')
      await job.catch(() => undefined)
      await own.close()
    }
    for (let index = 0; index < 20; index += 4) await Promise.all([0, 1, 2, 3].map((more) => killed(index + more)))
    await box.sandbox.close()
    await until(async () => (await processesWith('sleep\x0030600', 'start')).length + (await sleeping(warm.mark)).length === 0, 20_000)
    expect(
      readdirSync(home.path, { recursive: true })
        .map(String)
        .filter((name) => /[0-9a-f]{32}$/.test(name)),
    ).to.deep.equal([])
  })

  it('the stop ends what waits and what is in use, and no more is started', async () => {
    const warm = idler()
    await bash(warm, 'true')
    await ready(warm.mark)
    await box.sandbox.close()
    await gone(warm.mark)
    expect(await faultOf(bash(warm, 'true'))).to.deep.include({ kind: 'broken' })
    expect(await sleeping(warm.mark)).to.deep.equal([])
  })

  it('T-52 a killed gateway leaves none, waiting or in use', async () => {
    const mark = `307.${process.pid}`
    const support = new URL('../../support/exec-sandbox.js', import.meta.url).href
    const warm = idler()
    const code = `const { openSandbox } = await import(${JSON.stringify(support)}); const box = await openSandbox(); const warm = ${JSON.stringify(warm)}
await box.run('true', [], { warm }); void box.run('bash', ['-c', 'sleep ${mark}; :'], { warm }); await box.run('true', [], { warm }); await new Promise((resolve) => setTimeout(resolve, 1e6))`
    const gateway = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: 'ignore',
      env: { ...process.env, TMPDIR: box.folder },
    })
    await until(async () => (await processesWith(`sleep\0${mark}`, 'start')).length + (await sleeping(warm.mark)).length === 3, 20_000)
    gateway.kill('SIGKILL')
    await until(async () => (await processesWith(`sleep\0${mark}`, 'start')).length + (await sleeping(warm.mark)).length === 0, 20_000)
    const next = await openSandbox()
    await next.sandbox.status()
    await next.close()
  })
})

async function parent(pid: number): Promise<{ ppid: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return { ppid: Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]) }
}

/** It sleeps, and has one child: none that sleeps for it. */
async function isWaiting(shell: number): Promise<boolean> {
  const children = await readFile(`/proc/${shell}/task/${shell}/children`, 'utf8')
  return /^State:\s*S/m.test(await readFile(`/proc/${shell}/status`, 'utf8')) && children.trim().split(' ').length === 1
}
