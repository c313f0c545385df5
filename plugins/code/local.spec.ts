import { expect } from 'chai'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withStreamedFiles, type ExecOptions, type ExecResult } from '../../core/sdk/index.js'
import { CodeBench, codeInput } from '../../test/support/code.js'
import { bundleConfig } from './bundle.js'
import { frameOf, framesOf } from './connect.js'
import { containerArgs } from './container.js'
import type { CodeInput } from './contract.js'
import { MODAL_PROGRAM, type ModalEnd, type ModalJob } from './guest/modal-run.js'
import { installArgs } from './packages.js'
import { gvisor } from './providers/gvisor.js'
import { answer } from './result.js'
import { cappedScript } from './remote-vendor.js'
import { zipOf } from './zip.js'

interface BundleConfig {
  readonly root: { readonly readonly: boolean }
  readonly process: {
    readonly user: { readonly uid: number }
    readonly env: readonly string[]
    readonly capabilities: Readonly<Record<string, readonly string[]>>
    readonly noNewPrivileges: boolean
  }
  readonly mounts: readonly {
    readonly destination: string
    readonly source: string
    readonly type: string
    readonly options?: readonly string[]
  }[]
  readonly linux: { readonly namespaces: readonly { readonly type: string }[] }
}

describe('the input of other sandboxes', () => {
  const container = containerArgs({
    image: 'python:3',
    name: 'n',
    command: ['python3', 'main.py'],
    network: 'none',
    seconds: 30,
    runtime: 'runsc',
    diskMb: 256,
  })

  it('T-44 a container has no network, privileges, writable root or capabilities, and bounded resources', () => {
    const line = container.join(' ')
    for (const flag of [
      '--network none',
      '--read-only',
      '--cap-drop ALL',
      '--security-opt no-new-privileges',
      '--user 65534:65534',
      '--ipc none',
      '--cgroupns private',
      '--pull never',
      '--runtime runsc',
    ])
      expect(line).to.contain(flag)
    for (const flag of [
      '--interactive',
      '--memory 768m --memory-swap 768m',
      '--pids-limit 128',
      '--cpus 1',
      '--ulimit core=0',
      '--tmpfs /tmp:rw,noexec,nosuid,size=256m',
      '--tmpfs /job:rw,exec,nosuid,nodev,mode=1777,size=256m,nr_inodes=100000',
    ])
      expect(line).to.contain(flag)
    expect(line).not.to.match(/privileged|docker\.sock|cap-add|--device|unconfined|--pid |--volume|--mount/)
    expect(container.slice(container.indexOf('python:3'))).to.eql([
      'python:3',
      ...withStreamedFiles('timeout -s KILL 30 python3 main.py'.split(' ')),
    ])
  })

  it('T-44 an OCI bundle gives the program no capabilities and shows the host read-only', () => {
    const view = { program: '/usr/bin/python3', places: [{ at: '/usr', shows: 'host', from: '/usr' }] } as const
    const config = JSON.parse(JSON.stringify(bundleConfig('python', { root: true, view }))) as BundleConfig
    // Without it Node exits when it cannot check for the file (seen with Debian's runsc).
    expect(config.process.env).to.include('OPENSSL_CONF=/dev/null')
    expect(config.root.readonly).to.equal(true)
    expect(config.process.user.uid).to.equal(65534)
    expect(Object.values(config.process.capabilities).flat()).to.eql([])
    expect(config.process.noNewPrivileges).to.equal(true)
    const writable = config.mounts.filter(({ type, options = [] }) => type === 'bind' && !options.includes('ro'))
    expect(writable).to.eql([])
    expect(config.mounts.find(({ destination }) => destination === '/job')?.options).to.include(`size=${256 * 1024 * 1024}`)
    expect(config.linux.namespaces.map(({ type }) => type)).to.include.members(['network', 'pid'])
  })

  it('gvisor starts runsc without network, with the bundle and the program in its folder', async () => {
    const bench = await CodeBench.open()
    const seen: { program: string; args: readonly string[]; options: ExecOptions }[] = []
    const exec = async (program: string, args: readonly string[], options: ExecOptions): Promise<ExecResult> => {
      seen.push({ program, args, options })
      const none = new Uint8Array()
      const streams = { stdout: none, stderr: none, stdoutCut: false, stderrCut: false }
      const made = { files: [], scratchFiles: [], stdoutFile: null, filesLeft: 0 }
      return await Promise.resolve({ ...streams, ...made, code: 0, stopped: null, bootMs: 1, runMs: 1 })
    }
    bench.settings = { platform: 'systrap' }
    await bench.run(gvisor, { code: 'print(1)' }, { ms: 1000, exec })
    await bench.close()
    expect(seen[0]?.args.slice(0, 3)).to.eql(['--network=none', '--overlay2=none', '--platform=systrap'])
    expect(seen[0]?.args).to.include('run')
    expect(seen[0]?.options).to.deep.include({ isolation: 'external', timeoutMs: 30_000 })
    expect(seen[0]?.options.files?.map(({ name }) => name)).to.eql(['_run.py', 'main.py'])
    const view = { program: '/usr/bin/python3', places: [] }
    expect(seen[0]?.options.toolFiles?.(() => view).map(({ name }) => name)).to.eql(['config.json', 'empty'])
    expect(
      gvisor.serves?.(codeInput({ code: '1', input_files: [{ name: 'config.json', content: '', encoding: 'utf-8', url: null }] }) as never),
    ).to.equal(true)
  })

  it('T-46 pip gets wheels only, names behind the last option, and an index only when one is set', () => {
    expect(installArgs(['six'], null).slice(2)).to.eql(['sh', '--', 'six'])
    expect(installArgs(['six'], 'http://pip.example:80/simple').slice(2)).to.eql([
      'sh',
      '--index-url',
      'http://pip.example:80/simple',
      '--trusted-host',
      'pip.example',
      '--',
      'six',
    ])
    expect(installArgs([], null)[1]).to.contain('--only-binary :all:').and.contain('--isolated')
  })
})

