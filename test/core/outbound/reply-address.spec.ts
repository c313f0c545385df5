import { expect } from 'chai'
import { replyAddress } from '../../../core/outbound/vendor-plan.js'
import { Fault } from '../../../core/sdk/index.js'

const vendor = { id: 'v', title: 'V', baseUrl: 'https://app.vendor.example/api', hosts: { other: 'https://proxy.vendor.example/x' } }
const kindOf = (address: string, baseUrl = vendor.baseUrl, operatorUrl = false): string => {
  try {
    return replyAddress(address, { vendor, baseUrl, operatorUrl, settings: {}, secret: () => '' }) === address ? 'taken' : 'changed'
  } catch (error) {
    return Fault.is(error) ? error.kind : 'another error'
  }
}

describe('addresses that a reply of a vendor names', () => {
  for (const address of ['https://proxy.eu.vendor.example/toolbox', 'https://vendor.example', 'https://49983-id.vendor.example/'])
    it(`the vendor's own domain is taken: ${address}`, () => expect(kindOf(address)).to.equal('taken'))

  for (const address of [
    'http://proxy.vendor.example/toolbox',
    'https://proxy.vendor.example:8443/toolbox',
    'https://vendor.example.evil.example/',
    'https://notvendor.example.com/',
    'https://proxy.vendor.example@evil.test/',
    'https://user:word@proxy.vendor.example/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://evil.test/?x=.vendor.example',
    'https://evil.test/#.vendor.example',
    'file:///etc/passwd',
    'proxy.vendor.example',
    '',
  ])
    it(`any other is broken: ${JSON.stringify(address)}`, () => expect(kindOf(address)).to.equal('broken'))

  it("with the operator's address only its very host is taken, not the vendor's domain nor a sibling", () => {
    const own = 'http://10.0.0.5:3000/api'
    expect(kindOf('http://10.0.0.5:4000/toolbox', own, true)).to.equal('taken')
    expect(kindOf('http://10.9.0.5:4000/toolbox', own, true)).to.equal('broken')
    expect(kindOf('https://proxy.vendor.example/toolbox', own, true)).to.equal('broken')
    expect(kindOf('https://db.corp.example/', 'https://app.corp.example/api', true)).to.equal('broken')
  })
})
