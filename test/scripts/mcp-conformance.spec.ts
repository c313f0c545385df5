import { expect } from 'chai'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'

type Provide = (say: (text: string) => void, options: { root: string; npm: string }) => boolean

/** A fake npm: records its calls, and installs unless the registry is away. */
const NPM = `#!/bin/sh
root=$(dirname "$0")
echo "$*" >>"$root/calls"
[ ! -e "$root/offline" ] || exit 1
mkdir node_modules
`

describe('scripts/mcp-conformance.mjs', () => {
  let root: string
  let said: string[]
  let provide: () => boolean
  const lists = (): string => join(root, 'scripts', 'tools', 'mcp-conformance')
  const calls = (): string[] => (existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').trim().split('\n') : [])
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'capstan-conformance-'))
    said = []
    mkdirSync(lists(), { recursive: true })
    for (const file of ['package.json', 'package-lock.json']) writeFileSync(join(lists(), file), '{}')
    writeFileSync(join(root, 'npm'), NPM, { mode: 0o755 })
    const module = (await import(join(packageRoot(), 'scripts', 'mcp-conformance.mjs'))) as { provideConformance: Provide }
    provide = () => module.provideConformance((text) => said.push(text), { root, npm: join(root, 'npm') })
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('installs exactly what is locked, once, without running anything of it', () => {
    expect([provide(), provide()]).to.deep.equal([true, true])
    expect(calls()).to.have.length(1)
    expect(calls()[0]).to.match(/^ci --ignore-scripts /)
    expect(readdirSync(join(root, '.tools', 'mcp-conformance')).sort()).to.deep.equal([
      'node_modules',
      'package-lock.json',
      'package.json',
      'stamp',
    ])
  })

  it('installs anew when the lock changes', () => {
    provide()
    writeFileSync(join(lists(), 'package-lock.json'), '{ }')
    expect(provide()).to.equal(true)
    expect(calls()).to.have.length(2)
  })

  it('says what is missing when the registry is away, leaves nothing half made, and tries again the next time', () => {
    writeFileSync(join(root, 'offline'), '')
    expect(provide()).to.equal(false)
    expect(said.at(-1)).to.match(/registry reachable/)
    expect(readdirSync(join(root, '.tools'))).to.deep.equal([])
    rmSync(join(root, 'offline'))
    expect(provide()).to.equal(true)
  })

  it('the lock names no registry, and has the hash of every package', () => {
    const file = join(packageRoot(), 'scripts', 'tools', 'mcp-conformance', 'package-lock.json')
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
      packages: Record<string, { resolved?: string; integrity?: string; version?: string }>
    }
    const installed = Object.entries(packages).filter(([path]) => path !== '')
    expect(installed.length).to.be.above(3)
    for (const [path, { resolved, integrity }] of installed) {
      expect(resolved, path).to.equal(undefined)
      expect(integrity, path).to.match(/^sha512-/)
    }
    expect(packages['node_modules/conformance-2025-11-25']?.version).to.equal('0.1.16')
    expect(packages['node_modules/conformance-2026-07-28']?.version).to.equal('0.2.0-alpha.12')
  })
})
