import { expect } from 'chai'
import { vendorState } from '../../../core/loader/vendor-state.js'
import type { Vendor } from '../../../core/sdk/index.js'
import { fakeConfig, load, type FakeConfig } from '../../support/loader.js'

const state = (vendor: Partial<Vendor>, config: FakeConfig = {}, installed: readonly string[] = []) =>
  vendorState({ id: 'acme', title: 'Acme', ...vendor }, fakeConfig(config), (name) =>
    installed.includes(name) ? `/usr/bin/${name}` : undefined,
  )
const baseUrl = 'https://api.acme.example/v1/'
const secrets = { api_key: 'ACME_API_KEY' }

describe('vendorState', () => {
  it('says whether a vendor is local, keyless or keyed', () => {
    expect(state({}).kind).to.equal('local')
    expect(state({ programs: { bwrap: 'bubblewrap' } }).kind).to.equal('local')
    expect(state({ baseUrl }).kind).to.equal('keyless')
    expect(state({ needsUrl: true }).kind).to.equal('keyless')
    expect(state({ baseUrl, secrets }).kind).to.equal('keyed')
    expect(state({ baseUrl, optionalSecrets: secrets }).kind).to.equal('keyless')
  })

  it('names the variable, the setting, the program and its Debian package that are missing', () => {
    expect(state({ baseUrl }).missing).to.equal(null)
    expect(state({ baseUrl, secrets }).missing).to.equal('set ACME_API_KEY (or vendors.acme.api_key)')
    expect(state({ baseUrl, secrets: { id: 'ACME_ID', token: 'ACME_TOKEN' } }, { env: { ACME_ID: 'x' } }).missing).to.equal(
      'set ACME_TOKEN (or vendors.acme.token)',
    )
    expect(state({ programs: { bwrap: 'bubblewrap' } }).missing).to.equal(
      'install bwrap (Debian package bubblewrap) or set CAPSTAN_PROGRAM_BWRAP',
    )
    expect(state({ programs: { bwrap: 'bubblewrap' } }, {}, ['bwrap']).missing).to.equal(null)
    expect(state({ programs: { tool: 'version 2, from example.com' } }).missing).to.contain(
      'install tool (version 2, from example.com) or set',
    )
    expect(state({ optionalPrograms: { bash: 'bash' } })).to.deep.include({ missing: null, settings: ['CAPSTAN_PROGRAM_BASH'] })
    expect(state({ needsUrl: true }).missing).to.equal('set CAPSTAN_VENDOR_ACME_URL (or vendors.acme.url)')
    expect(state({ needsUrl: true }, { urls: { acme: 'http://10.0.0.1' } }).missing).to.equal(null)
  })

  it('accepts an address of the operator instead of the key where the vendor says so, and only there', () => {
    const own = { urls: { acme: 'http://127.0.0.1:11434/v1' } }
    expect(state({ baseUrl, secrets, keylessWithUrl: true }).missing).to.equal(
      'set ACME_API_KEY (or vendors.acme.api_key), or CAPSTAN_VENDOR_ACME_URL to a server of your own',
    )
    expect(state({ baseUrl, secrets, keylessWithUrl: true }, own)).to.deep.include({ missing: null, kind: 'keyless' })
    expect(state({ baseUrl, secrets }, own).missing).to.equal('set ACME_API_KEY (or vendors.acme.api_key)')
  })

  it('gives the address in force without a trailing slash, and says whose it is', () => {
    expect(state({ baseUrl }).access).to.deep.include({ baseUrl: 'https://api.acme.example/v1', operatorUrl: false })
    expect(state({ baseUrl }, { urls: { acme: 'http://127.0.0.1:1/' } }).access).to.deep.include({
      baseUrl: 'http://127.0.0.1:1',
      operatorUrl: true,
    })
    expect(state({}).access.baseUrl).to.equal('')
  })

  it('T-67 reads declared secrets alone', () => {
    const { access } = state(
      { secrets, optionalSecrets: { region: 'ACME_REGION' } },
      { env: { ACME_API_KEY: 'k', SKIES_API_KEY: 'other' } },
    )
    expect(access.secret('api_key')).to.equal('k')
    expect(access.secret('region')).to.equal('')
    expect(() => access.secret('SKIES_API_KEY')).to.throw('vendor acme reads the secret "SKIES_API_KEY", which it does not declare')
    expect(() => access.secret('toString')).to.throw('does not declare')
  })

  it('lists the variables that configure a vendor', async () => {
    const all = (await load()).ports.get('weather.observe')?.all ?? []
    expect(all.map(({ vendor, settings }) => [vendor.id, settings])).to.deep.equal([
      ['barometer', ['CAPSTAN_PROGRAM_BAROMETER', 'CAPSTAN_BAROMETER_UNIT']],
      ['skies', ['SKIES_API_KEY', 'CAPSTAN_VENDOR_SKIES_URL']],
      ['stranger', ['CAPSTAN_VENDOR_STRANGER_URL']],
    ])
  })
})
