import { expect } from 'chai'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cliBench, type CliBench } from '../../support/cli.js'

describe('capstan plugin new and provider new', () => {
  let bench: CliBench
  beforeEach(() => (bench = cliBench()))
  afterEach(() => bench.done())

  it('a plugin outside the clone lies in the working folder, its files named from there, and the next command works as printed', async () => {
    const { code, out } = await bench.run('plugin', 'new', 'weather')
    expect(code).to.equal(0)
    expect(out.split('\n').slice(0, 2)).to.deep.equal(['wrote', '  weather/index.ts'])
    const [, next = ''] = /^next: capstan (.*)$/m.exec(out) ?? []
    expect(next).to.equal('plugin test weather')
    const tested = await bench.run(...next.split(' '))
    expect(tested.out).to.match(/\n\d+ passed, 0 failed, 0 skipped\n$/)
  }).timeout(30_000)

  it('a plugin that works on files, in JavaScript, is made and passes', async () => {
    const { code, out } = await bench.run('plugin', 'new', 'transcripts', '--files', '--javascript')
    expect(code).to.equal(0)
    expect(out).to.contain('\n  transcripts/settings.js\n').and.to.contain('\n  transcripts/package.json\n')
    const tested = await bench.run('plugin', 'test', 'transcripts')
    expect(tested.out).to.match(/\n\d+ passed, 0 failed, 0 skipped\n$/)
  }).timeout(30_000)

  it('a plugin in another folder is named with its folder, a file outside the working folder by its whole path', async () => {
    const inner = await bench.run('plugin', 'new', 'weather', '--folder', 'mine')
    expect(inner.out).to.contain('\n  mine/weather/index.ts\n').and.to.contain('next: capstan plugin test mine/weather\n')
    const other = cliBench()
    const outer = await other.run('plugin', 'new', 'weather', '--folder', bench.folder)
    other.done()
    expect(outer.out).to.contain(`\n  ${join(bench.folder, 'weather/index.ts')}\n`)
  })

  it('--json names the files by their whole paths', async () => {
    const files = (await bench.run('plugin', 'new', 'weather', '--json')).json() as { files: string[] }
    expect(files.files).to.include(join(bench.folder, 'weather/contract.ts'))
    for (const file of files.files) expect(existsSync(file), file).to.equal(true)
  })

  it('an adapter lies in the plugin that is named', async () => {
    await bench.run('plugin', 'new', 'weather')
    const { code, out, err } = await bench.run('provider', 'new', 'weather', 'acme', '--folder', 'weather')
    expect([code, err]).to.deep.equal([0, ''])
    expect(out).to.contain('\n  weather/providers/acme.ts\n')
    expect(readFileSync(join(bench.folder, 'weather/providers/acme.ts'), 'utf8')).to.contain("from '../contract.js'")
    expect((await bench.run('plugin', 'test', 'weather')).out).to.match(/\n\d+ passed, 0 failed, 0 skipped\n$/)
  }).timeout(30_000)

  it('an adapter in a plugin with a README says that it changed that, in a folder with other files it makes a plugin of its own', async () => {
    await bench.run('plugin', 'new', 'weather')
    const inside = (await bench.run('provider', 'new', 'weather', 'acme', '--folder', 'weather')).out
    expect(inside).to.contain(
      '\nadded a line to\n  weather/README.md\nnext: fill in request, reply and map, then capstan plugin test weather\n',
    )
    mkdirSync(join(bench.folder, 'project'))
    writeFileSync(join(bench.folder, 'project/README.md'), '# My project\n')
    const { code, out } = await bench.run('provider', 'new', 'search.serp', 'acme', '--folder', 'project')
    expect(code).to.equal(0)
    expect(out).to.contain('\n  project/acme-search-serp/README.md\n').and.not.to.contain('added a line')
    expect(readFileSync(join(bench.folder, 'project/README.md'), 'utf8')).to.equal('# My project\n')
    expect(readdirSync(join(bench.folder, 'project')).sort()).to.deep.equal(['README.md', 'acme-search-serp'])
  }).timeout(60_000)
})
