import { expect } from 'chai'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cancel } from '../../../core/runtime/cancel.js'
import { groupsAt, locate } from '../../../core/exec/cgroup.js'
import { bwrapArgs } from '../../../core/exec/bwrap-args.js'
import { fromWire, toWire } from '../../../core/exec/fault-wire.js'
import { isInside } from '../../../core/exec/view.js'
import { inheritedDescriptors } from '../../../core/exec/host.js'
import { JobUsers } from '../../../core/exec/job-users.js'
import { findProgram, programFolders } from '../../../core/exec/programs.js'
import { takePlace } from '../../../core/problems/no-place.js'
import { problemFrom } from '../../../core/dispatch/from-error.js'
import { Semaphore } from '../../../core/runtime/semaphore.js'
import { TarReader, isPlainName, type Collected } from '../../../core/exec/tar.js'
import { Fault } from '../../../core/sdk/index.js'
import { StillClock, faultOf } from '../../support/exec-sandbox.js'
import { skip } from '../../support/needs.js'

const plan = {
  shareNet: false,
  noUserNamespaces: true,
  diskMb: 1,
  sharedMb: 1,
  readOnly: ['/opt/app'],
  writable: [],
  hidden: ['/opt/app/data', '/srv/secret'],
  files: [],
  mounted: [],
  socket: null,
  env: {},
}

describe('core/exec bwrap arguments', () => {
  it('T-44 isolates everything, and closes the holes of /proc after /proc', () => {
    const args = bwrapArgs(plan)
    for (const flag of ['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session', '--clearenv'])
      expect(args).to.include(flag)
    expect(args).to.not.include('--share-net')
    expect(args.indexOf('/proc/sys')).to.be.greaterThan(args.indexOf('--proc'))
    expect(args.slice(args.indexOf('--remount-ro')).join(' ')).to.match(/--remount-ro \/ /)
  })

  it('shares the network and allows namespaces for the browser only', () => {
    const args = bwrapArgs({ ...plan, shareNet: true, noUserNamespaces: false })
    expect(args).to.include('--share-net')
    expect(args).to.not.include('--disable-userns')
  })

  it('determines what is inside a folder', () => {
    expect([
      isInside('/a/b', '/a'),
      isInside('/a', '/a'),
      isInside('/ab', '/a'),
      isInside('/', '/a'),
      isInside('/a/..b', '/a'),
    ]).to.deep.equal([true, true, false, false, true])
  })
})

describe('core/exec places', () => {
  it('are refused as overloaded when too long in coming, and as busy to a call that is over', async () => {
    const clock = new StillClock()
    const places = new Semaphore(clock, 1)
    const release = await takePlace(places, new Cancel(clock, 100_000), 'program')
    const late = takePlace(places, new Cancel(clock, 100_000), 'program').catch((error: unknown) => error)
    const cancel = new Cancel(clock, 100_000)
    const gone = faultOf(takePlace(places, cancel, 'program'))
    cancel.cancel('client-gone')
    expect((await gone).kind).to.equal('busy')
    clock.pass(5000)
    expect(problemFrom(await late).slug).to.equal('overloaded')
    release()
    await takePlace(places, new Cancel(clock, 100_000), 'program')
  })
})

describe('core/exec users', () => {
  it('gives each job another user, never a known one', function () {
    if (process.geteuid?.() !== 0) skip(this, 'only root can do what this test does')
    const users = new JobUsers('root:x:0:0::/root:/bin/sh\nsomeone:x:61000:61000::/:/bin/sh\n')
    const taken = Array.from({ length: 183 }, () => users.take())
    expect(new Set(taken).size).to.equal(183)
    expect(taken).to.not.include(61000)
    expect(() => users.take()).to.throw('no user id')
    users.release(61005)
    expect(users.take()).to.equal(61005)
  })
})

