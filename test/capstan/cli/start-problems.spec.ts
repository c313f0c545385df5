import { expect } from 'chai'
import { startProblems } from '../../../scripts/capstan/cli/start-problems.js'
import { configFolder, type ConfigFolder } from '../../support/config.js'

describe('what would keep a gateway from starting here', () => {
  let folder: ConfigFolder
  beforeEach(() => (folder = configFolder()))
  afterEach(() => folder.done())

  it('is nothing with the defaults, and with hosts of this machine', async () => {
    for (const env of [{}, { CAPSTAN_HOST: '0.0.0.0', CAPSTAN_ADMIN_HOST: 'localhost' }])
      expect(await startProblems(folder.load(null, env))).to.deep.equal([])
  })

  it('is a host of another machine, or none, with its place', async () => {
    const config = folder.load('server:\n  host: 192.0.2.1\n', { CAPSTAN_ADMIN_HOST: 'no-such-host.invalid' })
    const [main, admin, ...more] = await startProblems(config)
    expect(more).to.deep.equal([])
    expect(main).to.deep.include({ where: 'capstan.yml:2:9', level: 'error' })
    expect(main?.message).to.contain('192.0.2.1 is not an address of this machine: set CAPSTAN_HOST ')
    expect(admin).to.deep.include({ where: 'CAPSTAN_ADMIN_HOST', level: 'error' })
    expect(admin?.message).to.match(/^no-such-host\.invalid (?:is not a known host|cannot be looked up).*CAPSTAN_ADMIN_HOST/)
  })

  it('is an object store without credentials', async () => {
    const store = { CAPSTAN_ARTIFACTS: 's3://bucket?endpoint=http://127.0.0.1:9000' }
    const [problem, ...more] = await startProblems(folder.load(null, store))
    expect(more).to.deep.equal([])
    expect(problem).to.deep.include({ where: 'CAPSTAN_ARTIFACTS' })
    expect(problem?.message).to.contain('CAPSTAN_S3_ACCESS_KEY_ID is not set')
    const keys = { CAPSTAN_S3_ACCESS_KEY_ID: 'a', CAPSTAN_S3_SECRET_ACCESS_KEY: 'b' }
    expect(await startProblems(folder.load(null, { ...store, ...keys }))).to.deep.equal([])
  })
})