describe('running at vendors', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-remote-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))
  const bash = (program: string, seconds = 5) => {
    writeFileSync(join(folder, 'main.sh'), program)
    return spawnSync('bash', ['-c', cappedScript('shell', seconds)], { cwd: folder, maxBuffer: 16 * 1024 * 1024 })
  }

  it('the script keeps streams apart, passes the code on and cuts each stream', () => {
    const apart = bash('echo out; echo err >&2; exit 7')
    expect([apart.status, apart.stdout.toString(), apart.stderr.toString()]).to.eql([7, 'out\n', 'err\n'])
    const flood = bash('head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2; exit 3')
    expect([flood.status, flood.stdout.length, flood.stderr.length]).to.eql([3, 1024 * 1024 + 1, 1024 * 1024 + 1])
  })

  it('the script ends a program at its time with 124 and what it printed', () => {
    const late = bash('echo begun; exec sleep 30', 1)
    expect([late.status, late.stdout.toString()]).to.eql([124, 'begun\n'])
  })

  it('Connect frames come back as they went, and cut ones are refused', () => {
    const bytes = Buffer.concat([frameOf({ a: 'ä' }), frameOf({})])
    expect(framesOf(bytes)).to.eql([
      { last: false, message: { a: 'ä' } },
      { last: false, message: {} },
    ])
    expect(() => framesOf(bytes.subarray(0, 8))).to.throw(RangeError)
    expect(() => framesOf(Buffer.from([1, 0, 0, 0, 0]))).to.throw(RangeError)
    expect(() => framesOf(Buffer.from([0, 0, 0, 0, 1, 0x7b]))).to.throw(RangeError)
  })

  it('ZIP archives are read by another program', () => {
    writeFileSync(
      join(folder, 'a.zip'),
      zipOf([
        { name: 'ünï.txt', data: Buffer.from('hello') },
        { name: 'empty', data: Buffer.alloc(0) },
      ]),
    )
    const code =
      "import zipfile\nz = zipfile.ZipFile('a.zip')\nassert z.testzip() is None\nprint([(i.filename, z.read(i).decode()) for i in z.infolist()])"
    expect(execFileSync('python3', ['-X', 'utf8', '-c', code], { cwd: folder }).toString()).to.equal(
      "[('ünï.txt', 'hello'), ('empty', '')]\n",
    )
  })

  it('the process for Modal follows the order of its package, keeps the network off and always ends the sandbox', () => {
    const sdk = join(folder, 'modal.mjs')
    writeFileSync(
      sdk,
      `const log = (...a) => process.stderr.write(JSON.stringify(a) + '\\n')
      const image = { dockerfileCommands: (c) => (log('layer', c), image) }
      const stream = (text) => ({ readText: async () => text })
      const sandbox = {
        filesystem: { makeDirectory: async (p) => log('mkdir', p), writeBytes: async (d, p) => log('write', Buffer.from(d).toString(), p), readBytes: async (p) => Buffer.from('read ' + p) },
        exec: async (c) => { log('exec', c[2].slice(0, 9)); if (c[2] === 'fail') throw Object.assign(new Error('gone'), { name: 'SandboxTimeoutError' })
          return { stdout: stream(c[2].startsWith('find') ? '4 out.txt\\n99999999 big\\n' : 'ok\\n'), stderr: stream(''), wait: async () => 5 } },
        terminate: async () => log('terminate') }
      export class ModalClient {
        constructor(o) { log('client', o) }
        apps = { fromName: async (n, o) => log('app', n, o) }
        images = { fromRegistry: (t) => (log('image', t), image) }
        sandboxes = { create: async (a, i, o) => (log('create', o), sandbox) }
      }`,
    )
    const job: ModalJob = {
      tokenId: 'ak-1',
      tokenSecret: 'as-1',
      environment: null,
      app: 'capstan',
      image: 'python:3',
      layers: ['RUN pip'],
      script: 'run it',
      seconds: 30,
      files: [{ name: 'main.py', base64: 'MQ==' }],
      maxFiles: 20,
      maxBytes: 1000,
    }
    const start = (script: string) =>
      spawnSync(process.execPath, ['--input-type=module', '-e', MODAL_PROGRAM], { input: JSON.stringify({ sdk, job: { ...job, script } }) })
    const good = start('run it')
    const { end } = JSON.parse(good.stdout.toString()) as { end: ModalEnd }
    expect(end).to.deep.include({
      code: 5,
      stdout: 'ok\n',
      filesLeft: 1,
      files: [{ name: 'out.txt', base64: Buffer.from('read /capstan/out.txt').toString('base64') }],
    })
    const steps = good.stderr
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown[])
    expect(steps.map(([name]) => name)).to.eql([
      'client',
      'app',
      'image',
      'layer',
      'create',
      'mkdir',
      'write',
      'exec',
      'exec',
      'exec',
      'terminate',
    ])
    expect(steps[4]?.[1]).to.deep.include({ blockNetwork: true, timeoutMs: 150_000 })
    const bad = start('fail')
    expect(JSON.parse(bad.stdout.toString())).to.eql({ error: { name: 'SandboxTimeoutError', message: 'gone' } })
    expect(bad.stderr.toString()).to.match(/\["terminate"\]\n$/)
  })

  it('F18 a file that a program names outside of its folder is named in a note, unless one of its name comes back', async () => {
    const notes: string[] = []
    const context = {
      files: {
        fetch: () => Promise.reject(new Error('nothing is fetched')),
        put: () => Promise.resolve({ id: '1', url: 'x', size: 1, expires_at: '', content_type: '' }),
      },
      note: (text: string) => void notes.push(text),
    }
    const ended = { stdout: '', stderr: '', code: 0, stopped: null, runMs: 1, bootMs: 1 }
    const given = (code: string): CodeInput => codeInput({ code })
    await answer(ended, given('open("/tmp/report.csv","w"); open("/tmp/report.csv"); savefig("/mnt/data/a.png")'), context)
    expect(notes).to.deep.equal([
      'Only files of the working folder are returned: use a plain name in place of /tmp/report.csv, /mnt/data/a.png.',
    ])
    await answer({ ...ended, files: [{ name: 'report.csv', data: new Uint8Array(1) }] }, given('cp /tmp/report.csv . && ls /tmp/'), context)
    expect(notes).to.have.length(1)
  })
})
