import { expect } from 'chai'
import { createRequire } from 'node:module'
import { SiteWorld } from '../../../support/site-world.js'
import { needsProgram } from '../../../support/needs.js'

describe('the world of sites', () => {
  it('leaves the TLS clients of the process as they were, whatever number of sites it had', async function () {
    needsProgram(this, 'openssl')
    const tls = createRequire(import.meta.url)('node:tls') as { createSecureContext: unknown }
    const before = tls.createSecureContext
    const world = await SiteWorld.start()
    for (const name of ['one.test', 'two.test']) await world.site(name, (_request, response) => response.end('x'))
    expect(tls.createSecureContext).to.not.equal(before)
    await world.close()
    expect(tls.createSecureContext).to.equal(before)
  }).timeout(30_000)
})
