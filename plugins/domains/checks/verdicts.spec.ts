import { expect } from 'chai'
import { combined, type Verdict } from './verdicts.js'

const says = (more: Partial<Verdict>): Verdict => ({
  domain: 'acme.com',
  status: 'available',
  verified: true,
  premium: null,
  early_access: null,
  price: null,
  priceOf: null,
  ...more,
})
const price = (registration: number) => ({ price: { registration, renewal: null, currency: 'USD' }, priceOf: 'godaddy' })

describe('domains: one verdict of two', () => {
  it("a later vendor's guess takes nothing from a registry's word", () => {
    expect(combined(says({}), says({ verified: false }))).to.include({ status: 'available', verified: true })
    expect(combined(says({ verified: false }), says({}))).to.include({ status: 'available', verified: true })
    expect(combined(says({ verified: false }), says({ verified: false }))).to.include({ verified: false })
  })

  it('a price that was named stays, with who named it, until another one is', () => {
    expect(combined(says(price(900)), says({ verified: false }))).to.deep.include(price(900))
    const other = { price: { registration: 800, renewal: null, currency: 'USD' }, priceOf: 'namecheap' }
    expect(combined(says(price(900)), says(other))).to.deep.include(other)
    expect(combined(says({}), says(price(900)))).to.deep.include(price(900))
  })

  it('premium and early access stay known', () => {
    expect(combined(says({ premium: true, early_access: true }), says({}))).to.include({ premium: true, early_access: true })
    expect(combined(says({ premium: true }), says({ premium: false }))).to.include({ premium: false })
  })
})
