import { expect } from 'chai'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openSocketOf } from '../../support/beside.js'
import { cliBench } from '../../support/cli.js'
import { send, startGateway, type TestGateway } from '../../support/gateway.js'
import { expectProblem } from '../../support/problem.js'

describe('server.admin_api', function () {
  this.timeout(60_000)
  const onAdminPort = async (gateway: TestGateway, work: (url: string) => Promise<void>) => {
    const server = createServer(gateway.app.adminListener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await gateway.close()
    }
  }

  it('private: the main port has no admin API and does not describe one, the admin port takes the token', async () => {
    const gateway = await startGateway({ env: { CAPSTAN_ADMIN_API: 'private' } })
    await onAdminPort(gateway, async (url) => {
      expectProblem(await gateway.admin('GET', '/admin/v1/accounts'), 'not-found')
      expectProblem(await gateway.send('/admin/v1/accounts', { key: null }), 'not-found')
      expect((await gateway.get('/v1/openapi.json')).text).not.to.contain('/admin/v1')
      expect((await send(`${url}/admin/v1/accounts`, { key: gateway.adminToken })).json()).to.have.property('accounts')
      expectProblem(await send(`${url}/admin/v1/accounts`, {}), 'authentication-required')
      expectProblem(await send(`${url}/admin/v1/accounts`, { key: 'adm_wrong' }), 'invalid-api-key')
      expect((await send(`${url}/readyz`)).status).to.equal(200)
      expect((await send(`${url}/v1/account`, { key: gateway.key })).status).to.equal(404)
      const socket = await openSocketOf(gateway)
      const bench = cliBench({ env: { CAPSTAN_DATA: gateway.folder, CAPSTAN_ADMIN_API: 'private' } })
      expect(await bench.run('providers', 'list')).to.include({ code: 0, err: '' })
      socket?.close()
      const port = new URL(url).port
      const byToken = { CAPSTAN_ADMIN_PORT: port, CAPSTAN_ADMIN_TOKEN: gateway.adminToken, CAPSTAN_ADMIN_API: 'private' }
      const away = cliBench({ env: byToken })
      expect(await away.run('providers', 'list')).to.include({ code: 0, err: '' })
      away.done()
      bench.done()
    })
  })

  it('public, the default: the admin port has probes and metrics alone', async () => {
    const gateway = await startGateway()
    await onAdminPort(gateway, async (url) => {
      expect((await gateway.admin('GET', '/admin/v1/accounts')).status).to.equal(200)
      const reply = await send(`${url}/admin/v1/accounts`, { key: gateway.adminToken })
      expect([reply.status, reply.json()]).to.deep.equal([404, { paths: ['/healthz', '/readyz', '/metrics'] }])
      expect((await gateway.get('/v1/openapi.json')).text).to.contain('/admin/v1/diagnosis')
    })
  })
})
