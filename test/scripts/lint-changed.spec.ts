import { expect } from 'chai'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '../../core/runtime/root.js'

interface Changed {
  readonly lintStates: (root: string, files: readonly string[]) => Record<string, string>
  readonly changedSince: (record: string, states: Record<string, string>) => string[]
}

const FILES: Readonly<Record<string, string>> = {
  'eslint.config.js': 'export default []',
  'package-lock.json': '{}',
  'core/base.ts': 'export interface Base { readonly id: string }',
  'core/middle.ts': "import type { Base } from './base.js'\nexport const name = ({ id }: Base) => id",
  'core/round.ts': "import { back } from './back.js'\nexport const round = back",
  'core/back.ts': "import { round } from './round.js'\nimport { name } from './middle.js'\nexport const back = [round, name]",
  'plugins/one.ts': "export const made = async () => (await import('../core/middle.js')).name",
  'plugins/two.ts': 'export const two = 2',
  'plugins/old.cts': 'export = 1',
  'scripts/tool.mjs': "import old from '../plugins/old.cjs'\nexport const tool = old",
  'README.md': 'words',
}

describe('what is linted again', () => {
  let root: string
  let record: string
  let changed: Changed
  before(async () => {
    changed = (await import(pathToFileURL(join(packageRoot(), 'scripts', 'lint-changed.mjs')).href)) as Changed
  })
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'capstan-lint-'))
    record = join(root, 'passed.json')
    for (const [file, text] of Object.entries(FILES)) write(file, text)
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const states = (more: readonly string[] = []): Record<string, string> => changed.lintStates(root, [...Object.keys(FILES), ...more])
  const again = (more: readonly string[] = []): string[] => changed.changedSince(record, states(more))
  const passed = (): void => writeFileSync(record, JSON.stringify(states()))
  const linted = Object.keys(FILES)
    .filter((file) => /\.(?:js|mjs|ts|cts)$/.test(file))
    .sort()

  it('is every file before linting has passed, and after a run that was stopped while it wrote', () => {
    expect(again()).to.deep.equal(linted)
    writeFileSync(record, '{"core/base.ts": "a')
    expect(again()).to.deep.equal(linted)
  })

  it('is nothing when nothing has changed, or what is no code', () => {
    passed()
    write('README.md', 'other words')
    expect(again()).to.deep.equal([])
  })

  it('is a file that has changed with all that import it, however far, in circles too, and no other', () => {
    passed()
    write('core/base.ts', 'export interface Base { readonly id: number }')
    expect(again()).to.deep.equal(['core/back.ts', 'core/base.ts', 'core/middle.ts', 'core/round.ts', 'plugins/one.ts'])
    passed()
    write('plugins/one.ts', 'export const made = 1')
    expect(again()).to.deep.equal(['plugins/one.ts'])
    write('plugins/old.cts', 'export = 2')
    expect(again()).to.deep.equal(['plugins/old.cts', 'plugins/one.ts', 'scripts/tool.mjs'])
  })

  it('is a new file, and who imported one that is gone', () => {
    passed()
    write('plugins/new.ts', 'export const x = 1')
    expect(again(['plugins/new.ts'])).to.deep.equal(['plugins/new.ts'])
    rmSync(join(root, 'core/round.ts'))
    expect(again()).to.deep.equal(['core/back.ts'])
  })

  it('is every file when the rules, the packages or types that nobody imports have changed', () => {
    passed()
    write('package-lock.json', '{ "packages": {} }')
    expect(again()).to.deep.equal(linted)
    passed()
    write('core/ambient.d.ts', 'declare const everywhere: string')
    expect(again(['core/ambient.d.ts'])).to.deep.equal([...linted, 'core/ambient.d.ts'].sort())
  })
})
