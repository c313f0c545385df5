import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../core/runtime/root.js'
import { withVendor } from '../../../scripts/capstan/kit/scaffold/readme.js'

const line = '- `acme`: set `ACME_API_KEY`.'
const acme = { vendor: 'acme', needs: 'ACME_API_KEY' }

describe('a vendor in the README of a plugin', () => {
  it('is the last row of the table under the heading of its port, and not under that of another one', () => {
    const text = readFileSync(join(packageRoot(), 'plugins/search/README.md'), 'utf8')
    const after = withVendor(text, { port: 'search.serp', others: ['serper', 'brave'], ...acme })
    const row = '| acme | `ACME_API_KEY` |  |  |'
    const at = after.indexOf(row)
    expect(at).to.be.greaterThan(after.indexOf('| wikipedia |')).and.to.be.lessThan(after.indexOf('## search.answer'))
    expect(after.replace(`${row}\n`, '')).to.equal(text)
    expect(after.slice(at - 2, at + row.length + 2)).to.equal(`|\n${row}\n\n`)
  })

  it('joins the table that names another vendor of the port, with the port where the table has one', () => {
    const text = '# Weather\n\n| vendor | port | needs |\n|---|---|---|\n| skies | `weather.observe` | nothing |\n\nMore words.\n'
    expect(withVendor(text, { port: 'weather.observe', others: ['skies'], ...acme })).to.equal(
      text.replace('nothing |\n', 'nothing |\n| acme | `weather.observe` | `ACME_API_KEY` |\n'),
    )
  })

  it('is an item of a list after a table of something else', () => {
    const text = '# Weather\n\n## weather.observe\n\n| mode | credits |\n|---|---|\n| now | 1 |\n'
    expect(withVendor(text, { port: 'weather.observe', others: [], ...acme })).to.equal(`${text}\n${line}\n`)
  })

  it('joins the list that names another vendor of the port when no heading names it', () => {
    const text = '# Weather\n\nWords.\n\n- `skies`: set `SKIES_API_KEY`.\n\nMore words.\n'
    expect(withVendor(text, { port: 'weather.observe', others: ['skies'], ...acme })).to.equal(
      `# Weather\n\nWords.\n\n- \`skies\`: set \`SKIES_API_KEY\`.\n${line}\n\nMore words.\n`,
    )
  })

  it('is at the end of a README that names neither, without a key where it is known already', () => {
    const text = '# Weather\n\nWords.\n'
    expect(withVendor(text, { port: 'weather.observe', others: [], ...acme })).to.equal(`${text}\n${line}\n`)
    expect(withVendor(text, { port: 'weather.observe', others: [], vendor: 'acme', needs: null })).to.equal(`${text}\n- \`acme\`.\n`)
  })
})
