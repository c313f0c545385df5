import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../core/runtime/root.js'
import { withVendor } from '../../../scripts/capstan/kit/scaffold/readme.js'

const line = '- `acme`: set `ACME_API_KEY`.'

describe('a vendor in the README of a plugin', () => {
  it('is under the heading of its port, after the table, and not under that of another one', () => {
    const text = readFileSync(join(packageRoot(), 'plugins/search/README.md'), 'utf8')
    const after = withVendor(text, { port: 'search.serp', others: ['serper', 'brave'], line })
    const at = after.indexOf(line)
    expect(at).to.be.greaterThan(after.indexOf('| wikipedia |')).and.to.be.lessThan(after.indexOf('## search.answer'))
    expect(after.replace(`\n${line}\n`, '')).to.equal(text)
    expect(after.slice(at - 2, at + line.length + 2)).to.equal(`\n\n${line}\n\n`)
  })

  it('joins the list that names another vendor of the port when no heading names it', () => {
    const text = '# Weather\n\nWords.\n\n- `skies`: set `SKIES_API_KEY`.\n\nMore words.\n'
    expect(withVendor(text, { port: 'weather.observe', others: ['skies'], line })).to.equal(
      `# Weather\n\nWords.\n\n- \`skies\`: set \`SKIES_API_KEY\`.\n${line}\n\nMore words.\n`,
    )
  })

  it('is at the end of a README that names neither', () => {
    expect(withVendor('# Weather\n\nWords.\n', { port: 'weather.observe', others: [], line })).to.equal(`# Weather\n\nWords.\n\n${line}\n`)
  })
})
