import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { packageRoot } from '../../core/runtime/root.js'
import { tsconfigFile } from '../../scripts/capstan/kit/scaffold/templates.js'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { index } from '../support/loader-texts.js'
import { load, PluginFolder } from '../support/loader.js'
import { PLUGIN_PAGES, source } from '../support/pages.js'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'

const firstParty = fileURLToPath(new URL('../../plugins', import.meta.url))
const run = promisify(execFile)
const page = PLUGIN_PAGES.map(source).join('\n')
const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
/** The plugin in plain JavaScript: each block begins with the name of its file. */
const scripts = Object.fromEntries([...page.matchAll(/^```js\n\/\/ (\S+)\n(.*?)^```$/gms)].map(([, file = '', code = '']) => [file, code]))
const names = blocks.map((_, at) => `page-${String(at + 1)}`)

describe('the pages on plugins', function () {
  this.timeout(240_000)
  let folder: PluginFolder
  let gateway: TestGateway
  let site: Running

  before(async () => {
    folder = await PluginFolder.make()
    for (const [at, code] of blocks.entries())
      await folder.write(names[at] ?? '', { 'index.ts': index(names[at] ?? '', '', 'capstan/sdk'), 'contract.ts': code })
    await folder.write('demo-greet', scripts)
    site = await httpServer((_, response) => response.end('some words'))
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_PLUGINS: folder.path, CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` } })
  })
  after(async () => {
    await gateway?.close()
    await site?.close()
    await folder?.remove()
  })

  it('has an example in every section', () => {
    const sections = page.split(/^## /m).slice(1)
    expect(sections.filter((section) => !/```(ts|js)/.test(section)).map((section) => section.split('\n')[0])).to.deep.equal([])
    expect(blocks.length).to.be.at.least(sections.length - 1)
    expect(Object.keys(scripts)).to.deep.equal(['index.js', 'contract.js', 'providers/polite.js'])
  })

  it('has no page that is too long to read', () => {
    expect(PLUGIN_PAGES.filter((path) => source(path).split('\n').length > 500)).to.deep.equal([])
  })

  it('has examples that compile strictly', async () => {
    await writeFile(join(folder.path, 'tsconfig.json'), tsconfigFile(packageRoot()))
    const tsc = join(packageRoot(), 'node_modules/typescript/bin/tsc')
    await run(process.execPath, [tsc, '-p', folder.path]).catch((error: unknown) => {
      throw new Error(error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error))
    })
  })

  it('has examples that load, each as a plugin of its own', async () => {
    const { plugins, capabilities, ports } = await load({
      firstParty,
      sourceFolder: join(packageRoot(), 'plugins'),
      thirdParty: [folder.path],
    })
    const found = new Map(plugins.map(({ name, reason, remarks }) => [name, [reason, remarks]]))
    expect(names.map((name) => [name, found.get(name)])).to.deep.equal(names.map((name) => [name, [null, []]]))
    const exported = blocks.flatMap((code) => [...code.matchAll(/= (capability|port|provider)\(\{?\s*(?:id: '([\w.]+)')?/g)])
    for (const [, kind = '', id] of exported)
      if (id !== undefined) expect([...(kind === 'port' ? ports : capabilities).keys()], kind).to.include(id)
    expect(ports.get('demo.sorted')?.all.map(({ vendor }) => vendor.id)).to.deep.equal(['coreutils'])
    expect(ports.get('acme.convert')?.all.map(({ reason }) => reason)).to.satisfy(([reason]: string[]) => reason?.includes('ACME_API_KEY'))
  })

  it('has examples that answer: a capability with its prices and rules, and a plugin in plain JavaScript', async () => {
    const call = async (input: object) => await gateway.post('/v1/demo-daylight', input)
    const day = await call({ latitude: 59.9 })
    expect(day.json(), day.text).to.have.nested.property('data.hours').that.is.within(18, 19)
    expect([day.json().metadata?.provider_used, day.json().metadata?.mode_used, day.headers['x-credits-used']]).to.deep.equal([
      'almanac',
      'day',
      '1',
    ])
    const year = await call({ latitude: 59.9, span: 'year', twilight: true })
    expect([year.json().metadata?.mode_used, year.headers['x-credits-used']], year.text).to.deep.equal(['year', '3'])
    expect(year.json()).to.have.nested.property('data.least').that.is.within(7, 8)
    const pole = await call({ latitude: 90, span: 'year' })
    expect([pole.status, pole.text], pole.text).to.satisfy(
      ([status, text]: [number, string]) => status === 422 && text.includes('a pole has one day'),
    )
    const greeting = await gateway.post('/v1/demo-greet', { name: 'First' })
    expect(greeting.json(), greeting.text).to.have.nested.property('data.text', 'Good day, First.')
  })

  it('has examples that answer: a file that is copied, and an input in one form', async () => {
    const copied = await gateway.post('/v1/demo-copy', { url: `${site.url}/x` })
    expect(copied.json(), copied.text).to.have.nested.property('data.file_size', 10)
    const fed = await gateway.post('/v1/demo-feed', { kinds: ' news,web' })
    expect(fed.json(), fed.text).to.have.nested.property('data.kinds').that.deep.equals(['news', 'web'])
    expect(fed.headers['x-credits-used']).to.equal('3')
  })

  it('has examples that answer: a value that is loaded once, and caps that say what is left', async () => {
    const send = async (to: string) => await gateway.post('/v1/demo-notify', { to })
    for (const left of [19, 18, 17]) {
      const reply = await send('+491700000001')
      expect(reply.json(), reply.text).to.have.nested.property('data.left', left)
    }
    const refused = await send('+491700000001')
    expect(refused.status, refused.text).to.equal(429)
    expect(refused.json().error?.detail).to.contain('3 messages to one number in 3600 seconds').and.to.contain('messages_per_number')
    expect((await send('+491700000002')).json()).to.have.nested.property('data.left', 16)
  })
})
