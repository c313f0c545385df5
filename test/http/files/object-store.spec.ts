import { expect } from 'chai'
import { systemClock } from '../../../core/runtime/clock.js'
import { startGateway, send, type TestGateway } from '../../support/gateway.js'
import { expectHeaders } from '../../support/problem.js'
import { ACCOUNT, BUCKET, S3Server } from '../../support/s3.js'
import { errorOf } from '../../support/unit.js'

describe('a gateway whose files lie in an object store', function () {
  this.timeout(20_000)
  let server: S3Server
  const gateways: TestGateway[] = []
  const env = (options = '') => ({
    CAPSTAN_ARTIFACTS: server.setting(options),
    CAPSTAN_S3_ACCESS_KEY_ID: ACCOUNT.accessKeyId,
    CAPSTAN_S3_SECRET_ACCESS_KEY: ACCOUNT.secretAccessKey,
  })
  const start = async (options?: string): Promise<TestGateway> => {
    const gateway = await startGateway({ env: env(options) })
    gateways.push(gateway)
    return gateway
  }
  before(async () => void (server = await new S3Server(systemClock).start()))
  afterEach(async () => {
    for (const gateway of gateways.splice(0)) await gateway.close()
  })
  after(async () => await server.close())
  const put = (gateway: TestGateway) =>
    gateway.app.services.artifacts.put('default', Buffer.from('far away'), { name: 'report.html', contentType: 'text/html' })

  it('hands a file out through itself, with all its headers', async () => {
    const { url } = await put(await start())
    const reply = await send(url)
    expect(reply.text).to.equal('far away')
    expectHeaders(reply)
    expect(reply.headers['content-security-policy']).to.contain('sandbox')
    expect((await send(url, { method: 'HEAD' })).status).to.equal(200)
  })

  it('or sends the caller to the store, for a few minutes, and never to a page a browser would run', async () => {
    const { url } = await put(await start('&links=direct'))
    const sent = await send(url)
    expect(sent.status).to.equal(302)
    expectHeaders(sent)
    expect(sent.headers['cache-control']).to.equal('no-store')
    const there = await send(sent.headers.location ?? '')
    expect(there.text).to.equal('far away')
    expect(there.headers['content-disposition']).to.match(/^attachment; filename="report.html"/)
    expect(there.headers['content-type']).to.equal('application/octet-stream')
    expect((await send(url, { method: 'HEAD' })).status, "the store's link is for GET").to.equal(200)
    const other = url.replace(/(signature=)(.)/, (_, name: string, first: string) => name + (first === 'A' ? 'B' : 'A'))
    expect((await send(other)).status).to.equal(404)
  })

  for (const [what, change, says] of [
    ['wrong secret', { CAPSTAN_S3_SECRET_ACCESS_KEY: 'canary-secret' }, 'CAPSTAN_S3_SECRET_ACCESS_KEY'],
    ['unknown key', { CAPSTAN_S3_ACCESS_KEY_ID: 'AKIAUNKNOWN' }, 'CAPSTAN_S3_ACCESS_KEY_ID'],
    ['missing secret', { CAPSTAN_S3_SECRET_ACCESS_KEY: '' }, 'CAPSTAN_S3_SECRET_ACCESS_KEY'],
  ] as const)
    it(`does not start with a ${what}, and says in one line which setting to change`, async () => {
      const error = await errorOf(startGateway({ env: { ...env(), ...change } }))
      expect(error.name).to.equal('ConfigError')
      expect(error.message).to.include(says).and.not.include('\n').and.not.include('canary')
    })

  it('starts while the store is away, and says so', async () => {
    const logs: string[] = []
    const gateway = await startGateway({
      env: { ...env(), CAPSTAN_ARTIFACTS: `s3://${BUCKET}?endpoint=http://127.0.0.1:1` },
      overrides: { log: (_level, message) => void logs.push(message) },
    })
    gateways.push(gateway)
    expect(logs.join('\n')).to.match(/files cannot be stored at the moment: .*nothing listens there/)
  })
})
