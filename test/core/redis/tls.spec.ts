import { expect } from 'chai'
import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { needsProgram } from '../../support/needs.js'
import { freePort, Links, startRedis, type TestRedis } from '../../support/redis.js'

const PASSWORD = 'canary-secret'

describe('Redis over TLS', function () {
  this.timeout(20_000)
  const links = new Links()
  let folder: string
  let redis: TestRedis
  let url: string
  before(async function () {
    needsProgram(this, 'redis-server')
    needsProgram(this, 'openssl')
    folder = await mkdtemp(join(tmpdir(), 'capstan-redis-tls-'))
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    execFileSync('openssl', ['req', '-x509', ...key, ...subject, ...files], { stdio: 'ignore' })
    const port = await freePort()
    const cert = ['--tls-cert-file', join(folder, 'cert.pem'), '--tls-key-file', join(folder, 'key.pem'), '--tls-auth-clients', 'no']
    redis = await startRedis(['--requirepass', PASSWORD, '--tls-port', String(port), ...cert], PASSWORD)
    url = `rediss://:${PASSWORD}@localhost:${port}`
  })
  after(async () => {
    await redis?.close()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })
  afterEach(() => links.close())

  it('a certificate nobody vouches for is refused before the password is sent', async () => {
    await redis.admin.config('RESETSTAT')
    const link = await links.open(url)
    expect(link.state().shared).to.equal(false)
    expect(link.state().detail).to.contain('self-signed certificate')
    expect(await redis.admin.info('commandstats')).not.to.contain('cmdstat_hello')
    expect(JSON.stringify(links.logs)).not.to.contain('secret')
  })

  it('a certificate of an authority the operator named works', async () => {
    const client = new URL('../../../core/redis/client.js', import.meta.url).href
    const clock = new URL('../../../core/runtime/clock.js', import.meta.url).href
    const code = `
      const { openRedis } = await import(${JSON.stringify(client)})
      const { systemClock } = await import(${JSON.stringify(clock)})
      const link = await openRedis({ url: ${JSON.stringify(url)}, setting: 'CAPSTAN_REDIS', clock: systemClock, log: () => undefined })
      console.log(JSON.stringify(link.state()))
      link.close()`
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') }
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { env })
    expect(JSON.parse(stdout)).to.deep.equal({ shared: true, detail: 'answers' })
  })
})