describe('core/exec programs', () => {
  it("takes the operator's path first, then the project's tools, standard folders, the path, and node for itself", async () => {
    expect(findProgram('sh', '/usr/bin/env')).to.equal('/usr/bin/env')
    expect(findProgram('sh', '/usr/bin/no-such-program')).to.equal(undefined)
    expect(findProgram('env', undefined, { path: '/nowhere' })).to.equal('/usr/bin/env')
    expect(findProgram('node', undefined)).to.equal(process.execPath)
    expect(findProgram('../bin/sh', undefined)).to.equal(undefined)
    const tools = await mkdtemp(join(tmpdir(), 'capstan-tools-'))
    const own = join(tools, 'sh', 'bin', 'sh')
    expect(findProgram('sh', undefined, { tools })).to.equal('/usr/bin/sh')
    await mkdir(join(own, '..'), { recursive: true })
    await writeFile(own, '', { mode: 0o755 })
    expect(findProgram('sh', undefined, { tools })).to.equal(own)
    expect(findProgram('sh', '/usr/bin/env', { tools })).to.equal('/usr/bin/env')
    await mkdir(join(own, '..', '..', 'lib'))
    expect(programFolders(own, [tools])).to.deep.equal([join(own, '..'), join(own, '..', '..', 'lib')])
    await rm(tools, { recursive: true })
  })

  it('shows nothing more for programs below /usr', () => {
    expect(programFolders('/usr/bin/env')).to.deep.equal([])
  })
})

describe('core/exec descriptors', () => {
  it('T-44 finds descriptors that a child would inherit, and not its own', () => {
    const index = new URL('../../../core/exec/host.js', import.meta.url).href
    const code = `import('${index}').then(({ inheritedDescriptors }) => console.log(JSON.stringify(inheritedDescriptors())))`
    const child = spawnSync(process.execPath, ['-e', code], {
      stdio: Array.from({ length: 61 }, (_, fd) => (fd === 1 || fd === 60 ? 'pipe' : 'ignore')),
    })
    expect(JSON.parse(child.stdout.toString())).to.include(60)
    expect(inheritedDescriptors()).to.be.an('array')
  })
})

