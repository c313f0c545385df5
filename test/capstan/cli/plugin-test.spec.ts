import { expect } from 'chai'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../core/runtime/root.js'
import { bundledFolder } from '../../../core/loader/load.js'
import { cliBench, type CliBench } from '../../support/cli.js'

const SEARCH = join(packageRoot(), 'plugins', 'search')

describe('capstan plugin test', function () {
  this.timeout(120_000)
  let bench: CliBench
  beforeEach(() => (bench = cliBench()))
  afterEach(() => bench.done())

  async function tested(at: CliBench, ...argv: string[]): Promise<{ ok: boolean; plugins: string[]; names: string[] }> {
    const result = await at.run('plugin', 'test', ...argv, '--json')
    const { ok, results } = result.json() as { ok: boolean; results: { plugin: string; name: string; state: string; reason: string }[] }
    expect(results.filter(({ state }) => state === 'failed').map(({ name, reason }) => `${name}: ${reason}`)).to.deep.equal([])
    return { ok, plugins: [...new Set(results.map(({ plugin }) => plugin))], names: results.map(({ name }) => name) }
  }

  it('tests a bundled plugin by the path of its sources, of what is compiled of them, or of a link to it', async () => {
    symlinkSync(SEARCH, join(bench.folder, 'link'))
    for (const path of [SEARCH, join(bundledFolder(), 'search'), 'link']) {
      const { ok, plugins, names } = await tested(bench, path, '--vendor', 'wikipedia')
      expect({ ok, plugins }, path).to.deep.equal({ ok: true, plugins: ['search'] })
      const [file, ...cases] = names
      expect(file, path).to.equal('providers/wikipedia.ts: tested by fixtures/wikipedia.search.serp.json')
      expect(cases).to.satisfy((all: string[]) => all.length > 5 && all.every((name) => name.startsWith('wikipedia.search.serp: ')))
    }
  })

  it("without --vendor tests what the plugin itself must do too, and no other plugin's", async () => {
    const own = await tested(bench, join(packageRoot(), 'plugins', 'wikidata'))
    expect(own.plugins).to.deep.equal(['wikidata'])
    expect(own.names).to.include.members(['loads whole', 'README.md names each vendor'])
  })

  it('tests a plugin of the operator that is configured already, alone or in its folder', async () => {
    mkdirSync(join(bench.folder, 'mine'))
    await bench.run('plugin', 'new', 'weather', '--folder', 'mine')
    symlinkSync(join(bench.folder, 'mine'), join(bench.folder, 'alias'))
    for (const configured of ['mine', 'mine/weather', 'alias']) {
      const own = cliBench({ env: { CAPSTAN_PLUGINS: join(bench.folder, configured) } })
      const { ok, plugins } = await tested(own, join(bench.folder, 'mine/weather'))
      own.done()
      expect({ ok, plugins }, configured).to.deep.equal({ ok: true, plugins: ['weather'] })
    }
  })

  it('names the nearest vendor where there is none of the name, and says of a folder that is not there that it is not', async () => {
    const unknown = await bench.run('plugin', 'test', SEARCH, '--vendor', 'brvae')
    expect(unknown.code).to.equal(1)
    expect(unknown.err).to.contain('has the vendor brvae; did you mean brave?')
    const absent = await bench.run('plugin', 'test', join(packageRoot(), 'plugins', 'serach'))
    expect(absent.code).to.equal(1)
    expect(absent.err).to.contain('there is no plugin in ').and.to.contain('plugins/serach')
    const elsewhere = await bench.run('plugin', 'test', 'nowhere')
    expect(elsewhere.code).to.equal(1)
    expect(elsewhere.out + elsewhere.err).to.contain('nowhere')
  })
})
