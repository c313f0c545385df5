import { expect } from 'chai'
import { fork, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '../../core/runtime/root.js'
import { until } from '../support/time.js'

interface Report {
  readonly passed: number
  readonly failed: readonly { file: string; title: string; error: string }[]
  readonly skipped: readonly { title: string; reason: string | null }[]
  readonly notMeasured: readonly { title: string; reason: string }[]
  readonly unsteady: readonly { file: string; title: string; error: string }[]
  readonly files: Readonly<Record<string, { passed: number; failed: number; ms: number; cpuMs: number }>>
}

interface LaneReport {
  readonly passed: number
  readonly left: number
  readonly failed: readonly { title: string }[]
}

interface Suites {
  readonly LONG_SUITES: Readonly<Record<string, { minutes: number; files: Readonly<Record<string, readonly string[]>> }>>
  readonly SMOKE: Readonly<Record<string, readonly string[]>>
}

const suites = async (): Promise<Suites> => (await import(pathToFileURL(join(packageRoot(), 'scripts', 'long-suites.mjs')).href)) as Suites

/** A process that has ended and was not reaped does not run any more. */
function runs(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const test = (title: string, body: string): string => `it(${JSON.stringify(title)}, async () => { ${body} });`

describe('scripts/test-lanes.mjs', function () {
  this.timeout(60_000)
  let folder: string
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'capstan-lanes-'))))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const spec = (name: string, ...tests: string[]): void => writeFileSync(join(folder, `${name}.spec.js`), tests.join('\n'))

  /** Runs what was written, and resolves when the run has ended by itself. */
  async function run(...options: string[]): Promise<{ code: number | null; out: string; report: Report }> {
    const output = join(folder, 'results.json')
    const script = join(packageRoot(), 'scripts', 'test-lanes.mjs')
    const env = { ...process.env }
    delete env['NODE_V8_COVERAGE']
    const child = spawn(process.execPath, [script, '--output', output, ...options, folder], { stdio: ['ignore', 'pipe', 'ignore'], env })
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    return { code, out, report: JSON.parse(readFileSync(output, 'utf8')) as Report }
  }

  it('counts what passed, failed and was skipped over all files, and says expected and found', async () => {
    spec('a', test('right', ''), `it.skip('left out', () => {});`)
    spec('b', test('wrong', "require('node:assert').deepEqual({ a: 1 }, { a: 2 })"), test('right', ''))
    const unmeasured = "function () { this.test.skipReason = 'not measured: no server'; this.skip() }"
    spec('c', `it('unmeasured', ${unmeasured});`, `it('reasoned', ${unmeasured.replace('not measured: ', '')});`)
    const { code, out, report } = await run()
    expect(code).to.equal(1)
    expect(report.passed).to.equal(2)
    expect(report.failed.map(({ file, title }) => [file.split('/').pop(), title])).to.deep.equal([['b.spec.ts', 'wrong']])
    expect(report.failed[0]?.error).to.contain('actual:   {"a":1}').and.to.contain('expected: {"a":2}').and.to.contain('b.spec.js:1')
    expect(report.skipped.map(({ title, reason }) => [title, reason])).to.have.deep.members([
      ['left out', null],
      ['reasoned', 'no server'],
    ])
    expect(report.notMeasured.map(({ title, reason }) => [title, reason])).to.deep.equal([['unmeasured', 'no server']])
    expect(out)
      .to.match(/ok {2}\S*a\.spec\.ts {2}1 passed, 1 skipped, [\d.]+ s\n/)
      .and.to.match(/FAILED {2}\S*b\.spec\.ts/)
  })

  const OFTEN = "require('node:fs').appendFileSync(__filename + '.runs', 'x')"
  const timesRun = (name: string): number => readFileSync(join(folder, `${name}.spec.js.runs`), 'utf8').length

  it('a file that failed runs once more by itself: what passes then is unsteady, not failed, and each test counts once', async () => {
    const firstTime = `if (require('node:fs').readFileSync(__filename + '.runs', 'utf8').length === 1) throw new Error('too busy')`
    spec('a', test('right', OFTEN), test('sometimes', firstTime), `it.skip('left out', () => {});`)
    const steady = await run()
    expect({ code: steady.code, passed: steady.report.passed, skipped: steady.report.skipped.length }).to.deep.equal({
      code: 0,
      passed: 2,
      skipped: 1,
    })
    expect(steady.report.failed).to.deep.equal([])
    expect(steady.report.unsteady.map(({ title, error }) => [title, error.includes('too busy')])).to.deep.equal([['sometimes', true]])
    spec('b', test('wrong', `${OFTEN}; throw new Error('wrong')`))
    const wrong = await run()
    expect({ code: wrong.code, failed: wrong.report.failed.map(({ title }) => title) }).to.deep.equal({ code: 1, failed: ['wrong'] })
    expect(wrong.report.unsteady).to.deep.equal([])
    expect(timesRun('b')).to.equal(2)
  })

  it('none runs again when more than three files failed', async () => {
    for (const name of ['a', 'b', 'c', 'd']) spec(name, test('wrong', `${OFTEN}; throw new Error('wrong')`))
    const { report } = await run()
    expect(report.failed).to.have.length(4)
    expect(['a', 'b', 'c', 'd'].map(timesRun)).to.deep.equal([1, 1, 1, 1])
  })

  it('ends by itself when a failed test leaves a server, a timer and a program open', async () => {
    const open = "require('node:net').createServer().listen(0); setInterval(() => undefined, 1000)"
    spec('a', test('fails', `${open}; require('node:child_process').spawn('sleep', ['30']).unref(); throw new Error('on purpose')`))
    const { code, report } = await run()
    expect({ code, failed: report.failed.length }).to.deep.equal({ code: 1, failed: 1 })
  })

  it('a file whose process ends or hangs fails, its servers are ended, and the files after it run', async () => {
    const server = "require('node:child_process').spawn('sleep', ['300']).pid"
    const keep = `require('node:fs').appendFileSync(\`\${__dirname}/pids\`, ${server} + '\\n')`
    spec('a', test('ends', `${keep}; process.exit(0)`))
    spec('b', test('hangs', `${keep}; for (;;);`))
    spec('c', test('right', ''))
    spec('d', 'throw new Error("cannot be loaded")')
    const { code, report } = await run('--lanes', '1', '--seconds', '5')
    expect(code).to.equal(1)
    expect(report.failed.map(({ file, title }) => [file.split('/').pop(), title])).to.deep.equal([
      ['a.spec.ts', 'the process of the test ended with exit code 0'],
      ['b.spec.ts', 'no test of the file had ended for 5 s'],
      ['d.spec.ts', 'the file could not be loaded'],
    ])
    expect(report.passed).to.equal(1)
    const pids = readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n').map(Number)
    expect(pids, 'each of the two ran twice').to.have.length(4)
    for (const pid of pids) await until(() => !runs(pid), 10_000, `process ${pid} has ended`)
  })

  it('a file that takes longer than that is waited for as long as its tests end', async () => {
    const wait = 'await new Promise((resolve) => setTimeout(resolve, 1_500))'
    spec('a', ...['one', 'two', 'three'].map((title) => test(title, wait)))
    const { code, report } = await run('--lanes', '1', '--seconds', '4')
    expect({ code, passed: report.passed }).to.deep.equal({ code: 0, passed: 3 })
  })

  it('with --beside, what measures runs when whoever started it has nothing else to do', async () => {
    spec('a', test('right', ''))
    const output = join(folder, 'results.json')
    const script = join(packageRoot(), 'scripts', 'test-lanes.mjs')
    const child = fork(script, ['--beside', '--output', output, folder], { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] })
    let out = ''
    child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()))
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    await until(() => /ok {2}\S*a\.spec\.ts/.test(out), 30_000, 'the other files have run')
    expect(existsSync(output), 'it waits').to.equal(false)
    child.send('quiet')
    expect(await ended).to.equal(0)
    expect((JSON.parse(readFileSync(output, 'utf8')) as Report).passed).to.equal(1)
  })

  it('ends with its processes and their servers when whoever started it is gone', async () => {
    const keep = `require('node:fs').writeFileSync(\`\${__dirname}/pid\`, String(require('node:child_process').spawn('sleep', ['300']).pid))`
    spec('a', test('waits', `${keep}; await new Promise((resolve) => setTimeout(resolve, 300_000))`).replace(/\);$/, ').timeout(300_000);'))
    const script = join(packageRoot(), 'scripts', 'test-lanes.mjs')
    const child = fork(script, [folder], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    const ended = new Promise((resolve) => child.on('exit', resolve))
    const pid = join(folder, 'pid')
    await until(() => existsSync(pid) && readFileSync(pid, 'utf8') !== '', 30_000, 'its test runs')
    child.disconnect()
    expect(await ended).to.equal(1)
    await until(() => !runs(Number(readFileSync(pid, 'utf8'))), 10_000, 'its server has ended')
  })

  it('says of each file how long it took, and the processor time of its process and its programs', async () => {
    const burn = 'for (let { user } = process.cpuUsage(); process.cpuUsage().user - user < 300_000; ) for (let n = 0; n < 1e6; n++);'
    const program = `require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(burn)}])`
    spec('a', test('works', `${burn} ${program}`))
    spec('b', test('waits', 'await new Promise((resolve) => setTimeout(resolve, 600))'))
    const { report } = await run('--lanes', '1')
    const [works, waits] = ['a', 'b'].map((name) => report.files[join(folder, `${name}.spec.ts`)] ?? expect.fail(name))
    expect(works?.cpuMs).to.be.at.least(process.platform === 'linux' ? 590 : 290)
    expect(waits?.ms).to.be.at.least(590)
    expect(waits?.cpuMs).to.be.at.most(590)
  })

  it('fails a test during which a promise is rejected that nobody handles', async () => {
    spec(
      'a',
      test('careless', "Promise.reject(new Error('lost')); await new Promise((resolve) => setTimeout(resolve, 50))"),
      test('right', ''),
    )
    const { report } = await run()
    expect(report.failed.map(({ title, error }) => [title, error.includes('lost')])).to.deep.equal([['careless', true]])
  })

  it('a file that leaves something in the folder for temporary files fails, and the next finds the folder empty', async () => {
    const [fs, os] = ["require('node:fs')", "require('node:os').tmpdir()"]
    spec('a', test('careless', `${fs}.mkdtempSync(${os} + '/left-'); ${fs}.writeFileSync(${os} + '/file', '')`))
    spec('b', test('finds nothing', `require('node:assert').deepEqual(${fs}.readdirSync(${os}), [])`))
    spec('c', test('goes in a moment', `${fs}.writeFileSync(${os} + '/file', ''); setTimeout(() => ${fs}.rmSync(${os} + '/file'), 100)`))
    const { report } = await run('--lanes', '1')
    expect(report.passed).to.equal(3)
    expect(report.failed).to.have.length(1)
    expect(report.failed[0]?.file).to.match(/a\.spec\.ts$/)
    expect(report.failed[0]?.title).to.equal('the file left something in the folder for temporary files')
    expect(report.failed[0]?.error.split(' ').map((name) => name.replace(/-\w{6}$/, '-'))).to.deep.equal(['file', 'left-'])
  })

  it('every file that runs alone or first is there', async () => {
    const plan = (await import(pathToFileURL(join(packageRoot(), 'scripts', 'test-plan.mjs')).href)) as Record<'ALONE' | 'FIRST', string[]>
    const named = [...plan.ALONE, ...plan.FIRST]
    expect(named.filter((file) => !existsSync(join(packageRoot(), file)))).to.deep.equal([])
    expect(new Set(named).size, 'each once').to.equal(named.length)
  })

  it('files that took longest begin first; of those that never ran, the ones that are named', async () => {
    interface Plan {
      readonly FIRST: readonly string[]
      readonly longestFirst: (files: readonly string[], nameOf: (file: string) => string, times: Record<string, number>) => string[]
      readonly recorded: (file: string) => Record<string, number>
    }
    const plan: unknown = await import(pathToFileURL(join(packageRoot(), 'scripts', 'test-plan.mjs')).href)
    const { FIRST, longestFirst, recorded } = plan as Plan
    const named = FIRST[0] ?? expect.fail('no file is named')
    const name = (file: string): string => file.replace(/\.js$/, '.ts')
    const files = ['new.js', 'quick.js', 'slow.js', name(named).replace(/\.ts$/, '.js'), 'slowest.js']
    const order = longestFirst(files, name, { 'quick.ts': 20, 'slow.ts': 9_000, 'slowest.ts': 90_000 })
    expect(order.map(name)).to.deep.equal(['slowest.ts', named, 'slow.ts', 'new.ts', 'quick.ts'])
    const file = join(folder, 'times.json')
    expect(recorded(file), 'before the first run').to.deep.equal({})
    writeFileSync(file, '{ "a.ts": 12, "b.ts": "12" }')
    expect(recorded(file)).to.deep.equal({ 'a.ts': 12 })
    writeFileSync(file, '{ "a.ts": 1')
    expect(recorded(file), 'of a run that was stopped').to.deep.equal({})
  })

  it('two processes a processor run tests, one on one processor, and fewer where memory is short', async () => {
    const plan: unknown = await import(pathToFileURL(join(packageRoot(), 'scripts', 'test-plan.mjs')).href)
    const { lanesFor } = plan as { lanesFor: (cores: number, bytes: number) => number }
    const gib = 2 ** 30
    const expected = [
      [1, 64, 1],
      [2, 64, 4],
      [2, 4, 2],
      [2, 1, 1],
      [4, 16, 8],
      [16, 16, 10],
    ] as const
    for (const [cores, memory, lanes] of expected) expect(lanesFor(cores, memory * gib), `${cores} with ${memory} GiB`).to.equal(lanes)
  })

  it('of a file of a long suite the named tests run, the others are counted, and a name without a test fails', async () => {
    const empty = join(folder, 'empty')
    mkdirSync(empty)
    const lane = fork(join(packageRoot(), 'scripts', 'test-lane.mjs'), ['20000'], { env: { ...process.env, TMPDIR: empty } })
    const path = join(folder, 'a.spec.cjs')
    writeFileSync(
      path,
      [test('loses nothing (a)', ''), test('is slow', 'throw new Error("it was left out")'), test('is slower', '')].join('\n'),
    )
    try {
      const reported = async (only: readonly string[] | null): Promise<LaneReport> => {
        const report = new Promise<LaneReport>((resolve) =>
          lane.on('message', (message: LaneReport | { readonly progress: true }) => void ('progress' in message || resolve(message))),
        )
        lane.send({ file: path, only })
        return await report
      }
      const { passed, left, failed } = await reported(['nothing (a)', 'is gone'])
      expect({ passed, left }).to.deep.equal({ passed: 1, left: 2 })
      expect(failed.map(({ title }) => title)).to.deep.equal(['scripts/long-suites.mjs names a test that the file does not have: is gone'])
    } finally {
      lane.kill('SIGKILL')
    }
  })

  it('every file of a long suite is there and has a test that npm test runs', async () => {
    const { LONG_SUITES, SMOKE } = await suites()
    const files = Object.values(LONG_SUITES).flatMap((each) => Object.keys(each.files))
    expect(Object.keys(SMOKE), 'a file in one suite only').to.have.length(files.length)
    for (const [file, phrases] of Object.entries(SMOKE)) {
      expect(existsSync(join(packageRoot(), file)), file).to.equal(true)
      expect(phrases, file).not.to.have.length(0)
    }
  })

  it('the quick tests are those that start no server, program or thread, by what their sources import', async () => {
    interface Quick {
      quickSpecs: (root: string) => string[]
      startsSomething: (source: string) => boolean
    }
    const quick = (await import(pathToFileURL(join(packageRoot(), 'scripts', 'quick-specs.mjs')).href)) as Quick
    const files = quick.quickSpecs(packageRoot())
    expect(files).to.include.members([
      'test/core/runtime/semaphore.spec.ts',
      'test/core/limits/limits.spec.ts',
      'test/core/sdk/schema.spec.ts',
    ])
    for (const slow of [
      'core/redis/gateway',
      'core/limits/redis-rate',
      'core/files/s3',
      'core/dispatch/http',
      'core/exec/run',
      'core/outbound/web',
      'capstan/cli/doctor',
      'capstan/cli/beside-gateway',
      'capstan/cli/start-problems',
    ]) {
      const file = `test/${slow}.spec.ts`
      expect(existsSync(join(packageRoot(), file)), file).to.equal(true)
      expect(files).not.to.include(file)
    }
    for (const line of [
      "import { createServer } from 'node:http'",
      "import {\n  startGateway,\n} from '../support/gateway.js'",
      "import 'node:net'",
    ])
      expect(quick.startsSomething(`import { expect } from 'chai'\n${line}\n`), line).to.equal(true)
    for (const line of [
      "import type { Server } from 'node:http'",
      "import { bench } from '../../support/unit.js'",
      "const text = 'node:http'",
    ])
      expect(quick.startsSomething(`import { expect } from 'chai'\n${line}\n`), line).to.equal(false)
  })

  it('two processes share the files', async () => {
    for (const name of ['a', 'b', 'c', 'd'])
      spec(
        name,
        test(
          'waits',
          'await new Promise((resolve) => setTimeout(resolve, 1000)); require("node:fs").appendFileSync(`${__dirname}/pids`, `${process.pid}\\n`)',
        ),
      )
    const { report } = await run('--lanes', '2')
    expect(report.passed).to.equal(4)
    expect(new Set(readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n')).size).to.equal(2)
  })
})