describe('core/exec tar', () => {
  const read = async (archive: Buffer, limits = { maxFiles: 10, maxBytes: 1000 }, size = 100): Promise<Collected> => {
    const reader = new TarReader(limits, new Map([['same', Buffer.from('same')]]))
    for (let at = 0; at < archive.length; at += size) await reader.write(archive.subarray(at, at + size))
    await reader.end()
    return reader.collected
  }
  const header = (name: string, size: number, type: string): Buffer => {
    const block = Buffer.alloc(512)
    block.write(name, 0)
    block.write(size.toString(8).padStart(11, '0'), 124)
    block.write(type, 156)
    block.write('ustar\x0000', 257)
    block.write(' '.repeat(8), 148)
    block.write(
      `${block
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0`,
      148,
    )
    return block
  }
  const pax = (text: string): string => {
    const length = text.length + 3
    return `${length + String(length).length - 1} ${text}\n`
  }
  const file = (name: string, text: string, type = '0'): Buffer =>
    Buffer.concat([header(name, text.length, type), Buffer.from(text), Buffer.alloc((512 - (text.length % 512)) % 512)])

  it('T-47 takes regular files with plain names and long ones, whole across pieces of any size', async () => {
    const long = 'x'.repeat(150)
    const archive = Buffer.concat([
      file('./a', 'one'),
      file('@', `./${long}\0`, 'L'),
      file('short', 'two'),
      file('PaxHeader', pax('path=./in pax'), 'x'),
      file('shorter', 'three'),
      file('./same', 'same'),
      file('./empty', ''),
      Buffer.alloc(1024),
    ])
    for (const size of [1, 7, 511, 512, 513, 10_000]) {
      const { files, left } = await read(archive, undefined, size)
      expect(files.map(({ name, data }) => [name, Buffer.from(data).toString()])).to.deep.equal([
        ['a', 'one'],
        [long, 'two'],
        ['in pax', 'three'],
        ['empty', ''],
      ])
      expect(left).to.equal(0)
    }
  })

  it('T-47 takes no links, devices, folders, and no name that leads elsewhere', async () => {
    const odd = ['1', '2', '3', '4', '5', '6', '7', 'S'].map((type) => file('odd', '', type))
    const leading = ['../up', '/etc/passwd', `${'deep/'.repeat(1000)}end`].map((path) => [
      file('h', pax(`path=${path}`), 'x'),
      file('good', 'x'),
    ])
    const names = ['../up', '/etc/passwd', 'a/../../b', 'a//b', '.bashrc', 'a/.ssh', 'new\nline', 'a\\b', ''].map((name) => file(name, 'x'))
    const { files, left } = await read(Buffer.concat([...odd, ...names, ...leading.flat(), file('good', 'x')]))
    expect(files.map(({ name }) => name)).to.deep.equal(['good'])
    expect(left).to.equal(names.length + leading.length)
  })

  it('T-47 keeps its limits against lying sizes, and stops at damage', async () => {
    const { files, left } = await read(Buffer.concat([file('a', 'x'.repeat(600)), file('b', 'x'.repeat(600)), file('c', 'x')]))
    expect([files.map(({ name }) => name), left]).to.deep.equal([['a', 'c'], 1])
    const nothing = { files: [], left: 0 }
    expect(await read(Buffer.concat([header('big', 0o77777777777, '0'), Buffer.alloc(5000)]))).to.deep.equal({ files: [], left: 1 })
    expect(await read(Buffer.concat([Buffer.alloc(512, 'x'), file('a', 'x')]))).to.deep.equal(nothing)
    expect(await read(Buffer.concat([header('n', 100_000, 'L'), file('a', 'x')]))).to.deep.equal(nothing)
    expect(await read(Buffer.concat([header('n', 0o77777777, 'x'), Buffer.alloc(100_000), file('a', 'x')]))).to.deep.equal(nothing)
    expect(await read(file('cut', 'x'.repeat(600)).subarray(0, 600))).to.deep.equal(nothing)
  })

  it('recognises plain names', () => {
    expect(['a', 'a.txt', 'sub/a', 'ä b', '-x'].every(isPlainName)).to.equal(true)
    expect(['', '.', '..', '.a', 'a/', '/a', 'a/../b', 'a\0', 'x'.repeat(256)].some(isPlainName)).to.equal(false)
  })
})

