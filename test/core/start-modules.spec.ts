import { expect } from 'chai'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '../../core/runtime/root.js'
import { SDK_VERSION } from '../../core/sdk/index.js'
import { startGateway } from '../../scripts/gateway/start.js'

/** Modules that a start may evaluate, of this project and of packages. Raise it only with a reason: each takes time and memory. */
const MOST_MODULES = 2_150
/** Files that it may load. Each takes a millisecond or two: packages that every start needs belong into the bundle. */
const MOST_FILES = 150
/** Packages that only some calls or settings need. */
const AT_FIRST_USE = [
  'ai',
  'csv-parse',
  'fast-xml-parser',
  'file-type',
  'htmlparser2',
  'ioredis',
  'jiti',
  'koa-body',
  'libphonenumber-js',
  'linkedom',
  'mongoose',
  'playwright-core',
  'quickjs-emscripten',
  're2js',
  'sharp',
  'tldts',
  'turndown',
  'unpdf',
  'yaml',
  'zod',
]
/** Files of this project that only some calls need. */
const WITH_FIRST_CALL = [
  'plugins/browser/visit.js',
  'plugins/sites/intel.js',
  'plugins/sites/parts/local.js',
  'plugins/emails/verify/verify-address.js',
  'plugins/research/run.js',
  'plugins/sounds/local.js',
  'plugins/playground/proposed.js',
  'scripts/capstan/mcp/server.js',
]

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly { readonly functionName: string; readonly ranges: readonly { readonly count: number }[] }[]
  }[]
}

/** What the main thread of a process loaded, by the coverage that Node writes when it ends: files, and modules that the bundle evaluated. */
async function loaded(folder: string): Promise<{ files: string[]; modules: string[] }> {
  const reports = await Promise.all(
    (await readdir(folder)).map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as Coverage),
  )
  const scripts = reports.map(({ result }) => result).find((all) => all.some(({ url }) => url.endsWith('/bundle/modules.js'))) ?? []
  // esbuild puts what evaluates a module into a function with the path of its file as the name.
  const ran = scripts.flatMap(({ functions }) => functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
  return {
    files: scripts.map(({ url }) => url).filter((url) => url.startsWith('file:')),
    modules: [...new Set(ran.map(({ functionName }) => functionName))].filter((name) => /\/.*\.[cm]?js$/.test(name)),
  }
}

describe('what a start loads', () => {
  let folder: string
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'capstan-loaded-'))))
  afterEach(async () => await rm(folder, { recursive: true, force: true }))
  const started = async (plugins: string) => {
    const coverage = join(folder, 'coverage')
    const env = { NODE_V8_COVERAGE: coverage, CAPSTAN_PLUGINS: plugins }
    const gateway = await startGateway({ upstream: 'http://127.0.0.1:9', discardsLog: true, env })
    await gateway.stop()
    return await loaded(coverage)
  }

  it('a gateway with default settings has few files until its first call, and no package that only some calls need', async () => {
    const { files, modules } = await started('')
    expect(modules).to.have.length.greaterThan(500)
    const ofPackage = (name: string): string[] => [...files, ...modules].filter((path) => path.includes(`node_modules/${name}/`))
    expect(AT_FIRST_USE.filter((name) => ofPackage(name).length > 0)).to.deep.equal([])
    expect(WITH_FIRST_CALL.filter((path) => modules.includes(path))).to.deep.equal([])
    expect(files.length).to.be.at.most(MOST_FILES)
    expect(modules.length).to.be.at.most(MOST_MODULES)
  }).timeout(60_000)

  it('plugins of other folders, in JavaScript and TypeScript, get the copy of the sdk and of contracts that the gateway has', async () => {
    for (const language of ['js', 'ts']) {
      await mkdir(join(folder, 'plugins', language), { recursive: true })
      await writeFile(
        join(folder, 'plugins', language, `index.${language}`),
        `import { plugin } from 'capstan/sdk'
import { serp } from 'capstan/contracts/search'
export const it = plugin({ name: '${language}', version: '1.0.0', sdk: ${String(SDK_VERSION)}, title: serp.id })
`,
      )
    }
    const { files } = await started(join(folder, 'plugins'))
    expect(files.filter((url) => url.includes(`${folder}/plugins/js/index.js`))).to.have.length(1)
    const build = pathToFileURL(join(packageRoot(), 'dist')).href
    const ofBuild = files.filter((url) => url.startsWith(build)).map((url) => url.slice(build.length))
    expect(ofBuild.sort()).to.deep.equal([
      '/bundle/core/sdk/index.js',
      '/bundle/modules.js',
      '/bundle/plugins/search/contract.js',
      '/capstan.js',
    ])
  }).timeout(60_000)

  it('a text in which V8 keeps each character in one byte', async () => {
    const text = await readFile(join(packageRoot(), 'dist', 'bundle', 'modules.js'))
    expect(text.findIndex((byte) => byte > 0x7f)).to.equal(-1)
  })
})
