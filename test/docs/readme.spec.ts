import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { withSettingsTable } from '../../scripts/settings-table.js'

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
})
