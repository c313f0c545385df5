import { expect } from 'chai'
import { loggedPath } from '../../../core/outbound/vendor-plan.js'

describe('outbound: paths in logs', () => {
  for (const [path, logged] of [
    ['/v1/find', '/v1/find'],
    ['/sparql?query=x', '/sparql'],
    ['/v2/companies/acme.test', '/v2/companies/…'],
    ['/employee_multi_source/collect/ada-lovelace', '/employee_multi_source/…'],
    ['/person/enrich', '/person/…'],
    ['/v1/text-to-speech/voice', '/v1/…'],
    ['/acme.test', '/…'],
    ['/first.last%40example.com', '/…'],
    ['/0d8f6a52-1f0e-4a57-b7c5-1f2f8f1c9f6a/files', '/…'],
    ['/people//x', '/people/…'],
    ['/v1', '/v1'],
    ['/', '/'],
    ['', ''],
  ] as const)
    it(`${path === '' ? 'nothing' : path} is ${logged === '' ? 'nothing' : logged}`, () => expect(loggedPath(path)).to.equal(logged))
})
