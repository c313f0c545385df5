import { expect } from 'chai'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'

type Say = (text: string) => void
type ProvidePython = (say: Say, options: { root: string; python: string | null }) => boolean

/** A fake Python: records its calls, makes environments with a copy of itself, and installs unless the registry is away. */
const PYTHON = `#!/bin/sh
root=$(dirname "$0"); while [ ! -d "$root/test" ]; do root=$(dirname "$root"); done
echo "$*" >> "$root/calls"
case "$2" in
  venv) for folder; do :; done; mkdir -p "$folder/bin"; cp "$0" "$folder/bin/python" ;;
  pip) [ ! -e "$root/offline" ] || exit 1; touch "$root/.venv/bin/secantusd-py" ;;
esac
`

describe('scripts/python-tools.mjs', () => {
  let root: string
  let said: string[]
  let provide: () => boolean
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'capstan-python-'))
    said = []
    mkdirSync(join(root, 'test'))
    writeFileSync(join(root, 'test', 'requirements.txt'), 'one==1\n')
    writeFileSync(join(root, 'python3'), PYTHON)
    chmodSync(join(root, 'python3'), 0o755)
    const { providePython } = (await import(join(packageRoot(), 'scripts', 'python-tools.mjs'))) as { providePython: ProvidePython }
    provide = () => providePython((text) => said.push(text), { root, python: join(root, 'python3') })
  })
  afterEach(() => rmSync(root, { recursive: true }))

  const calls = () => (existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').trim().split('\n') : [])

  it('makes the environment once, and takes exactly what the requirements say, ready built', () => {
    expect([provide(), provide()]).to.deep.equal([true, true])
    expect(calls()).to.have.length(2)
    expect(calls()[0]).to.equal(`-m venv ${join(root, '.venv')}`)
    expect(calls()[1])
      .to.match(/^-m pip install /)
      .and.include('--no-deps --only-binary :all:')
  })

  it('makes it anew when the requirements change, or when the server is gone', () => {
    provide()
    writeFileSync(join(root, 'test', 'requirements.txt'), 'one==2\n')
    provide()
    expect(calls()[2]).to.include('venv --clear')
    rmSync(join(root, '.venv', 'bin', 'secantusd-py'))
    provide()
    expect(calls()).to.have.length(6)
  })

  it('says what to do when the registry is away, and tries again the next time', () => {
    writeFileSync(join(root, 'offline'), '')
    expect(provide()).to.equal(false)
    expect(said.at(-1)).to.match(/registry reachable.*CAPSTAN_TEST_SECANTUSD.*CAPSTAN_TEST_MONGODB/)
    rmSync(join(root, 'offline'))
    expect(provide()).to.equal(true)
  })

  it('every requirement of this repository is pinned', () => {
    const lines = readFileSync(join(packageRoot(), 'test', 'requirements.txt'), 'utf8')
      .trim()
      .split('\n')
    expect(lines.filter((line) => !/^(#.*|[A-Za-z0-9-]+==[0-9][0-9a-z.]*)$/.test(line))).to.deep.equal([])
    expect(lines).to.include('SecantusDB==0.7.0b3')
  })
})
