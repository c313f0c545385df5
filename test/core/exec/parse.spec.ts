import { expect } from 'chai'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Groups, JobGroup } from '../../../core/exec/cgroup.js'
import { Cancel } from '../../../core/runtime/cancel.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { callOf, faultOf, needs, openSandbox, StillClock } from '../../support/exec-sandbox.js'
import type { TestSandbox } from '../../support/exec-sandbox.js'
import { atMost, until, waited } from '../../support/time.js'

const MODULES: Readonly<Record<string, string>> = {
  count: 'export default (bytes, args) => ({ length: bytes.length, first: bytes[0], kind: bytes.constructor.name, args })',
  memory: 'globalThis.seen ??= []; export default (bytes) => { globalThis.seen.push(bytes.length); return [globalThis.seen, process.pid] }',
  born: 'export default () => performance.timeOrigin',
  print: "export default () => { console.log('noise'); return 'clean' }",
  fault: `export default () => { throw Object.assign(new Error('the file is locked'), { kind: 'invalid', loc: ['file'], [Symbol.for('capstan.fault')]: true }) }`,
  error: "export default () => { throw new Error('inner detail') }",
  loop: 'export default () => { for (;;); }',
  heap: 'export default () => { const a = []; for (;;) a.push(new Array(1e5).fill(1.5)) }',
  buffers: 'export default () => { const a = []; for (;;) a.push(Buffer.alloc(1e7, 1)) }',
  deep: 'export default () => { const f = () => f() + 1; return f() }',
  crash: "export default () => { process.kill(process.pid, 'SIGSEGV'); return new Promise(() => {}) }",
  large: "export default () => 'x'.repeat(30 << 20)",
  wide: "export default () => 'x'.repeat(2 << 20)",
  nothing: 'export const other = 1',
  leave: 'export default () => { process.exit(0) }',
  look: `import { readFileSync, readdirSync } from 'node:fs'
    import { connect } from 'node:net'
    export default async (bytes, args) => ({
      env: Object.keys(process.env).sort(), network: await new Promise((ok) => connect(args.port, '127.0.0.1').on('connect', () => ok(true)).on('error', () => ok(false))),
      files: args.paths.map((path) => { try { return readdirSync(path).length } catch { try { return readFileSync(path).length } catch { return 'closed' } } }) })`,
}

/** Most processor time that a Node process reading files with this module has used, in hundredths of a second (proc(5): stat, utime). */
function used(module: URL): number {
  const shown = (pid: string, file: string): string => readFileSync(`/proc/${pid}/${file}`, 'utf8')
  const times = readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .map((pid) => {
      try {
        const words = shown(pid, 'cmdline').split('\0')
        return words[0] === process.execPath && words.includes(module.href) ? Number(shown(pid, 'stat').split(') ')[1]?.split(' ')[11]) : 0
      } catch (error) {
        if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return 0
        throw error
      }
    })
  return Math.max(...times)
}

interface CountedGroup {
  /** How often its processor time was read. */
  reads: number
  /** When it was put into the background, and taken out. */
  readonly background: boolean[]
}

/** Control groups of which each has used so many milliseconds of processor time. */
function countedGroups(usedMs: () => number): { groups: Groups; seen: CountedGroup[] } {
  const seen: CountedGroup[] = []
  const create = (): JobGroup => {
    const counted: CountedGroup = { reads: 0, background: [] }
    seen.push(counted)
    return {
      join: () => Promise.resolve(),
      memory: () => Promise.resolve(null),
      outOfMemory: () => false,
      processors: {
        usedMs: () => Promise.resolve(((counted.reads += 1), usedMs())),
        background: (on) => Promise.resolve(void counted.background.push(on)),
      },
      folders: [],
      kill: () => undefined,
      tryRemove: () => Promise.resolve(true),
    }
  }
  return { groups: { version: 2, controllers: new Set(['cpu']), parents: [], create }, seen }
}

