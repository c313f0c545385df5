import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { needs } from '../support/exec-sandbox.js'

interface Options {
  readonly root: string
  readonly python: string | null
  readonly npm: string
  readonly env: Readonly<Record<string, string>>
}
type Provide = (names: readonly string[], say: (text: string) => void, options: Options) => boolean
type FaultOf = (manifest: unknown, file: string) => string | null

/** Stands for npm: gives the archive that lies in `registry`. */
const NPM = `#!/bin/sh
echo "npm $*" >>ROOT/calls
cp "ROOT/registry/$(echo "$2" | tr '/' '_').tgz" "$4"
`
/** Stands for Python where pip is meant. */
const PYTHON = `#!/bin/sh
case "$1 $2" in
  "-m venv") mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
  "-m pip") echo "pip $*" >>ROOT/calls
    for last; do :; done
    case " $* " in
      *" download "*) while [ "$1" != --dest ]; do shift; done; cp "ROOT/registry/$last.whl" "$2" ;;
      *) while [ "$1" != --target ]; do shift; done; mkdir -p "$2"; cp "$last" "$2/installed" ;;
    esac ;;
  *) exec /usr/bin/python3 "$@" ;;
esac
`
const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

describe('engine packs', function () {
  this.timeout(20_000)
  let root: string
  let said: string[]
  let provide: (...names: string[]) => boolean
  let faultOf: FaultOf
  const tools = (): string[] => (existsSync(join(root, '.tools')) ? readdirSync(join(root, '.tools')) : [])
  const at = (...path: string[]): string => join(root, '.tools', ...path)
  const calls = (): string[] => (existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').trim().split('\n') : [])

  beforeEach(async function () {
    needs(this, '/usr/bin/python3', 'tar')
    root = mkdtempSync(join(tmpdir(), 'capstan-packs-'))
    said = []
    mkdirSync(join(root, 'scripts', 'tools'), { recursive: true })
    mkdirSync(join(root, 'registry'))
    writeFileSync(join(root, 'npm'), NPM.replaceAll('ROOT', root), { mode: 0o755 })
    writeFileSync(join(root, 'python3'), PYTHON.replaceAll('ROOT', root), { mode: 0o755 })
    const { provideTools } = (await import(join(packageRoot(), 'scripts', 'tools.mjs'))) as { provideTools: Provide }
    const options = { root, python: join(root, 'python3'), npm: join(root, 'npm'), env: { CAPSTAN_PLUGINS: join(root, 'further') } }
    provide = (...names) => provideTools(names, (text) => said.push(text), options)
    faultOf = ((await import(join(packageRoot(), 'scripts', 'pack-manifest.mjs'))) as { manifestFault: FaultOf }).manifestFault
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  function wheel(spec: string, files: Readonly<Record<string, string>>): void {
    const script = 'import json, sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], "w") as z:\n  for n, t in json.loads(sys.argv[2]).items(): z.writestr(n, t)'
    spawnSync('/usr/bin/python3', ['-c', script, join(root, 'registry', `${spec}.whl`), JSON.stringify(files)])
  }
  function tarball(spec: string, files: Readonly<Record<string, string>>): Buffer {
    const folder = mkdtempSync(join(root, 'made-'))
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text, { mode: 0o600 })
    }
    const archive = join(root, 'registry', `${spec.replaceAll('/', '_')}.tgz`)
    spawnSync('tar', ['-czf', archive, '-C', folder, 'package'])
    return readFileSync(archive)
  }
  function manifest(id: string, fields: object, folder = 'plugins/demo'): string {
    const file = join(root, folder, 'packs', `${id}.json`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify({ id, title: 'A demo', serves: 'demo.port', installed_mb: 1, ...fields }))
    return file
  }
  const model = { path: 'a/model.bin', pypi: 'weights@1.0', member: 'weights/model.bin', sha256: sha256('weights'), licence: 'Apache-2.0' }

  it('takes single files out of wheels and npm archives, as data, once, for users of the sandbox too', () => {
    wheel('weights==1.0', { 'weights/__init__.py': 'raise SystemExit(9)', 'weights/model.bin': 'weights' })
    tarball('@scope/runtime@2.0', { 'package/dist/run.mjs': 'run' })
    const run = { path: 'run.mjs', npm: '@scope/runtime@2.0', member: 'package/dist/run.mjs', sha256: sha256('run'), licence: 'MIT' }
    manifest('demo', { files: [model, run] })
    expect([provide('demo'), provide('demo')], said.join('\n')).to.deep.equal([true, true])
    expect(tools()).to.deep.equal(['demo'])
    expect(readdirSync(at('demo')).sort()).to.deep.equal(['a', 'bin', 'pack.json', 'run.mjs', 'stamp'])
    expect(readFileSync(at('demo', 'a', 'model.bin'), 'utf8') + readFileSync(at('demo', 'run.mjs'), 'utf8')).to.equal('weightsrun')
    expect(statSync(at('demo', 'a', 'model.bin')).mode & 0o444).to.equal(0o444)
    expect(said.join('\n')).to.contain('a/model.bin (weights@1.0): Apache-2.0').and.to.contain('run.mjs (@scope/runtime@2.0): MIT')
    expect(said.at(-1)).to.equal('demo is there already')
    expect(calls().filter((line) => line.includes('download'))).to.have.length(1)
    expect(calls().find((line) => line.includes('download'))).to.contain('--no-deps --only-binary :all:').and.to.contain('weights==1.0')
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
      writeFileSync(join(root, 'plugins', 'demo', 'packs', 'set.txt'), `# wheels\nfast==${version} \\\n    --hash=sha256:${'0'.repeat(64)}\n`)
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
