import { expect } from 'chai'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway } from '../../scripts/gateway/start.js'

/** Files that a start may load, of this project and of packages. Raise it only with a reason: each is half a millisecond and some kB. */
const MOST_FILES = 2_150
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
  readonly result: readonly { readonly url: string }[]
}

/** The files that the main thread of a process loaded, by the coverage that Node writes when it ends. */
async function loadedFiles(folder: string): Promise<string[]> {
  const reports = await Promise.all(
    (await readdir(folder)).map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as Coverage),
  )
  const urls = reports.map(({ result }) => result.map(({ url }) => url).filter((url) => url.startsWith('file:')))
  return urls.find((each) => each.some((url) => url.endsWith('/core/main.js'))) ?? []
}

describe('what a start loads', () => {
  it('a gateway with default settings has few files until its first call, and no package that only some calls need', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'capstan-loaded-'))
    try {
      const env = { NODE_V8_COVERAGE: folder, CAPSTAN_PLUGINS: '' }
      const gateway = await startGateway({ upstream: 'http://127.0.0.1:9', discardsLog: true, env })
      await gateway.stop()
      const files = await loadedFiles(folder)
      expect(files).to.have.length.greaterThan(500)
      const ofPackage = (name: string): string[] => files.filter((url) => url.includes(`/node_modules/${name}/`))
      expect(AT_FIRST_USE.filter((name) => ofPackage(name).length > 0)).to.deep.equal([])
      expect(WITH_FIRST_CALL.filter((path) => files.some((url) => url.endsWith(`/${path}`)))).to.deep.equal([])
      expect(files.length).to.be.at.most(MOST_FILES)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }).timeout(60_000)
})
