import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { packageRoot } from '../../core/runtime/root.js'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { pages, source } from '../support/pages.js'

const run = promisify(execFile)
const LIBRARIES = { python: join(packageRoot(), 'clients/python/src'), typescript: join(packageRoot(), 'clients/typescript/src') }
const PYTHON = join(packageRoot(), '.venv/bin/python')
const capabilityPages = pages().filter((path) => path.startsWith('docs/capabilities/'))

/** Calls every example and says as JSON where each request went; no server is called. */
const CALLS = `
import json, sys, httpx
from capstan_client import Capstan
paths = []
def answer(request):
    paths.append(request.url.path)
    return httpx.Response(200, json={"success": True, "data": {}, "error": None, "metadata": {"request_id": "r"}, "credits_used": 1})
client = Capstan(api_key="cap_test", http_client=httpx.Client(transport=httpx.MockTransport(answer)))
for code in json.load(sys.stdin):
    exec(code, {"client": client})
print(json.dumps(paths))
`

/** The first example of a page in a language. */
function example(page: string, language: 'python' | 'ts'): string {
  return new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(source(page))?.[1] ?? ''
}

describe('examples for the client libraries', function () {
  this.timeout(120_000)
  let gateway: TestGateway
  let site: Running
  let folder: string

  before(async () => {
    site = await httpServer((_, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(
          '<title>Example Domain</title><h1>Example Domain</h1><p>This domain is for use in documentation examples without permission.</p>',
        ),
    )
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` } })
    folder = await mkdtemp(join(tmpdir(), 'capstan-clients-'))
  })
  after(async () => {
    await gateway?.close()
    await site?.close()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  const surroundings = (): Record<string, string | undefined> => {
    const { HOME, PATH } = process.env
    return {
      HOME,
      PATH,
      CAPSTAN_API_KEY: gateway.key,
      CAPSTAN_URL: gateway.url,
      PYTHONPATH: LIBRARIES.python,
      PYTHONDONTWRITEBYTECODE: '1',
    }
  }
  const onSite = (code: string): string => code.replaceAll('https://example.com', site.url)

  it('README: Python prints the title and the credits', async () => {
    const { stdout } = await run(PYTHON, ['-c', onSite(example('README.md', 'python'))], { env: surroundings() })
    expect(stdout).to.equal('Example Domain 1\n')
  })

  it('README: TypeScript prints the title and the credits', async () => {
    const library = join(folder, 'node_modules/@capstan/client')
    await mkdir(library, { recursive: true })
    const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
    for (const name of readdirSync(LIBRARIES.typescript)) {
      const { outputText } = ts.transpileModule(source(`clients/typescript/src/${name}`), { compilerOptions: options })
      await writeFile(join(library, name.replace(/\.ts$/, '.js')), outputText)
    }
    await writeFile(join(library, 'package.json'), '{"type":"module","exports":"./index.js"}')
    const { outputText } = ts.transpileModule(onSite(example('README.md', 'ts')), { compilerOptions: options })
    await writeFile(join(folder, 'first.mjs'), outputText)
    const { stdout } = await run(process.execPath, ['first.mjs'], { cwd: folder, env: surroundings() })
    expect(stdout).to.equal('Example Domain 1\n')
  })

  it('pages of capabilities: Python calls the path of the capability', async () => {
    const paths = capabilityPages.map((page) => /^`POST ([^`]+)`/m.exec(source(page))?.[1])
    const codes = JSON.stringify(capabilityPages.map((page) => example(page, 'python')))
    const running = run(PYTHON, ['-c', CALLS], { env: surroundings() })
    running.child.stdin?.end(codes)
    expect(JSON.parse((await running).stdout)).to.deep.equal(paths)
  })

  it('pages of capabilities and README: TypeScript passes the compiler strictly', async () => {
    const calls = capabilityPages.map((page) => `{ ${example(page, 'ts')} }`)
    const head = "import { Capstan } from '@capstan/client'\nconst client = new Capstan({ apiKey: 'cap_test' })\n"
    await writeFile(join(folder, 'calls.ts'), `${head}${calls.join('\n')}\n`)
    await writeFile(join(folder, 'first.ts'), example('README.md', 'ts'))
    const compilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: true, module: 'esnext', moduleResolution: 'bundler', target: 'es2022' },
      ...{ lib: ['es2023'], types: ['node'], typeRoots: [join(packageRoot(), 'node_modules/@types')] },
      paths: { '@capstan/client': [join(LIBRARIES.typescript, 'index.ts')] },
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['calls.ts', 'first.ts'] }))
    const tsc = join(packageRoot(), 'node_modules/typescript/bin/tsc')
    await run(process.execPath, [tsc, '-p', folder]).catch((error: unknown) => {
      throw new Error(error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error))
    })
  })
})
