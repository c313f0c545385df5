import { expect } from 'chai'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { differences, figuresOf, roomOf, type Figure } from '../support/house.js'
import { source } from '../support/pages.js'

/** Figures of a small core, by paths below `core`. */
function figures(texts: Readonly<Record<string, string>>): Map<string, Figure> {
  return figuresOf(new Map(Object.entries(texts).map(([path, text]) => [`core/${path}`, text])))
}

describe('the house', () => {
  it('the figures of core are those of test/core/house.json, which may only be lowered', () => {
    const paths = readdirSync(join(packageRoot(), 'core'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
    const found = figuresOf(new Map(paths.sort().map((path) => [`core/${path}`, source(`core/${path}`)])))
    const limits = JSON.parse(source('test/core/house.json')) as Record<string, number>
    expect(differences(found, limits).join('\n')).to.equal('')
  }).timeout(10_000)

  it('a figure above its limit is named with the imports to change, one below it with the new limit', () => {
    const found = figures({ 'a/one.ts': "import type { Two } from '../b/two.js'\n", 'b/two.ts': 'export interface Two {}\n' })
    const limits = Object.fromEntries([...found].map(([name, { value }]) => [name, value]))
    expect(differences(found, limits)).to.deep.equal([])
    expect(differences(found, { ...limits, 'arrows between folders': 0 })).to.deep.equal([
      'arrows between folders: 1, at most 0\n    core/a/one.ts:1 imports types of core/b/two.ts',
    ])
    expect(differences(found, { ...limits, files: 3 })).to.deep.equal(['files: lower 3 to 2'])
    expect(differences(found, { ...limits, 'lines of c': 100 })).to.deep.equal(['lines of c: remove it, nothing is measured by this name'])
    const { files, ...others } = limits
    expect(differences(found, others)).to.deep.equal([`files: add ${files}`])
  })

  it('folders and files that import each other are in a circle, by types, by re-exports and by imports at run time alike', () => {
    const found = figures({
      'a/one.ts': "import { two } from '../b/two.js'\nexport const one = two",
      'a/apart.ts': "import { one } from './one.js'\nexport const apart = one",
      'b/two.ts': "export { three as two } from './three.js'",
      'b/three.ts': "export const three = (): unknown => import('../c/four.js')",
      'c/four.ts': "export type Four = import('../a/one.js').One",
    })
    expect(found.get('folders in circles')?.value).to.equal(3)
    expect(found.get('files in circles')?.value).to.equal(4)
    expect(found.get('files in circles')?.where).to.deep.equal([
      'circle of core/a/one.ts, core/b/three.ts, core/b/two.ts, core/c/four.ts:',
      'core/a/one.ts:1 imports core/b/two.ts',
      'core/b/two.ts:1 imports core/b/three.ts',
      'core/b/three.ts:1 imports core/c/four.ts',
      'core/c/four.ts:1 imports types of core/a/one.ts',
    ])
  })

  it('two circles are two, and what only leads into one is in none', () => {
    const found = figures({
      'a/a.ts': "import '../b/b.js'",
      'b/b.ts': "import '../a/a.js'\nimport '../c/c.js'",
      'c/c.ts': "import '../d/d.js'",
      'd/d.ts': "import '../c/c.js'\nimport '../e/e.js'",
      'e/e.ts': '',
    })
    expect(found.get('folders in circles')?.value).to.equal(4)
    expect(found.get('folders in circles')?.where.filter((line) => line.startsWith('circle'))).to.deep.equal([
      'circle of c, d:',
      'circle of a, b:',
    ])
  })

  it('an import of a driver by the kernel counts unless it is of types alone', () => {
    const found = figures({
      'dispatch/call.ts': [
        "import { run } from '../exec/run.js'",
        "import type { Job } from '../exec/run.js'",
        "import { type Job as Work } from '../exec/run.js'",
        "import { type Job as Both, run as start } from '../exec/run.js'",
      ].join('\n'),
      'lifecycle/open.ts': "import { run } from '../exec/run.js'",
      'exec/run.ts': '',
    })
    expect(found.get('imports of drivers by the kernel')?.where).to.deep.equal([
      'core/dispatch/call.ts:1 imports core/exec/run.ts',
      'core/dispatch/call.ts:4 imports core/exec/run.ts',
    ])
  })

  it('lines, small files, long lines and type names of two files are counted', () => {
    const found = figures({
      'app.ts': `${'x\n'.repeat(101)}`,
      'a/one.ts': 'interface Parts {}\nclass Both {}\ntype Only = 1\n',
      'a/two.ts': `interface Parts {}\nenum Both {}\n// ${'x'.repeat(117)}\n// ${'x'.repeat(118)}\n`,
    })
    expect(found.get('lines')?.value).to.equal(200)
    expect(found.get('lines of core')?.value).to.equal(200)
    expect(found.get('lines of a')?.value).to.equal(100)
    expect(found.get('percent of files under 40 lines')?.value).to.equal(67)
    expect(found.get('type names declared in two files')?.where).to.deep.equal([
      'Both is declared in core/a/one.ts, core/a/two.ts',
      'Parts is declared in core/a/one.ts, core/a/two.ts',
    ])
    expect(found.get('lines over 120 characters')?.where).to.deep.equal(['core/a/two.ts:4'])
  })

  it('words that may not come back are found whole, in comments, texts and parts of names', () => {
    const found = figures({ 'a/one.ts': "/** Is told. */\nconst toldAt = 'It was Told for nothing.'\nconst untold = retold + toldest" })
    expect(found.get('words: tells, told')?.where).to.deep.equal([
      'core/a/one.ts:1 has told',
      'core/a/one.ts:2 has told',
      'core/a/one.ts:2 has told',
    ])
    expect(found.get('words: for nothing')?.value).to.equal(1)
  })

  it('files of core itself are a room', () => {
    expect(['core/app.ts', 'core/http/pipeline.ts', 'core/http/routes/calls.ts'].map(roomOf)).to.deep.equal(['core', 'http', 'http'])
  })
})
