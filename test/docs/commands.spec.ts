import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import type { Registry } from '../../core/loader/types.js'
import { packageRoot } from '../../core/runtime/root.js'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { parseParameters } from '../../scripts/capstan/cli/parameters.js'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { commandsOf } from '../support/page-commands.js'
import { pages, source } from '../support/pages.js'
import { shippedRegistry } from '../support/shipped-registry.js'

const run = promisify(execFile)

/** Commands that this file does not run, with the reason and what holds them instead. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/^git clone <this repository>/, 'the address of the repository is not known here'],
  [/^npm start$/, 'test/capstan/cli/first-start.spec.ts runs what it starts'],
  [/^export CAPSTAN_API_KEY=cap_…$/, 'sets the variable that the others read'],
  [/^docker /, 'no container service here; test/deploy holds the files and options'],
  [/^claude mcp add /, 'Claude Code is not installed here; test/http/mcp calls the endpoint'],
  [/^capstan store move /, 'test/capstan/cli/store-move.spec.ts moves a ledger'],
  [/^\.\/capstan (?:provider new|plugin test) /, 'test/capstan/cli/new.spec.ts writes a provider and tests it'],
]

const isElsewhere = (command: string): boolean => ELSEWHERE.some(([pattern]) => pattern.test(command))
const ownPages = pages().filter((path) => path === 'README.md' || (path.startsWith('docs/') && !path.startsWith('docs/capabilities/')))
const capabilityPages = pages().filter((path) => path.startsWith('docs/capabilities/'))

describe('commands on README and docs', function () {
  this.timeout(120_000)
  let gateway: TestGateway
  let site: Running
  let folder: string

  before(async () => {
    site = await httpServer((_, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(
          '<title>Example Domain</title><h1>Example Domain</h1><p>This domain is for use in documentation examples without permission. Learn how it may be used.</p>',
        ),
    )
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` } })
    folder = await mkdtemp(join(tmpdir(), 'capstan-commands-'))
    await writeFile(
      join(folder, 'page.html'),
      '<title>A page</title><h1>A page</h1><p>Some words of a page that is uploaded by a command of the documentation.</p>',
    )
  })
  after(async () => {
    await gateway?.close()
    await site?.close()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  /** Runs a command of a page in a shell, against the gateway and the site of this file in place of the default ones. */
  const shell = async (command: string): Promise<string> => {
    const here = command
      .replaceAll('http://127.0.0.1:8420', gateway.url)
      .replaceAll('https://example.com', site.url)
      .replaceAll('./capstan ', `"${process.execPath}" "${join(packageRoot(), 'dist/capstan.js')}" `)
    const { HOME, PATH, TMPDIR } = process.env
    const env = { HOME, PATH, TMPDIR, CAPSTAN_API_KEY: gateway.key, CAPSTAN_URL: gateway.url, CAPSTAN_DATA: gateway.folder, NO_COLOR: '1' }
    const { stdout } = await run('bash', ['-c', here], { cwd: folder, env, timeout: 60_000 })
    return stdout
  }

  it('are all run here, or named with the reason why not', () => {
    const commands = ownPages.flatMap(commandsOf)
    const runHere = commands.filter(({ command }) => !isElsewhere(command))
    expect(
      runHere.filter(({ command }) => !/^(?:curl -s|\.\/capstan (?:run|doctor|config check|accounts|credits|keys)\b)/.test(command)),
    ).to.deep.equal([])
    expect(runHere.length).to.be.at.least(16)
    expect(
      ELSEWHERE.filter(([pattern]) => !commands.some(({ command }) => pattern.test(command))).map(([, reason]) => reason),
    ).to.deep.equal([])
  })

  for (const { page, command } of ownPages.flatMap(commandsOf).filter(({ command }) => !isElsewhere(command)))
    it(`${page}: ${command.slice(0, 100)}`, async () => {
      const output = await shell(command)
      if (!command.startsWith('curl')) return expect(output.trim()).not.to.equal('')
      const { success, ...rest } = answerOf(output)
      if (success === undefined) expect(rest, output).to.satisfy((value: object) => 'credits' in value || 'result' in value)
      else expect(success, output).to.equal(true)
    })

  it('answer what the README and docs/api.md show', async () => {
    const page = answerOf(await shell(commandsOf('README.md').find(({ command }) => command.startsWith('curl'))?.command ?? ''))
    expect(page).to.have.nested.property('data.title', 'Example Domain')
    expect(page).to.include({ success: true, error: null, credits_used: 1 })
    const code = answerOf(await shell(commandsOf('docs/api.md')[0]?.command ?? ''))
    expect(code).to.have.nested.property('data.stdout', '42\n')
    const [, shown = '{}'] = /## Answers\n\n```json\n(.*?)```/s.exec(source('docs/api.md')) ?? []
    const example = JSON.parse(shown) as { data: object; metadata: object }
    expect(code).to.have.property('data').that.has.all.keys(Object.keys(example.data))
    expect(code).to.have.property('metadata').that.includes.all.keys(Object.keys(example.metadata))
  })
})

