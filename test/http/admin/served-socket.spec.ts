import { expect } from 'chai'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zoneServer } from '../../../core/sdk/testkit/dns-zones.js'
import { capstan, Served } from '../../support/served.js'

describe('the command line beside a gateway in a process of its own', function () {
  this.timeout(300_000)
  /** Without a token, so that only the socket is left; nothing outside this machine is called. */
  let env: Record<string, string>
  let data: string
  let names: Awaited<ReturnType<typeof zoneServer>>
  before(async () => {
    data = mkdtempSync(join(tmpdir(), 'capstan-served-'))
    names = await zoneServer({ 'example.com': { A: ['127.0.0.1'] } })
    env = { CAPSTAN_ADMIN_TOKEN: '', CAPSTAN_DNS: names.address, CAPSTAN_VENDOR_MOCK_URL: 'http://127.0.0.1:9' }
  })
  after(async () => {
    rmSync(data, { recursive: true, force: true })
    await names.close()
  })

  it('reaches it by the socket, also after a kill and another start, and no more after an orderly stop', async () => {
    const socket = join(data, 'admin.sock')
    const first = new Served({ env, data })
    await first.line('ready')
    const suspended = await capstan(['providers', 'suspend', 'bench.echo', 'mock', '--json'], { env, data })
    expect(suspended).to.include({ code: 0, err: '', out: '{"port":"bench.echo","vendor":"mock","suspended":true}\n' })
    first.signal('SIGKILL')
    await first.end()
    expect(existsSync(socket)).to.equal(true)
    const second = new Served({ env, data })
    await second.line('ready')
    const doctor = await capstan(['doctor', '--json'], { env, data })
    expect(doctor).to.include({ code: 0, err: '' })
    const { gateway, capabilities } = JSON.parse(doctor.out) as {
      gateway: { pid: number }
      capabilities: { id: string; answers: boolean; ports: { providers: { vendor: string; state: string }[] }[] }[]
    }
    expect(gateway.pid).to.equal(second.pid)
    const echo = capabilities.find(({ id }) => id === 'bench.echo')
    expect([echo?.answers, echo?.ports[0]?.providers.map(({ vendor, state }) => [vendor, state])]).to.deep.equal([
      false,
      [['mock', 'suspended']],
    ])
    second.signal('SIGTERM')
    expect((await second.ended).code).to.equal(0)
    expect(existsSync(socket)).to.equal(false)
    const none = await capstan(['waterfall', 'show', 'bench.echo'], { env, data })
    expect(none.err).to.contain(`no gateway listens at ${socket}`)
    await second.end()
  })
})
