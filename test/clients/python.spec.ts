import { expect } from 'chai'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import sinon from 'sinon'
import { packageRoot } from '../../core/runtime/root.js'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { notMeasured, programPath, skip } from '../support/needs.js'
import { gatedParams } from '../support/shipped/calls.js'
import { ShippedWorld } from '../support/shipped/world.js'
import { Stage } from '../support/stage.js'

const LIBRARY = join(packageRoot(), 'clients', 'python')
const ENVIRONMENT = join(packageRoot(), '.venv')
const PYTHON = join(ENVIRONMENT, 'bin', 'python')
const OLDEST = 9
const NEWEST = 20

/** Minor version of an interpreter of Python 3; null when it does not start. */
function minorOf(program: string): number | null {
  const said = spawnSync(program, ['-c', 'import sys; print(sys.version_info[1])'], { encoding: 'utf8' })
  return said.status === 0 ? Number(said.stdout) : null
}

/** The oldest and the newest interpreter that runs here, other than the one of the environment, by minor version. */
function others(own: number | null): [number, string][] {
  const shims = process.env.PYENV_ROOT ?? join(homedir(), '.pyenv')
  const found: [number, string][] = []
  for (let minor = OLDEST; minor <= NEWEST; minor++) {
    const program = programPath(`python3.${String(minor)}`, versionsIn(join(shims, 'versions'), minor))
    if (program !== null && minor !== own && minorOf(program) === minor) found.push([minor, program])
  }
  return found.filter((_, at) => at === 0 || at === found.length - 1)
}

/** Folders of programs that pyenv has of a version. */
function versionsIn(folder: string, minor: number): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.startsWith(`3.${String(minor)}.`))
    return names.map((name) => join(folder, name, 'bin'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Runs the suite of the library; resolves with its last line, rejects with all that it said. */
async function suite(python: string, env: Readonly<Record<string, string>>, started: Set<ChildProcess>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-pytest-'))
  return await new Promise<string>((resolve, reject) => {
    const surroundings = Object.entries(process.env).filter(([name]) => !/^(?:CAPSTAN|PYTHON|PYTEST|PIP|VIRTUAL_ENV)/.test(name))
    const ran = spawn(python, ['-m', 'pytest', '--tb=short', '-p', 'no:cacheprovider', `--basetemp=${join(folder, 'files')}`], {
      cwd: LIBRARY,
      env: { ...Object.fromEntries(surroundings), PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    started.add(ran)
    let said = ''
    for (const stream of [ran.stdout, ran.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
    ran.once('error', reject)
    ran.once('close', (code) => {
      started.delete(ran)
      if (code === 0) resolve(said.trim().split('\n').at(-1) ?? '')
      else reject(new Error(`pytest ended with ${String(code)}:\n${said}`))
    })
  }).finally(() => rmSync(folder, { recursive: true, force: true }))
}

/** The requests by which the tests of the library control the provider of the stage: GET /state, POST /release, /resume, /fault, /until. */
async function control(stage: Stage, gateway: TestGateway): Promise<{ url: string; close: () => Promise<void> }> {
  const { accounts } = gateway.app.services.store
  const acts: Readonly<Record<string, (order: Record<string, unknown>) => unknown>> = {
    '/state': () => ({ waiting: stage.waiting, aborted: stage.aborted, texts: stage.texts }),
    '/release': () => stage.release(),
    '/resume': () => ['one', 'two'].forEach((vendor) => gateway.app.services.suspensions.resume(`test.echo/${vendor}`)),
    '/fault': ({ broken }) => (broken === true ? sinon.stub(accounts, 'get').rejects(new TypeError('the test said so')) : sinon.restore()),
    '/until': ({ what, count, text }) => {
      if (what === 'waiting') return stage.until(() => stage.waiting >= Number(count))
      if (what === 'aborted') return stage.until(() => stage.aborted.includes(String(text)))
      throw new TypeError(`nobody waits for ${String(what)} here`)
    },
  }
  const server = createServer((request, response) => {
    const answer = async (): Promise<unknown> => {
      let text = ''
      for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
      return await acts[request.url ?? '']?.(text === '' ? {} : (JSON.parse(text) as Record<string, unknown>))
    }
    answer().then(
      (value) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value ?? {})),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${String(port)}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

describe('the Python client', function () {
  this.timeout(300_000)
  const stage = new Stage()
  let world: ShippedWorld
  let shipped: TestGateway
  let staged: TestGateway
  let controlled: Awaited<ReturnType<typeof control>>
  /** Suites that run: a test that took too long leaves none behind. */
  const running = new Set<ChildProcess>()
  const own = minorOf(PYTHON)

  before(async function () {
    const tools = spawnSync(PYTHON, ['-c', 'import pytest, mypy, build, httpx, typing_extensions'], { encoding: 'utf8' })
    if (tools.status !== 0) skip(this, 'test/requirements.txt is not installed in .venv')
    world = await ShippedWorld.start()
    shipped = await startGateway(world.options('gated'))
    staged = await startGateway({
      env: {
        CAPSTAN_LIMIT_ADDRESS_PER_MINUTE: '1000000',
        CAPSTAN_LIMIT_ANSWER: '4000',
        CAPSTAN_LIMIT_FAILED_LOGINS: '1000',
        CAPSTAN_LIMIT_UPLOAD: '1048576',
      },
      script: { 'test.echo': [stage.vendor('one'), stage.vendor('two')], 'test.send': [stage.vendor('asleep', { state: 'dormant' })] },
    })
    controlled = await control(stage, staged)
  })
  after(async () => {
    for (const child of running) child.kill('SIGKILL')
    sinon.restore()
    await controlled?.close()
    await Promise.all([staged?.close(), shipped?.close()])
    await world?.close()
  })

  /** The environment of the library's tests. A different `n` makes different calls, so that no cached value answers them. */
  const environment = (n: number): Record<string, string> => ({
    CAPSTAN_TEST_WORLD: JSON.stringify({
      shipped: shipped.url,
      stage: staged.url,
      admin: shipped.adminToken,
      control: controlled.url,
      site: `${world.gate.url}/site/${String(n)}`,
      calls: Object.fromEntries(
        [...shipped.app.services.registry().capabilities].map(([id, loaded]) => [id, gatedParams(loaded, world, n)]),
      ),
    }),
  })

  it('passes its own suite, is built, installed and used, and its types hold', async () => {
    const line = await suite(PYTHON, { ...environment(1), CAPSTAN_TEST_TOOLS: '1', PYTHONPATH: join(LIBRARY, 'src') }, running)
    console.log(`      Python 3.${String(own)}: ${line}`)
    expect(line)
      .to.match(/^\d+ passed/)
      .and.not.contain('skipped')
  })

  for (const end of ['oldest', 'newest'] as const)
    it(`passes it on the ${end} other Python that is installed`, async function () {
      const [first, last = first] = others(own)
      const [minor, python] = (end === 'oldest' ? first : last) ?? notMeasured(this, 'this machine has one Python')
      const [packages = ''] = readdirSync(join(ENVIRONMENT, 'lib')).map((name) => join(ENVIRONMENT, 'lib', name, 'site-packages'))
      const line = await suite(python, { ...environment(minor), PYTHONPATH: [join(LIBRARY, 'src'), packages].join(delimiter) }, running)
      console.log(`      Python 3.${String(minor)}: ${line}`)
      expect(line).to.match(/^\d+ passed/)
    })
})
