import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { needs, openSandbox } from '../support/exec-sandbox.js'

type Provide = (names: readonly string[], say: (text: string) => void, options: { root: string; python: string | null }) => boolean

/**
 * Plays Python with pip: notes how it was called, and installs a package unless the file `offline` is there. The package has a program of its own beside
 * the script that pip makes for its entry point, as Deno's has.
 */
const PYTHON = `#!/bin/sh
root=ROOT
case "$1 $2" in
  "-m venv") echo "$*" >>"$root/calls"; mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
  "-m pip") echo "$*" >>"$root/calls"; [ ! -e "$root/offline" ] || exit 1
    while [ "$1" != --target ]; do shift; done
    mkdir -p "$2/demo" "$2/bin" "$2/demo-1.dist-info"
    echo "def main(): print('a demo', __import__('sys').argv, __import__('os').environ.get('PYTHONPATH'))" >"$2/demo/__init__.py"
    cp /bin/echo "$2/bin/runtime"; chmod 644 "$2/bin/runtime"
    printf '#!%s/pip/bin/python\\n' "$root" >"$2/bin/demo"
    printf '[console_scripts]\\ndemo = demo:main\\n' >"$2/demo-1.dist-info/entry_points.txt" ;;
  *) exec /usr/bin/python3 "$@" ;;
esac
`

describe('scripts/tools.mjs', function () {
  this.timeout(20_000)
  let root: string
  let said: string[]
  let provide: (...names: string[]) => boolean
  const tools = (): string[] => readdirSync(join(root, '.tools'))
  const calls = (): string[] => (existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').trim().split('\n') : [])

  beforeEach(async function () {
    needs(this, '/usr/bin/python3')
    root = mkdtempSync(join(tmpdir(), 'capstan-tools-'))
    chmodSync(root, 0o755)
    said = []
    mkdirSync(join(root, 'scripts', 'tools'), { recursive: true })
    writeFileSync(join(root, 'scripts', 'tools', 'demo.txt'), 'demo==1 --hash=sha256:00\n')
    writeFileSync(join(root, 'python3'), PYTHON.replace('ROOT', root), { mode: 0o755 })
    const module = (await import(join(packageRoot(), 'scripts', 'tools.mjs'))) as { provideTools: Provide }
    provide = (...names) => module.provideTools(names, (text) => said.push(text), { root, python: join(root, 'python3') })
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('makes a tool once, of exactly what its list says, and it runs from its place', () => {
    expect([provide('demo'), provide('demo'), provide()]).to.deep.equal([true, true, true])
    expect(calls()).to.have.length(2)
    expect(calls()[1]).to.include('--no-deps --require-hashes --only-binary :all:').and.not.include('--no-compile')
    expect(tools()).to.deep.equal(['demo'])
    const env = { PATH: '/usr/bin:/bin', PYTHONPATH: '/nowhere' }
    const { stdout } = spawnSync(join(root, '.tools', 'demo', 'bin', 'demo'), ['x'], { encoding: 'utf8', env })
    expect(stdout).to.equal("a demo ['demo', 'x'] /nowhere\n")
  })

  it('moves the programs of packages beside the tool, where they run, and deletes the scripts of pip, which name its environment', () => {
    provide('demo')
    const folder = join(root, '.tools', 'demo')
    expect(readdirSync(join(folder, 'bin')).sort()).to.deep.equal(['demo', 'runtime'])
    expect(readdirSync(folder).sort()).to.deep.equal(['bin', 'lib', 'stamp'])
    expect(existsSync(join(folder, 'lib', 'bin'))).to.equal(false)
    expect(readFileSync(join(folder, 'bin', 'demo'), 'utf8')).not.to.contain(join('pip', 'bin'))
    expect(spawnSync(join(folder, 'bin', 'runtime'), ['works'], { encoding: 'utf8' }).stdout).to.equal('works\n')
  })

  it('makes it anew when the list changes, and when its program is gone', () => {
    provide()
    writeFileSync(join(root, 'scripts', 'tools', 'demo.txt'), 'demo==2 --hash=sha256:00\n')
    provide()
    rmSync(join(root, '.tools', 'demo', 'bin', 'demo'))
    provide()
    expect(calls()).to.have.length(6)
  })

  it('leaves nothing half made, and what was there before, when the registry is away', () => {
    writeFileSync(join(root, 'offline'), '')
    expect(provide('demo')).to.equal(false)
    expect(said.join('\n')).to.match(/registry reachable.*npm run tools/)
    expect(tools()).to.deep.equal([])
    rmSync(join(root, 'offline'))
    expect(provide('demo')).to.equal(true)
    writeFileSync(join(root, 'scripts', 'tools', 'demo.txt'), 'demo==3 --hash=sha256:00\n')
    writeFileSync(join(root, 'offline'), '')
    expect(provide('demo')).to.equal(false)
    expect(tools()).to.deep.equal(['demo'])
    expect(spawnSync(join(root, '.tools', 'demo', 'bin', 'demo')).status).to.equal(0)
  })

  it('deletes what an interrupted run left, and not what another one is making', () => {
    mkdirSync(join(root, '.tools', '.new-999999999-x'), { recursive: true })
    mkdirSync(join(root, '.tools', `.new-${process.ppid}-x`))
    provide()
    expect(tools().sort()).to.deep.equal([`.new-${process.ppid}-x`, 'demo'])
  })

  it('says what to do about an unknown name, and without Python', async () => {
    expect(provide('other')).to.equal(false)
    expect(said).to.deep.equal(['there is no tool other; there are demo'])
    const module = (await import(join(packageRoot(), 'scripts', 'tools.mjs'))) as { provideTools: Provide }
    expect(module.provideTools([], (text) => said.push(text), { root, python: null })).to.equal(false)
    expect(said.at(-1)).to.contain('apt-get install python3-venv')
  })

  it('a tool runs in the sandbox, which shows its folder and nothing of the project around it', async function () {
    needs(this, 'bwrap')
    provide()
    writeFileSync(join(root, 'secret'), 'x')
    // The Python of the tests is not seen in there.
    const program = join(root, '.tools', 'demo', 'bin', 'demo')
    writeFileSync(program, readFileSync(program, 'utf8').replace(/^#!.*/, '#!/usr/bin/python3 -IB'))
    const box = await openSandbox({ programs: (name) => (name === 'demo' ? program : undefined), coveredFolders: [root] })
    const inside = await box.run('demo', ['y'])
    const around = await box.run('sh', ['-c', `ls ${root}`])
    await box.close()
    expect(inside).to.include({ code: 0, out: "a demo ['demo', 'y'] None\n", err: '' })
    expect(around.code).to.not.equal(0)
  })
})

describe('the lists of tools', () => {
  const lists = readdirSync(join(packageRoot(), 'scripts', 'tools')).filter((name) => name.endsWith('.txt'))
  for (const list of lists)
    it(`pin every package with hashes and name no server: ${list}`, () => {
      const text = readFileSync(join(packageRoot(), 'scripts', 'tools', list), 'utf8').replaceAll('\\\n', ' ')
      const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      expect(lines).to.not.deep.equal([])
      for (const line of lines) expect(line).to.match(/^[a-z0-9-]+==[\w.]+( +--hash=sha256:[0-9a-f]{64})+$/)
    })
})