/** The JSON of an answer; of an event stream that of its last event. */
function answerOf(output: string): Record<string, unknown> {
  const last = output.startsWith('event:') || output.startsWith(':') ? (output.split('\ndata: ').at(-1) ?? '') : output
  return JSON.parse(last) as Record<string, unknown>
}

describe('examples on the pages of capabilities', function () {
  this.timeout(60_000)
  let gateway: TestGateway
  let registry: Registry
  let folder: string
  before(async () => {
    registry = await shippedRegistry()
    gateway = await startGateway({ bundled: true })
    folder = await mkdtemp(join(tmpdir(), 'capstan-examples-'))
  })
  after(async () => {
    await gateway?.close()
    await registry?.dispose()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  it('have one for curl and one for the command line, which a shell reads as the parameters of the contract', async () => {
    expect(capabilityPages).to.have.length(registry.capabilities.size)
    const all = capabilityPages.flatMap(commandsOf)
    // The shell takes the commands apart; nothing of them runs.
    const script = [
      String.raw`each() { printf '%s\0' "$@"; printf '\n'; }`,
      ...all.map(({ command }) => command.replace(/^curl |^\.\/capstan /, (word) => `each ${word.trim()} `)),
    ].join('\n')
    await writeFile(join(folder, 'examples.sh'), script)
    const { stdout } = await run('bash', ['examples.sh'], { cwd: folder, env: { CAPSTAN_API_KEY: 'cap_test' } })
    const argued = stdout
      .split('\0\n')
      .slice(0, -1)
      .map((line) => line.split('\0'))
    expect(argued).to.have.length(all.length)
    for (const [at, words] of argued.entries()) {
      const id = /capabilities\/(.*)\.md/.exec(all[at]?.page ?? '')?.[1] ?? ''
      const loaded = registry.capabilities.get(id)
      const params = loaded?.capability.examples[0]?.params
      if (words[0] === 'curl') {
        expect(words.slice(1, 7), id).to.deep.equal([
          '-s',
          `http://127.0.0.1:8420${loaded?.capability.path ?? ''}`,
          '-H',
          'Authorization: Bearer cap_test',
          '-H',
          'Content-Type: application/json',
        ])
        expect(JSON.parse(words[8] ?? ''), id).to.deep.equal(params)
      } else {
        expect(words.slice(0, 3), id).to.deep.equal(['./capstan', 'run', id])
        expect(parseParameters(words.slice(3), loaded?.input.schema.properties ?? {}, folder), id).to.deep.equal(params)
      }
    }
    expect(argued.filter(([program]) => program === 'curl')).to.have.length(capabilityPages.length)
  })

  it('are accepted by a gateway: POST /v1/estimate checks them as a call would', async () => {
    const { key } = await gateway.newKey()
    for (const { capability } of registry.capabilities.values())
      for (const { params } of capability.examples) {
        const reply = await gateway.send('/v1/estimate', { method: 'POST', key, body: { capability: capability.id, params } })
        expect(reply.status, `${capability.id}: ${reply.text}`).to.equal(200)
      }
  })

  it('are valid Python and TypeScript', async () => {
    const blocks = (language: string): string[] =>
      capabilityPages.flatMap((page) =>
        [...source(page).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code = '']) => code),
      )
    const [python, typescript] = [blocks('python'), blocks('ts')]
    expect([python.length, typescript.length]).to.deep.equal([capabilityPages.length, capabilityPages.length])
    await writeFile(join(folder, 'examples.py'), python.join('\n'))
    await run('python3', ['-c', 'import ast, sys; ast.parse(open(sys.argv[1], encoding="utf-8").read())', join(folder, 'examples.py')])
    for (const code of typescript) {
      const { diagnostics = [] } = ts.transpileModule(code, {
        reportDiagnostics: true,
        compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
      })
      expect(
        diagnostics.map(({ messageText }) => messageText),
        code,
      ).to.deep.equal([])
    }
  })
})
