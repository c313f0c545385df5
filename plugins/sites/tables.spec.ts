import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { WEIGHTS } from './parts/security/weights.js'
import { siteTables, withTables } from './tables.js'

describe('sites: tables of README.md', () => {
  it('are those of the data; node scripts/site-tables.mjs renews them', () => {
    const readme = readFileSync(join(packageRoot(), 'plugins/sites/README.md'), 'utf8')
    expect(readme).to.equal(withTables(readme, siteTables()))
  })

  it('weights are 100 together', () => expect(WEIGHTS.reduce((sum, { weight }) => sum + weight, 0)).to.equal(100))
})
