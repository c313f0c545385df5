import { expect } from 'chai'
import { configFolder, type ConfigFolder } from '../../support/config.js'

const SHORT = { CAPSTAN_ADMIN_TOKEN: 'short' }

describe('an admin token that can be guessed', () => {
  let folder: ConfigFolder
  beforeEach(() => (folder = configFolder()))
  afterEach(() => folder.done())

  for (const [where, env] of Object.entries({
    'the gateway listens to other machines': { CAPSTAN_HOST: '0.0.0.0' },
    'a proxy brings requests from elsewhere': { CAPSTAN_TRUSTED_PROXIES: '127.0.0.1' },
    'the admin API is private and its port listens to other machines': { CAPSTAN_ADMIN_API: 'private', CAPSTAN_ADMIN_HOST: '10.0.0.1' },
  }))
    it(`is refused where ${where}`, () => {
      const [problem] = folder.refuse(null, { ...SHORT, ...env })
      expect(problem).to.include({ where: 'CAPSTAN_ADMIN_TOKEN', level: 'error' })
      expect(problem?.message).to.contain('has 5 characters').and.not.to.contain('short')
    })

  for (const env of [{}, { CAPSTAN_HOST: '::1' }, { CAPSTAN_HOST: '0.0.0.0', CAPSTAN_ADMIN_API: 'private' }])
    it(`is warned of where only this machine reaches the admin API (${JSON.stringify(env)})`, () => {
      const { settings, warnings } = folder.load(null, { ...SHORT, ...env })
      expect(settings.server.admin_token).to.equal('short')
      expect(warnings.map(({ where, level }) => [where, level])).to.deep.equal([['CAPSTAN_ADMIN_TOKEN', 'warning']])
    })

  it('is one with fewer than 16 characters', () => {
    expect(folder.load(null, { CAPSTAN_HOST: '0.0.0.0', CAPSTAN_ADMIN_TOKEN: 'x'.repeat(16) }).warnings).to.deep.equal([])
  })
})
