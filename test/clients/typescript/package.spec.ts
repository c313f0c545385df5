import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { createContext, runInContext } from 'node:vm'
import { join } from 'node:path'
import type { Capstan, CapstanError } from '../../../clients/typescript/src/index.js'
import { packageRoot } from '../../../core/runtime/root.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { Stage } from '../../support/stage.js'
import { spawned } from './support.js'

interface Exports {
  readonly Capstan: typeof Capstan
  readonly CapstanError: typeof CapstanError
}

const MOST_BYTES = 60_000
const SOURCE = join(packageRoot(), 'clients', 'typescript')

/** A program as a user writes it: what compiles in both kinds of modules. */
const USER = `
import { Capstan, RateLimitError, TargetBlockedError, type Data, type Params, type Result, type StreamEvent } from '@capstan/client'

export async function main(): Promise<void> {
  const client = new Capstan({ apiKey: 'cap_x', baseUrl: 'http://127.0.0.1:8420', timeout: 30, maxRetries: 1 })
  const page: Result<Data<'scrape'>> = await client.scrape({ url: 'https://example.com', mode: 'fast' })
  const title: string | null = page.data.title
  const status: string = (await client.verifyEmail({ email: 'first.last@example.com' })).data.status
  const found = await client.findEmails({ first_name: 'First', last_name: 'Last', domain: 'example.com' }, { idempotencyKey: 'mine' })
  const intel = await client.run('sites.intel', { domain: 'example.com', mode: 'dns' })
  const other = await client.run('brand.new', { any: ['thing'] })
  // @ts-expect-error the data of a capability unknown to the library has no type
  other.data.field
  const params: Params<'search'> = { query: 'heat pumps in winter', mode: 'ai', num_results: 5 }
  const answer: string | null = (await client.search(params, { signal: new AbortController().signal })).data.answer
  await client.images.removeBackground({ image_url: new Blob(['x']) })
  await client.invoices.parse({ document_url: new Uint8Array(1) })
  for await (const event of client.stream('research', { query: 'x', depth: 'deep' })) {
    if (event.event === 'progress') console.log(event.step, event.done)
    else console.log(event.result.data.sources.map(({ url }) => url), event.result.credits_used)
  }
  const dynamic: string = 'a' + 'b'
  const any: StreamEvent<unknown> | void = (await client.stream(dynamic, {}).next()).value
  for await (const call of client.calls.list({ days: 7 })) console.log(call.capability, call.credits_used)
  const key: string = (await client.keys.create({ name: 'x', scopes: ['search'] })).key
  const tool: string | undefined = (await client.tools('claude'))[0]?.name
  try {
    await client.domains({ mode: 'check-availability', domains: ['example.com'] })
  } catch (error) {
    if (error instanceof RateLimitError) console.log(error.retry_after_seconds)
    else if (error instanceof TargetBlockedError) console.log(error.slug, error.validation, error.attempts.map(({ provider }) => provider))
    else throw error
  }
  console.log(title, status, found.balance, intel.metadata.provider_used, answer, any, key, tool)
  // @ts-expect-error a mode that there is not
  await client.scrape({ url: 'https://example.com', mode: 'slow' })
  // @ts-expect-error a missing parameter
  await client.run('scrape', {})
  // @ts-expect-error a parameter that there is not
  await client.run('search', { query: 'x', colour: 'red' })
  // @ts-expect-error not a file
  await client.invoices.parse({ document_url: 7 })
  // @ts-expect-error an option that there is not
  await client.search({ query: 'x' }, { retries: 1 })
}
`
const CALL = `
const client = new Capstan({ defaultHeaders: { 'x-team': 'one' } })
const { data, credits_used } = await client.run('test.echo', { text: 'hello' })
const error = await client.run('test.echo', {}).catch((error) => error)
console.log(JSON.stringify([data, credits_used, error instanceof ValidationError, error.name, Capstan.name]))
`

