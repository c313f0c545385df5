import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { suppression } from './suppressed.js'

const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`
const nobody = { linkedin_url: null, names: [], companies: [] }
const ada = { linkedin_url: null, names: ['Áda  LOVELACE'], companies: ['Analytical Engines Ltd.'] }
const address = (slug: string) => ({ ...nobody, linkedin_url: `https://www.linkedin.com/in/${slug}` })

describe('people who are not looked up', () => {
  it('are none without a list', () => {
    expect(suppression([])(address('ada'))).to.equal(false)
    expect(suppression(['in/ada'])(nobody)).to.equal(false)
  })
  it('are known by their address in any spelling', () => {
    const listed = suppression(['in/Ada-Lovelace', 'in/j%C3%BCrgen', sha256('in/grace')])
    for (const slug of ['ada-lovelace', 'j%C3%BCrgen', 'grace']) expect(listed(address(slug))).to.equal(true)
    for (const slug of ['ada', 'ada-lovelace-2', 'jurgen']) expect(listed(address(slug))).to.equal(false)
  })
  it('are known by name with company, whatever case, accents and legal form', () => {
    const listed = suppression([sha256('ada lovelace|analyticalengines').toUpperCase().replace('SHA', 'sha')])
    expect(listed(ada)).to.equal(true)
    expect(listed({ ...ada, companies: ['Other'] })).to.equal(false)
    expect(listed({ ...ada, companies: ['Other', 'analytical engines'] })).to.equal(true)
    expect(listed({ ...ada, names: ['Ada Byron'] })).to.equal(false)
  })
})
