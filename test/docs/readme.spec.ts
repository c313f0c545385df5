import { expect } from 'chai'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withSettingsTable } from '../../core/config/index.js'
import { packageRoot } from '../../core/runtime/root.js'

const root = packageRoot()
const readme = readFileSync(join(root, 'README.md'), 'utf8')

describe('the documentation agrees with the code', () => {
  it('README: the table of settings is the one config/default.ts makes', () => {
    expect(withSettingsTable(readme)).to.equal(readme)
  })
  it('README and CONTRIBUTING: every script of package.json is on one of them', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
    const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
    const named = [...(readme + page).matchAll(/(?:npm (?:run )?|npx )([a-z:]+)/g)].map(([, name]) => name)
    expect(Object.keys(scripts).filter((name) => !named.includes(name))).to.deep.equal([])
  })
  it('decision records are numbered without a gap and say status, context, decision and consequences', () => {
    const files = readdirSync(join(root, 'core', 'decisions')).sort()
    expect(files.map((file) => Number(file.slice(0, 4)))).to.deep.equal(files.map((_, index) => index + 1))
    for (const file of files) {
      const text = readFileSync(join(root, 'core', 'decisions', file), 'utf8')
      for (const part of ['Status: ', '## Context', '## Decision', '## Consequences']) expect(text, file).to.include(part)
    }
  })
})
