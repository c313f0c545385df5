import { expect } from 'chai'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { systemClock } from '../../../core/runtime/clock.js'
import { createSandbox } from '../../../core/exec/sandbox.js'
import { Problem } from '../../../core/problems/problem.js'
import { errorOf } from '../../support/unit.js'
import { callOf, faultOf, needs, openSandbox, processesWith } from '../../support/exec-sandbox.js'
import type { TestSandbox } from '../../support/exec-sandbox.js'
import { atMost, later, until, waited } from '../../support/time.js'

const bash = (script: string): [string, string[]] => ['bash', ['-c', script]]

describe('core/exec run', function () {
  this.timeout(30_000)
  let box: TestSandbox

  before(async function () {
    needs(this, 'bwrap', 'bash', 'python3')
    box = await openSandbox({ slots: 3 })
    await box.sandbox.status()
  })

  after(() => box?.close())

  it('gives standard input, files and environment in, and both streams and the code back', async () => {
    const script = 'cat; cat in.txt; echo "$GREETING" >&2; exit 7'
    const result = await box.run(...bash(script), {
      stdin: Buffer.from('one '),
      files: [{ name: 'in.txt', data: Buffer.from('two') }],
      env: { GREETING: 'hello' },
    })
    expect(result).to.deep.include({ out: 'one two', err: 'hello\n', code: 7, stopped: null, stdoutCut: false, filesLeft: 0 })
    expect(result.bootMs).to.be.greaterThan(0)
    expect(result.runMs).to.be.greaterThan(0)
  })

  it('runs node under its heap option and python as itself', async () => {
    const node = await box.run('node', ['-p', 'require("v8").getHeapStatistics().heap_size_limit < 450 * 2 ** 20'], { memoryMb: 512 })
    expect(node.out).to.equal('true\n')
    expect((await box.run('python3', ['-c', 'import os; print(os.getcwd(), os.getuid())'])).out).to.equal('/job 65534\n')
  })

  it('reports the signal that ended a program as 128 and its number', async () => {
    expect((await box.run(...bash('kill -SEGV $$'))).code).to.equal(139)
    expect(await box.run(...bash('kill -KILL $$'))).to.deep.include({ code: 137, stopped: null })
  })

  it('passes arguments as they are, whatever characters they hold (T-71)', async () => {
    const words = ['$(id)', '`id`', '; id', '--', '-c', '| id', '\n', "'", '"', '*', '\\', '--bind']
    const result = await box.run('python3', ['-c', 'import sys, json; print(json.dumps(sys.argv[1:]))', ...words])
    expect(JSON.parse(result.out)).to.deep.equal(words)
  })

  it('refuses zero bytes and odd names of variables, which could end an argument of the sandbox early', async () => {
    expect((await faultOf(box.run('bash', ['-c', 'true\0--bind']))).kind).to.equal('invalid')
    expect((await faultOf(box.run(...bash('true'), { env: { A: 'x\0--bind\0/\0/host' } }))).kind).to.equal('invalid')
    expect((await faultOf(box.run(...bash('true'), { env: { 'A=B': '' } }))).kind).to.equal('invalid')
  })

  it('T-48 refuses input names that are not plain, come twice, or do not fit', async () => {
    const data = Buffer.from('x')
    for (const name of ['../x', '/etc/x', 'a/b', '.hidden', '.', '', 'a\0b', 'a\nb', 'x'.repeat(256), 'a\\b']) {
      const fault = await faultOf(box.run(...bash('true'), { files: [{ name, data }] }))
      expect(fault, name).to.deep.include({ kind: 'invalid', loc: ['input_files', 0, 'name'] })
    }
    const twice = await faultOf(box.run(...bash('true'), { files: [{ name: 'a', data }, { name: 'a', data }] })) // prettier-ignore
    expect(twice.message).to.include('twice')
    expect((await faultOf(box.run(...bash('true'), { files: [{ name: 'a', data: Buffer.alloc(3 << 20) }], diskMb: 2 }))).kind).to.equal(
      'invalid',
    )
  })

  it('T-47 collects regular files only: no links out, fifos, sockets, hidden files or unchanged inputs', async () => {
    const script = `
      echo made > made.txt; mkdir sub; echo deep > sub/deep.txt; echo new > changed; ln -s /etc/hostname link; ln -s /usr folder
      mkfifo fifo; echo x > .hidden; mkdir .pkgs; echo x > .pkgs/x; ln made.txt hard; ln -s ../../etc/passwd sub/up
      python3 -c "import socket; socket.socket(socket.AF_UNIX).bind('/job/socket')"; touch $'new\\nline'`
    const files = [{ name: 'same', data: Buffer.from('same') }, { name: 'changed', data: Buffer.from('old') }] // prettier-ignore
    const result = await box.run(...bash(script), { files, collect: { maxFiles: 20, maxBytes: 1 << 20 } })
    const found = Object.fromEntries(result.files.map(({ name, data }) => [name, Buffer.from(data).toString()]))
    expect(found).to.deep.equal({ 'made.txt': 'made\n', 'sub/deep.txt': 'deep\n', changed: 'new\n', hard: 'made\n' })
    expect(result.filesLeft).to.equal(1)
  })

  it('T-47 counts files beyond the limits without taking them, also ten thousand', async () => {
    const many = await box.run('python3', ['-c', 'for i in range(10000): open(f"f{i}", "w").write("x")'], {
      collect: { maxFiles: 20, maxBytes: 1 << 20 },
    })
    expect([many.files.length, many.filesLeft]).to.deep.equal([20, 9980])
    const big = await box.run('python3', ['-c', 'open("a", "wb").write(b"x" * 3000000)'], { collect: { maxFiles: 20, maxBytes: 1 << 20 } })
    expect([big.files.length, big.filesLeft]).to.deep.equal([0, 1])
  })

  it('T-47 gives up on files with holes that are larger than the folder', async () => {
    const result = await box.run('python3', ['-c', 'for i in range(500): open(f"f{i}", "w").truncate(250 << 20)'], {
      collect: { maxFiles: 20, maxBytes: 1 << 20 },
    })
    expect(result.files).to.deep.equal([])
    expect(result.filesLeft).to.be.greaterThan(0)
    expect(result.code).to.equal(0)
  })

  it('cuts each stream and goes on', async () => {
    const result = await box.run('python3', ['-c', 'import sys; sys.stdout.write("x" * 3000000); sys.stderr.write("y" * 10)'], {
      maxOutput: 1000,
    })
    expect(result).to.deep.include({ stdoutCut: true, stderrCut: false, err: 'yyyyyyyyyy', code: 0, stopped: null })
    expect(result.out.length).to.equal(1000)
  })

  it('stops at the time limit with code 124 and keeps the output so far', async function () {
    const { result, own } = await waited(() => box.run(...bash('echo begun; sleep 30 & sleep 30'), { timeoutMs: 500 }))
    expect(result).to.deep.include({ code: 124, stopped: 'time', out: 'begun\n' })
    await atMost(this, { what: 'until it ended', value: own, limit: 2500 })
  })

  it('takes the deadline of the call for the time limit', async () => {
    expect(await box.run(...bash('sleep 30'), {}, callOf(400))).to.deep.include({ code: 124, stopped: 'time' })
  })

  it('kills everything within 250 ms when the call is cancelled', async function () {
    const mark = `4242.${process.pid}`
    const cancel = callOf()
    const running = box.run(...bash(`sleep ${mark} & setsid sleep ${mark} & sleep ${mark}`), {}, cancel)
    await until(async () => (await processesWith(mark)).length >= 3, 5000)
    const { own: ended } = await waited(async () => {
      cancel.cancel('client-gone')
      expect(await running).to.deep.include({ code: 137, stopped: 'aborted' })
    })
    const { own: took } = await waited(() => until(async () => (await processesWith(mark)).length === 0, 10_000))
    await atMost(this, { what: 'until no process was left', value: took, limit: 250 })
    await atMost(this, { what: 'answer and end', value: ended + took, limit: 1000 })
  })

  it('leaves no process and no slot behind when the call is cancelled in its first moments', async () => {
    const mark = `4444.${process.pid}`
    for (let moment = 0; moment < 40; moment++) {
      const cancel = callOf()
      const running = box.run('sleep', [mark], {}, cancel)
      later(moment / 4, () => cancel.cancel('client-gone'))
      const outcome = await running.then(
        ({ stopped }) => stopped,
        () => 'refused',
      )
      expect(['aborted', 'refused']).to.include(outcome)
    }
    await until(async () => (await processesWith(mark)).length === 0)
    expect((await box.run('true', [])).code).to.equal(0)
  })

  it('ends what a program left running in the background', async () => {
    const mark = `4343.${process.pid}`
    expect((await box.run(...bash(`setsid nohup sleep ${mark} >/dev/null 2>&1 & exit 0`))).code).to.equal(0)
    await until(async () => (await processesWith(mark)).length === 0)
  })

  it('gives each job a folder of its own and leaves nothing behind (T-52)', async () => {
    await box.run(...bash('echo secret > left; echo secret > /tmp/left; echo secret > /dev/shm/left'))
    const result = await box.run(...bash('ls -A /job /tmp /dev/shm; echo; true'))
    expect(result.out).to.not.include('left')
    expect(await readdir(box.folder)).to.deep.equal([])
  })

  it('shows extra folders read-only, hides protected ones inside, and refuses protected or wide ones', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'capstan-shown-'))
    await mkdir(join(folder, 'data'))
    const own = await openSandbox({ protectedPaths: [join(folder, 'data')] })
    try {
      const { chmod, writeFile } = await import('node:fs/promises')
      await chmod(folder, 0o755)
      await writeFile(join(folder, 'open'), 'open')
      await writeFile(join(folder, 'data', 'closed'), 'closed')
      const result = await own.run(...bash(`cat ${folder}/open; cat ${folder}/data/closed; ls ${folder}/data; touch ${folder}/x`), {
        readOnly: [folder],
      })
      expect(result.out).to.equal('open')
      expect(await readdir(folder)).to.have.members(['open', 'data'])
      for (const path of [join(folder, 'data'), '/', '/etc', '/nowhere', 'relative'])
        expect((await faultOf(own.run(...bash('true'), { readOnly: [path] }))).kind, path).to.equal('broken')
    } finally {
      await own.close()
      await rm(folder, { recursive: true })
    }
  })

  it('answers a program that is missing with a Fault that names it', async () => {
    const fault = await faultOf(box.run('no-such-program', []))
    expect(fault).to.deep.include({ kind: 'broken', message: 'the program no-such-program is not installed' })
  })

  it('lets programs wait for a place while there is time for them', async () => {
    const results = await Promise.all(Array.from({ length: 12 }, () => box.run(...bash('sleep 0.1'))))
    expect(results.map(({ code }) => code)).to.deep.equal(Array.from({ length: 12 }, () => 0))
  })

  it('F-38 refuses everything without bubblewrap, and says how to get it', async () => {
    const sandbox = createSandbox({
      clock: systemClock,
      log: () => undefined,
      programs: (name) => (name === 'bwrap' ? '/nonexistent/bwrap' : undefined),
      slots: 1,
      proxySocket: () => Promise.reject(new Error('none')),
      protectedPaths: [],
    })
    const status = await sandbox.status()
    expect(status.live).to.equal(false)
    expect(status.detail).to.include('Debian package bubblewrap')
    expect((await faultOf(sandbox.run('bash', ['-c', 'true'], {}, callOf()))).kind).to.equal('broken')
    expect((await faultOf(sandbox.parse(new URL('file:///x.js'), Buffer.alloc(0), {}, callOf()))).kind).to.equal('broken')
    expect((await faultOf(sandbox.launcher('bash', { folder: box.folder, writable: [] }))).kind).to.equal('broken')
  })

  it('passes on what the gateway itself lacks, which is no fault of the sandbox', async () => {
    const lack = new Problem('overloaded', 'no descriptors')
    const other = await openSandbox({ proxySocket: () => Promise.reject(lack) })
    const error = await errorOf(other.run(...bash('true'), { network: true }))
    await other.close()
    expect(error).to.equal(lack)
  })

  it('T-52 dies with the gateway: a killed one leaves no process behind', async () => {
    const mark = `4444.${process.pid}`
    const gateway = otherGateway(box.folder, mark)
    const jobs = async (): Promise<number[]> => (await processesWith(mark)).filter((pid) => pid !== gateway.pid)
    await until(async () => (await processesWith(`${box.sandbox.program('sleep')}\0${mark}`, 'start')).length > 0, 10_000)
    gateway.kill('SIGKILL')
    await until(async () => (await jobs()).length === 0)
    const next = await openSandbox()
    await next.sandbox.status()
    await next.close()
    const groups = await readdir(
      '/sys/fs/cgroup/memory' + ((await readFile('/proc/self/cgroup', 'utf8')).match(/memory:(.*)/)?.[1] ?? ''),
    ).catch(() => [])
    expect(groups.filter((name) => name.startsWith(`capstan-job-${gateway.pid}-`))).to.deep.equal([])
  })

  it('T-52 one killed while its sandboxes start leaves processes that run nothing, and that the next start ends', async () => {
    let left: number[] = []
    for (let tries = 0; left.length === 0 && tries < 30; tries++) {
      const gateway = otherGateway(box.folder, '1')
      await until(async () => (await childrenOf(gateway.pid)).length > 0, 10_000)
      gateway.kill('SIGKILL')
      await once(gateway, 'exit')
      await until(async () => (await childrenOf(gateway.pid)).length === 0)
      left = await orphans()
    }
    expect(left.length).to.be.greaterThan(0)
    const next = await openSandbox()
    await next.sandbox.status()
    await next.close()
    await until(async () => (await orphans()).length === 0)
  })
})

/** A process of its own with a sandbox, in which it runs `sleep`. */
function otherGateway(folder: string, seconds: string): ChildProcess {
  const index = new URL('../../../core/exec/sandbox.js', import.meta.url).href
  const support = new URL('../../support/exec-sandbox.js', import.meta.url).href
  const code = `const { openSandbox } = await import(${JSON.stringify(support)}); await import(${JSON.stringify(index)}); const box = await openSandbox(); await box.run('sleep', ['${seconds}'])`
  const args = ['--input-type=module', '-e', code]
  return spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, TMPDIR: folder } })
}

async function childrenOf(pid: number | undefined): Promise<string[]> {
  const line = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return line.split(' ').filter((word) => word !== '')
}

/** First processes inside of sandboxes whose bwrap is gone. */
async function orphans(): Promise<number[]> {
  const parents = await Promise.all(
    (await processesWith('/bwrap\0')).map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      const parent = /^PPid:\s*(\d+)/m.exec(status)?.[1]
      const name = await readFile(`/proc/${parent}/comm`, 'utf8').catch(() => 'gone')
      return ['node', 'bwrap', 'MainThread'].includes(name.trim()) ? [] : [pid]
    }),
  )
  return parents.flat()
}