describe('core/exec control groups', () => {
  let root: string
  beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'capstan-cgroup-'))))
  afterEach(() => rm(root, { recursive: true, force: true }))

  it('version 2: moves itself into a leaf, hands the controllers down, writes the limits', async () => {
    await mkdir(join(root, 'cg', 'unit'), { recursive: true })
    await mkdir(join(root, 'self'))
    await writeFile(join(root, 'self', 'mountinfo'), `30 20 0:26 / ${join(root, 'cg')} rw,relatime - cgroup2 cgroup2 rw\n`)
    await writeFile(join(root, 'self', 'cgroup'), '0::/unit\n')
    await writeFile(join(root, 'cg', 'unit', 'cgroup.controllers'), 'cpu memory pids io\n')
    await writeFile(join(root, 'cg', 'unit', 'cgroup.procs'), `${process.pid}\n`)
    const places = locate(join(root, 'self'))
    expect(places.version).to.equal(2)
    expect([...places.folders.keys()]).to.have.members(['memory', 'pids', 'cpu'])
    expect(await readFile(join(root, 'cg', 'unit', 'capstan-gateway', 'cgroup.procs'), 'utf8')).to.equal(String(process.pid))
    const group = groupsAt(places).create('capstan-job-1-1', { memoryMb: 64, processes: 9, cpus: 1.5 })
    const value = (name: string): Promise<string> => readFile(join(root, 'cg', 'unit', 'capstan-job-1-1', name), 'utf8')
    expect([await value('memory.max'), await value('memory.swap.max'), await value('pids.max'), await value('cpu.max')]).to.deep.equal([
      String(64 << 20),
      '0',
      '9',
      '150000 100000',
    ])
    await writeFile(join(root, 'cg', 'unit', 'capstan-job-1-1', 'memory.events'), 'oom 1\noom_kill 0\n')
    expect(group.outOfMemory()).to.equal(false)
    await writeFile(join(root, 'cg', 'unit', 'capstan-job-1-1', 'memory.events'), 'oom 3\noom_kill 2\n')
    await writeFile(join(root, 'cg', 'unit', 'capstan-job-1-1', 'memory.stat'), 'anon 4096\nfile 1\n')
    expect(group.outOfMemory()).to.equal(true)
    expect(await group.memory()).to.equal(4096)
    await group.join(4242)
    expect(await value('cgroup.procs')).to.equal('4242')
  })

  it('version 1: one folder a controller, each with its limit', async () => {
    for (const name of ['memory', 'pids']) await mkdir(join(root, name, 'docker', 'x'), { recursive: true })
    await mkdir(join(root, 'self'))
    const mounts = ['memory', 'pids'].map(
      (name, index) => `3${index} 20 0:2${index} /docker/x ${join(root, name)} rw - cgroup cgroup rw,${name}`,
    )
    await writeFile(join(root, 'self', 'mountinfo'), mounts.join('\n'))
    await writeFile(join(root, 'self', 'cgroup'), '4:memory:/docker/x\n3:pids:/docker/x\n')
    const groups = groupsAt(locate(join(root, 'self')))
    groups.create('capstan-job-1-1', { memoryMb: 64, processes: 9, cpus: 1 })
    expect(await readFile(join(root, 'memory', 'capstan-job-1-1', 'memory.limit_in_bytes'), 'utf8')).to.equal(String(64 << 20))
    expect(await readFile(join(root, 'pids', 'capstan-job-1-1', 'pids.max'), 'utf8')).to.equal('9')
  })

  it('none: says so when nothing is mounted or writable', async () => {
    await mkdir(join(root, 'self'))
    await writeFile(join(root, 'self', 'mountinfo'), '30 20 0:26 / /nonexistent rw - cgroup2 cgroup2 ro\n')
    await writeFile(join(root, 'self', 'cgroup'), '0::/\n')
    expect(locate(join(root, 'self'))).to.deep.equal({ version: null, folders: new Map() })
  })
})

describe('core/exec faults across a border', () => {
  it('keeps a Fault whole, through JSON too', () => {
    const fault = new Fault('busy', 'later', { internal: 'why', retryAfterSeconds: 3, loc: ['url', 0] })
    const back = fromWire(JSON.parse(JSON.stringify(toWire(fault))), 'unused')
    expect(back).to.deep.include({ kind: 'busy', message: 'later', internal: 'why', retryAfterSeconds: 3 })
    expect(back.loc).to.deep.equal(['url', 0])
  })

  it('makes anything else broken with our sentence, and believes no odd field', () => {
    expect(fromWire(toWire(new TypeError('secret detail')), 'could not be read')).to.deep.include({
      kind: 'broken',
      message: 'could not be read',
      internal: 'TypeError: secret detail',
    })
    for (const odd of [null, 7, 'x', [], { fault: true, kind: 'root', message: 'x' }, { fault: true }])
      expect(fromWire(odd, 'odd').message).to.equal('odd')
    expect(fromWire({ fault: true, kind: 'missing', message: 'm', loc: [{}], retryAfterSeconds: '9' }, 'odd')).to.deep.include({
      kind: 'missing',
      loc: undefined,
      retryAfterSeconds: undefined,
    })
  })
})
