import { expect } from 'chai'
import { mkdirSync, renameSync } from 'node:fs'
import { createServer } from 'node:net'
import { startBeside } from '../../support/beside.js'
import { cliBench, type CliBench } from '../../support/cli.js'
import { startGateway } from '../../support/gateway.js'

describe('provider commands without a running gateway', function () {
  this.timeout(120_000)
  let bench: CliBench
  beforeEach(
    () =>
      (bench = cliBench({
        parts: { probes: () => Promise.resolve(new Map()), sandbox: () => Promise.resolve({ live: true, detail: '', checks: [] }) },
      })),
  )
  afterEach(() => bench.done())
  const data = () => `${bench.folder}/data`

  it('say so, and work on the store, which a gateway takes over at its start', async () => {
    const suspended = await bench.run('providers', 'suspend', 'search.serp', 'wikipedia', '--reason', 'maintenance', '--json')
    expect(suspended).to.include({ code: 0 })
    expect(suspended.err).to.match(
      /^note: no running gateway was reached \(no gateway listens at .*admin\.sock; to reach one on another machine set CAPSTAN_ADMIN_TOKEN/,
    )
    await bench.run('waterfall', 'set', 'search.serp', 'wikipedia', 'duckduckgo')
    const doctor = (await bench.run('doctor', '--json')).json() as {
      capabilities: { id: string; ports: { id: string; order_from: string; providers: object[] }[] }[]
    }
    const port = doctor.capabilities.flatMap(({ ports }) => ports).find(({ id }) => id === 'search.serp')
    expect(port?.order_from).to.equal('operator')
    expect(port?.providers[0]).to.include({ vendor: 'wikipedia', state: 'suspended' })
    const gateway = await startGateway({ bundled: true, folder: data() })
    try {
      const loaded = gateway.app.services.registry().ports.get('search.serp')
      expect(loaded?.providers.map(({ vendor, suspended: why }) => [vendor.id, why])).to.deep.equal([
        ['wikipedia', 'maintenance'],
        ['duckduckgo', undefined],
      ])
      const { entries } = (await gateway.admin('GET', '/admin/v1/audit')).json<{
        entries: { actor: string; action: string; target: string }[]
      }>()
      expect(entries.map(({ actor, action, target }) => [actor, action, target])).to.deep.include.members([
        ['cli', 'waterfall.put', 'search.serp'],
        ['cli', 'provider.suspend', 'search.serp/wikipedia'],
      ])
    } finally {
      await gateway.close()
    }
  })

  it('call a remote gateway with the admin token, and report why it refuses', async () => {
    const near = await startBeside()
    const { gateway } = near
    const away = cliBench({ env: { CAPSTAN_URL: gateway.url, CAPSTAN_ADMIN_TOKEN: gateway.adminToken } })
    const wrong = cliBench({ env: { CAPSTAN_URL: gateway.url, CAPSTAN_ADMIN_TOKEN: 'adm_wrong' } })
    try {
      const { code, err, json } = await away.run('providers', 'list', '--json')
      expect({ code, err }).to.deep.equal({ code: 0, err: '' })
      expect((json() as { ports: { id: string }[] }).ports.map(({ id }) => id)).to.deep.equal(['test.echo', 'test.send', 'test.part'])
      expect((await wrong.run('providers', 'list', 'search.serp')).err).to.contain(
        `the one at ${gateway.url} refused CAPSTAN_ADMIN_TOKEN: The admin token is wrong`,
      )
    } finally {
      away.done()
      wrong.done()
      await near.close()
    }
  })

  it('pass over the socket of a gateway that was killed', async () => {
    mkdirSync(data(), { recursive: true })
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(`${data()}/other.sock`, resolve))
    renameSync(`${data()}/other.sock`, `${data()}/admin.sock`)
    await new Promise((resolve) => server.close(resolve))
    expect((await bench.run('waterfall', 'show', 'search.serp')).err).to.contain(`the gateway at ${data()}/admin.sock is no longer running`)
  })

  for (const [what, argv, code, words] of [
    ['a vendor that is none', ['providers', 'suspend', 'search.serp', 'wikipeda'], 1, 'did you mean wikipedia?'],
    ['a vendor of another port', ['waterfall', 'set', 'search.serp', 'jina'], 2, 'no vendor of search.serp is called "jina"'],
    ['an order nobody set', ['waterfall', 'reset', 'search.serp'], 1, 'No order was set for search.serp at run time'],
  ] as const)
    it(`refuse as beside one: ${what}`, async () => {
      const result = await bench.run(...argv)
      expect(result.code).to.equal(code)
      expect(result.err).to.contain(words).and.not.to.contain('    at ')
    })
})