describe('the package @capstan/client', function () {
  this.timeout(120_000)
  let folder: string
  let tarball: string
  let gateway: TestGateway
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-package-'))
    // A copy, so that a build beside this test changes nothing. It finds the compiler and its types as the folder itself does.
    const copy = join(folder, 'clients', 'typescript')
    cpSync(SOURCE, copy, { recursive: true, filter: (name) => !name.startsWith(join(SOURCE, 'dist')) })
    symlinkSync(join(packageRoot(), 'node_modules'), join(folder, 'node_modules'))
    npm(copy, ['pack', '--pack-destination', folder])
    tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
    mkdirSync(join(folder, 'user'))
    writeFileSync(join(folder, 'user', 'package.json'), '{"private":true}')
    npm(join(folder, 'user'), ['install', join(folder, tarball)])
    gateway = await startGateway({ script: { 'test.echo': [new Stage().vendor('one')] } })
  })
  after(async () => {
    await gateway.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const installed = () => join(folder, 'user', 'node_modules', '@capstan', 'client')

  it('has what it needs and nothing else, in at most 60 kB', () => {
    expect(tarball).to.equal('capstan-client-0.1.0.tgz')
    const files = (readdirSync(installed(), { recursive: true }) as string[]).filter((name) => statSync(join(installed(), name)).isFile())
    const bytes = files.reduce((sum, name) => sum + statSync(join(installed(), name)).size, 0)
    expect(files.filter((name) => !/\.(?:js|d\.ts)$/.test(name)).sort()).to.deep.equal([
      'LICENSE',
      'README.md',
      'dist/index.d.mts',
      'dist/index.mjs',
      'dist/package.json',
      'package.json',
    ])
    expect(bytes).to.be.at.most(MOST_BYTES)
    for (const name of ['dependencies', 'peerDependencies', 'optionalDependencies']) expect(about()).not.to.have.property(name)
    expect(readdirSync(join(folder, 'user', 'node_modules')).filter((name) => !name.startsWith('.'))).to.deep.equal(['@capstan'])
  })

  it('says the same version everywhere, and has the licence of the gateway', () => {
    const { version, license, engines } = about()
    expect(license).to.equal('Apache-2.0')
    expect(engines).to.deep.equal({ node: '>=18' })
    expect(readFileSync(join(SOURCE, 'CHANGELOG.md'), 'utf8')).to.include(`## ${String(version)}`)
    expect(readFileSync(join(SOURCE, 'src', 'transport.ts'), 'utf8')).to.include(`VERSION = '${String(version)}'`)
    expect(readFileSync(join(installed(), 'LICENSE'), 'utf8')).to.equal(readFileSync(join(packageRoot(), 'LICENSE'), 'utf8'))
  })

  it('works with what browsers and edge workers have, and nothing of Node: calls, steps and files', async () => {
    const text = readFileSync(join(installed(), 'dist', 'client.js'), 'utf8')
    const [web, timers] = [
      { fetch, Headers, AbortController, TextDecoder, TextEncoder, URL, URLSearchParams, Blob, FormData, ReadableStream, performance },
      { setTimeout, clearTimeout },
    ]
    const worker = createContext({ ...web, ...timers })
    // As a module without exports of its own, which index.mjs hands on by their names.
    runInContext(text, worker)
    const { Capstan: Client, CapstanError: Failure } = runInContext("globalThis[Symbol.for('@capstan/client 0.1.0')]", worker) as Exports
    const [, names = ''] = /export const \{ (.*) \}/.exec(readFileSync(join(installed(), 'dist', 'index.mjs'), 'utf8')) ?? []
    expect(names.split(', ')).to.include.members(['Capstan', 'RateLimitError', 'Result'])
    expect(await failure(() => new Client())).to.be.instanceOf(Failure)
    const client = new Client({ apiKey: gateway.key, baseUrl: gateway.url })
    const steps: string[] = []
    const { data } = await client.run('test.echo', { text: 'step by step' }, { onProgress: ({ step }) => steps.push(step) })
    expect([data, steps]).to.deep.equal([{ text: 'step by step' }, ['working', 'finishing']])
    expect(await client.upload(new Blob(['abc']))).to.include({ file_size: 3 })
    expect(String(await failure(() => client.upload('a.txt')))).to.include('CapstanError')
    expect(String(await failure(() => client.download(`${gateway.url}/llms.txt`, 'a.txt')))).to.include('WritableStream')
  })

  for (const [kind, extension, head] of [
    ['a module', 'mjs', "import { Capstan, ValidationError } from '@capstan/client'"],
    ['CommonJS', 'cjs', "const { Capstan, ValidationError } = require('@capstan/client')"],
  ] as const)
    it(`is used from ${kind}`, async () => {
      const body = extension === 'cjs' ? `${head}\nvoid (async () => {${CALL}})()` : `${head}\n${CALL}`
      writeFileSync(join(folder, 'user', `main.${extension}`), body)
      const env = { CAPSTAN_URL: gateway.url, CAPSTAN_API_KEY: gateway.key }
      const { out, err } = await spawned([`main.${extension}`], { cwd: join(folder, 'user'), env })
      expect(err).to.equal('')
      expect(JSON.parse(out)).to.deep.equal([{ text: 'hello' }, 1, true, 'ValidationError', 'Capstan'])
    })

  it("a user's program compiles with tsc --strict as a module and as CommonJS, and what is wrong in it does not", () => {
    const files = ['typed.mts', 'typed.cts']
    for (const name of files) writeFileSync(join(folder, 'user', name), USER)
    const options = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom']
    const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [compiler, ...options, '--module', 'nodenext', ...files], {
      cwd: join(folder, 'user'),
      encoding: 'utf8',
    })
    expect(stdout).to.equal('')
  })

  async function failure(work: () => unknown): Promise<unknown> {
    try {
      return await work()
    } catch (error) {
      return error
    }
  }

  function about(): Record<string, unknown> {
    return JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8')) as Record<string, unknown>
  }

  /** Runs npm without network and without what a run of npm around this test has set. */
  function npm(cwd: string, args: readonly string[]): void {
    const script = process.env['npm_execpath'] ?? join(process.execPath, '..', '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js')
    const [command, first] = existsSync(script) ? [process.execPath, [script]] : ['npm', []]
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
    const flags = ['--offline', '--no-audit', '--no-fund', '--no-update-notifier', '--cache', join(folder, 'cache')]
    const { status, stdout, stderr } = spawnSync(command, [...first, ...args, ...flags], { cwd, env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stdout}${stderr}`)
  }
})