describe('core/exec parse', function () {
  this.timeout(30_000)
  let box: TestSandbox
  let folder: string
  const module = (name: string): URL => pathToFileURL(join(folder, `${name}.mjs`))
  const parse = (
    name: string,
    bytes: Uint8Array = Buffer.from('abc'),
    options: { timeoutMs?: number; memoryMb?: number; args?: unknown } = {},
    cancel = callOf(),
  ): Promise<unknown> => box.sandbox.parse(module(name), bytes, options, cancel)

  before(async function () {
    needs(this, 'bwrap')
    folder = await mkdtemp(join(tmpdir(), 'capstan-parse-'))
    await chmod(folder, 0o755)
    for (const [name, code] of Object.entries(MODULES)) await writeFile(join(folder, `${name}.mjs`), code)
    box = await openSandbox({ protectedPaths: [join(folder, 'protected')] })
  })

  after(async () => {
    await box?.close()
    if (folder !== undefined) await rm(folder, { recursive: true })
  })

  it('gives bytes and arguments to the default export, and its answer back', async () => {
    const bytes = Buffer.alloc(5 << 20, 9)
    expect(await parse('count', bytes, { args: { page: 2 } })).to.deep.equal({
      length: 5 << 20,
      first: 9,
      kind: 'Uint8Array',
      args: { page: 2 },
    })
    expect(await parse('count', Buffer.alloc(0))).to.deep.equal({ length: 0, kind: 'Uint8Array' })
  })

  it('gives bytes as they come, and fails as their source does', async () => {
    async function* pieces(fail: boolean): AsyncGenerator<Uint8Array> {
      for (let sent = 0; sent < 50; sent++) yield await Promise.resolve(Buffer.alloc(100_000, 7))
      if (fail) throw new Error('the source broke')
    }
    expect(await box.sandbox.parse(module('count'), pieces(false), {}, callOf())).to.deep.include({ length: 5_000_000, first: 7 })
    expect((await faultOf(box.sandbox.parse(module('count'), pieces(true), {}, callOf()))).internal).to.contain('the source broke')
    expect(await parse('count')).to.deep.include({ length: 3 })
  })

  it('takes a large answer also while it has no time to read it', async () => {
    const answer = parse('wide')
    await until(() => used(module('wide')) > 0, 10_000)
    const end = performance.now() + 1_000
    while (performance.now() < end);
    expect(await answer).to.have.length(2 << 20)
  })

  it('reads each file in a process of its own, also when one is kept ready', async () => {
    const runs: unknown[] = []
    for (const size of [1, 2, 3]) runs.push(await parse('memory', Buffer.alloc(size)))
    expect(runs.map((run) => (Array.isArray(run) ? (run[0] as unknown) : run))).to.deep.equal([[1], [2], [3]])
  })

  it('is served by a process that an earlier file left ready', async () => {
    await parse('born')
    await until(() => used(module('born')) > 0, 10_000)
    const begun = Date.now()
    expect(await parse('born')).to.be.below(begun)
  })

  it('counts what a file took for its account, whose next one begins in the background, as every process does that is kept ready', async () => {
    let used = 5_000
    const { groups, seen } = countedGroups(() => used)
    // No group is read while it runs, however long that is.
    const own = await openSandbox({ groups, clock: new StillClock() })
    const callBy = (account: string): Cancel => new Cancel(systemClock, systemClock.monotonic() + 20_000, account)
    const read = (account: string): Promise<unknown> => own.sandbox.parse(module('count'), Buffer.from('abc'), {}, callBy(account))
    try {
      await own.sandbox.status()
      const before = seen.length
      const started = (): (readonly boolean[])[] => seen.slice(before).map(({ background }) => background)
      await read('one')
      await until(() => (seen[before]?.reads ?? 0) > 0, 10_000)
      expect(started()).to.deep.equal([[], [true]])
      await read('one')
      await until(() => started().length === 3, 10_000)
      await read('other')
      expect(started().slice(1, 3)).to.deep.equal([
        [true, true],
        [true, false],
      ])
      await until(() => started().length === 4, 10_000)
      used = 0
      const exceeding = own.sandbox.parse(module('large'), Buffer.alloc(0), {}, callBy('third'))
      expect((await faultOf(exceeding)).kind).to.equal('blocked')
      await read('third')
      expect(started()[3], 'after an answer that was too large').to.deep.equal([true, true])
    } finally {
      await own.close()
    }
  })

  it('keeps what a library prints out of the answer', async () => {
    expect(await parse('print')).to.equal('clean')
  })

  it('passes a Fault on and makes other errors broken', async () => {
    expect(await faultOf(parse('fault'))).to.deep.include({ kind: 'invalid', message: 'the file is locked' })
    expect(await faultOf(parse('error'))).to.deep.include({ kind: 'broken', internal: 'Error: inner detail' })
    expect((await faultOf(parse('nothing'))).internal).to.include('no function as its default export')
    expect((await faultOf(parse('absent'))).kind).to.equal('broken')
    expect((await faultOf(parse('leave'))).kind).to.equal('broken')
  })

  it('T-49 blames the file for time, memory, depth and crashes, and serves the next', async function () {
    const { result: fault, own } = await waited(() => faultOf(parse('loop', undefined, { timeoutMs: 500 })))
    expect(fault).to.deep.include({ kind: 'blocked', message: 'the file took too long to read' })
    await atMost(this, { what: 'until it ended', value: own, limit: 3000 })
    for (const name of ['heap', 'buffers'])
      expect(await faultOf(parse(name, undefined, { memoryMb: 128 })), name).to.deep.include({
        kind: 'blocked',
        message: 'the file needs too much memory to read',
      })
    expect((await faultOf(parse('deep'))).kind).to.equal('blocked')
    expect((await faultOf(parse('crash'))).kind).to.equal('blocked')
    expect((await faultOf(parse('large'))).kind).to.equal('blocked')
    expect(await parse('print')).to.equal('clean')
  })

  it('ends with the call', async () => {
    const cancel = callOf()
    const running = faultOf(parse('loop', undefined, {}, cancel))
    await until(() => used(module('loop')) > 50, 10_000)
    cancel.cancel('client-gone')
    expect((await running).kind).to.equal('busy')
  })

  it('T-49 shows no network, no secrets, no data to the parser', async () => {
    await writeFile(join(folder, 'protected'), 'secret')
    const { createServer } = await import('node:net')
    const server = createServer().listen(0, '127.0.0.1')
    await until(() => server.listening)
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const own = await openSandbox({ protectedPaths: [join(folder, 'protected')] })
    try {
      const paths = ['/etc/shadow', '/root', '/home', join(process.cwd(), 'core'), join(folder, 'protected'), box.folder]
      const found = await own.sandbox.parse(module('look'), Buffer.alloc(0), { args: { port, paths } }, callOf())
      expect(found).to.deep.equal({
        env: ['HOME', 'LANG', 'NODE_OPTIONS', 'PATH', 'PWD', 'TMPDIR'].sort(),
        network: false,
        files: ['closed', 'closed', 'closed', 'closed', 'closed', 'closed'],
      })
    } finally {
      server.close()
      await own.close()
    }
  })
})
