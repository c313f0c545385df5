import { expect } from 'chai'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { source } from '../support/pages.js'

const page = source('docs/architecture.md')
const steps = [...page.matchAll(/^(\d+)\. `([\w./-]+)` `([\w.]+)`: /gm)].map(([, number = '', file = '', call = '']) => ({
  number,
  file,
  call,
}))

describe('the life of a call in docs/architecture.md', () => {
  it('has twelve steps, each in a file that is there', () => {
    expect(steps.map(({ number }) => number)).to.deep.equal(Array.from({ length: 12 }, (_, at) => String(at + 1)))
    expect(steps.filter(({ file }) => !existsSync(join(packageRoot(), file)))).to.deep.equal([])
  })

  it('has them in the order in which the pipeline, and the files that it leads to, call them', () => {
    // Each file is read from where its last step was found.
    const read = new Map([['core/http/pipeline.ts', 0]])
    for (const { call, file, number } of steps) {
      const found = [...read].map(([path, from]) => ({ path, at: callAt(path, call, from) })).find(({ at }) => at >= 0)
      expect(found, `${number}. ${call} is called after the step before it`).not.to.equal(undefined)
      if (found !== undefined) read.set(found.path, found.at)
      if (!read.has(file)) read.set(file, 0)
    }
  })

  it('names the file that each step is imported from, or the service of that file', () => {
    const importers = ['core/http/pipeline.ts', ...steps.map(({ file }) => file), 'core/http/services.ts', 'core/calls/order.ts']
    const imports = importers.map(source).join('\n')
    const missing = steps.filter(
      ({ file }) => !new RegExp(`from '[./]*(?:[\\w-]+/)*${file.split('/').at(-1)?.replace('.ts', '') ?? ''}\\.js'`).test(imports),
    )
    expect(missing).to.deep.equal([])
  })

  it('has the layers in the order that lint holds', () => {
    const [, lists = ''] = /const layers = \[\n(.*?)\n\]/s.exec(source('eslint.config.js')) ?? []
    const layers = [...lists.matchAll(/'(\w+)'/g)].map(([, name]) => name)
    const [, said = ''] = /enforces that:\n\n(.*?)\.\n/s.exec(page) ?? []
    expect([...said.matchAll(/`(\w+)`/g)].map(([, name]) => name)).to.deep.equal(layers)
  })
})

/** Where a file calls something, from a place on; -1 where it does not. Declarations do not count. */
function callAt(path: string, call: string, from: number): number {
  const pattern = new RegExp(`(?<!function |[\\w#])${call.replaceAll('.', '\\.')}\\(`, 'g')
  pattern.lastIndex = from
  return pattern.exec(source(path))?.index ?? -1
}
