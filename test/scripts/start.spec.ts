import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { fakeProject, type FakeProject } from '../support/fake-project.js'

describe('scripts/start.mjs', function () {
  this.timeout(30_000)
  let project: FakeProject
  beforeEach(() => (project = fakeProject()))
  afterEach(() => project.done())

  it('installs, builds and serves on the first start, from any folder, and prints nothing of its own on standard output', async () => {
    const { code, out, err } = await project.run('start.mjs', ['--json'], tmpdir())
    expect({ code, err: err.includes('installing') && err.includes('building') }).to.deep.equal({ code: 0, err: true })
    const said = JSON.parse(out) as { argv: string[]; cwd: string }
    expect(said.argv).to.deep.equal(['serve', '--json'])
    expect(realpathSync(said.cwd)).to.equal(realpathSync(tmpdir()))
    expect(project.counts()).to.deep.equal({ npm: 1, tsc: 0, strip: 1 })
    const built = join(project.folder, 'dist', 'scripts', 'capstan', 'cli')
    const map = JSON.parse(readFileSync(join(built, 'main.js.map'), 'utf8')) as { sources: string[] }
    expect(map.sources.map((source) => join(built, source))).to.deep.equal([join(project.folder, 'scripts', 'capstan', 'cli', 'main.ts')])
  })

  it('T-66 runs no script of an installed package', async () => {
    await project.run('start.mjs', [])
    const [words = ''] = readFileSync(join(project.folder, 'npm.log'), 'utf8').split('\n')
    expect(words.split(' ')).to.include.members(['ci', '--ignore-scripts'])
    expect(readFileSync(join(packageRoot(), '.npmrc'), 'utf8').split('\n')).to.include('ignore-scripts=true')
    for (const file of ['Dockerfile', 'deploy/capstan.service'])
      for (const [, flags = ''] of readFileSync(join(packageRoot(), file), 'utf8').matchAll(/npm ci([^&\n]*)/g))
        expect(flags, file).to.include('--ignore-scripts')
  })

  it('builds without checks and without tests, and what checks or tests builds with them once more', async () => {
    project.write('scripts/capstan/cli/main.spec.ts', 'never built')
    project.write('test/other.spec.ts', 'never built')
    await project.run('start.mjs', [])
    const built = (file: string): boolean => existsSync(join(project.folder, 'dist', file))
    expect([built('scripts/capstan/cli/main.js'), built('scripts/capstan/cli/main.spec.js'), built('test')]).to.deep.equal([
      true,
      false,
      false,
    ])
    expect((await project.run('capstan.mjs', ['keys', 'list'])).code).to.equal(0)
    expect(project.counts()).to.include({ tsc: 0, strip: 1 })
    await project.run('capstan.mjs', ['plugin', 'test', 'search'])
    expect(project.counts()).to.include({ tsc: 1, strip: 1 })
    await project.run('start.mjs', [])
    expect(project.counts(), 'a build that was checked will do').to.include({ tsc: 1, strip: 1 })
  })

  it('builds again only the files that changed', async () => {
    project.write('core/a.ts', 'one')
    project.write('core/b.ts', 'one')
    await project.run('start.mjs', [])
    const at = (file: string): number => statSync(join(project.folder, '.build', 'start', file)).mtimeMs
    const before = at('core/a.js')
    project.write('core/b.ts', 'two')
    await project.run('start.mjs', [])
    expect(at('core/a.js')).to.equal(before)
    expect(readFileSync(join(project.folder, 'dist', 'core', 'b.js'), 'utf8')).to.equal('two')
  })

  it('does neither on the second start', async () => {
    await project.run('start.mjs', [])
    const { code, err } = await project.run('start.mjs', [])
    expect({ code, err }).to.deep.equal({ code: 0, err: '' })
    expect(project.counts()).to.deep.equal({ npm: 1, tsc: 0, strip: 1 })
  })

  it('builds again when a source changed, and installs again when the lock file changed', async () => {
    await project.run('start.mjs', [])
    project.write('scripts/capstan/cli/main.ts', 'process.stdout.write("new")')
    expect((await project.run('start.mjs', [])).out).to.equal('new')
    expect(project.counts()).to.deep.equal({ npm: 1, tsc: 0, strip: 2 })
    project.write('package-lock.json', JSON.stringify({ packages: { '': {}, 'node_modules/typescript': { version: '1.0.1' } } }))
    await project.run('start.mjs', [])
    expect(project.counts().npm).to.equal(2)
  })

  it('takes an install by hand that is exactly what the lock file says', async () => {
    await project.run('start.mjs', [])
    rmSync(join(project.folder, 'node_modules', '.capstan-lock'))
    project.write('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/typescript': { version: '1.0.0' } } }))
    await project.run('start.mjs', [])
    expect(project.counts().npm).to.equal(1)
    project.write('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/typescript': { version: '0.9.0' } } }))
    rmSync(join(project.folder, 'node_modules', '.capstan-lock'), { force: true })
    await project.run('start.mjs', [])
    expect(project.counts().npm).to.equal(2)
  })

  it('never installs through a link, which would empty the folder of another project', async () => {
    const other = join(project.folder, '..', 'other')
    mkdirSync(join(other, 'koa'), { recursive: true })
    symlinkSync(other, join(project.folder, 'node_modules'))
    const { code, err } = await project.run('start.mjs', [])
    expect(code).to.equal(1)
    expect(err).to.contain('is a link')
    expect(existsSync(join(other, 'koa'))).to.equal(true)
    expect(project.counts()).to.deep.equal({ npm: 0, tsc: 0, strip: 0 })
  })

  it('five starts at once install and build once', async () => {
    const runs = await Promise.all(Array.from({ length: 5 }, () => project.run('start.mjs', [])))
    expect(runs.map(({ code }) => code)).to.deep.equal([0, 0, 0, 0, 0])
    expect(project.counts()).to.deep.equal({ npm: 1, tsc: 0, strip: 1 })
  })

  it('takes over the lock of a start that was killed', async () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid
    project.write('.build/prepare.lock', String(dead))
    expect((await project.run('start.mjs', [])).code).to.equal(0)
    expect(existsSync(join(project.folder, '.build', 'prepare.lock'))).to.equal(false)
  })

  it('a build that fails ends with 1 and leaves no build, or the whole old one', async () => {
    project.write('broken', '')
    const first = await project.run('start.mjs', [])
    expect(first.code).to.equal(1)
    expect(first.err).to.contain('the build failed')
    expect(existsSync(join(project.folder, 'dist'))).to.equal(false)
    rmSync(join(project.folder, 'broken'))
    await project.run('start.mjs', [])
    project.write('broken', '')
    project.write('core/new.ts', '')
    expect((await project.run('start.mjs', [])).code).to.equal(1)
    expect(existsSync(join(project.folder, 'dist', 'scripts', 'capstan', 'cli', 'main.js'))).to.equal(true)
  })

  it('a source that is gone is gone from the build', async () => {
    project.write('plugins/old/index.ts', '')
    await project.run('start.mjs', [])
    rmSync(join(project.folder, 'plugins'), { recursive: true })
    await project.run('start.mjs', [])
    expect(existsSync(join(project.folder, 'dist', 'plugins'))).to.equal(false)
    expect(existsSync(join(project.folder, 'dist', 'scripts', 'capstan', 'cli', 'main.js'))).to.equal(true)
  })

  it('is the gateway itself: a signal reaches it, its exit code is passed on, no second process stays', async () => {
    await project.run('start.mjs', [])
    const child = project.spawn('start.mjs', ['wait'])
    const said = await new Promise<string>((resolve) => child.stdout?.once('data', (chunk) => resolve(String(chunk))))
    expect((JSON.parse(said) as { pid: number }).pid).to.equal(child.pid)
    const ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)))
    child.kill('SIGTERM')
    expect(await ended).to.equal(7)
  })

  it('scripts/capstan.mjs runs the command line with its arguments', async () => {
    const { out } = await project.run('capstan.mjs', ['keys', 'list', '--json'])
    expect((JSON.parse(out) as { argv: string[] }).argv).to.deep.equal(['keys', 'list', '--json'])
  })

  it('says in one sentence which Node is needed', async () => {
    const { checkNode } = (await import(join(packageRoot(), 'scripts', 'prepare.mjs'))) as { checkNode: (version: string) => void }
    expect(() => checkNode('20.18.1')).to.throw(/needs Node 20\.19 or newer, and this is Node 20\.18\.1/)
    expect(() => checkNode('18.20.0')).to.throw(/20\.19/)
    for (const version of ['20.19.0', '22.0.0', '24.21.0']) expect(() => checkNode(version)).not.to.throw()
  })
})
