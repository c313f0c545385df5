import { expect } from 'chai'
import { Fault } from '../../../core/sdk/index.js'
import { startBeside, type Beside } from '../../support/beside.js'

interface Diagnosed {
  readonly live: number
  readonly total: number
  readonly gateway?: { readonly pid: number; readonly url: string }
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[]
  readonly capabilities: readonly {
    readonly id: string
    readonly answers: boolean
    readonly ports: readonly {
      readonly id: string
      readonly order_from: string
      readonly left_out: readonly string[]
      readonly providers: readonly { readonly vendor: string; readonly state: string; readonly reason: string | null }[]
    }[]
  }[]
}

describe('commands beside a running gateway', function () {
  this.timeout(120_000)
  let beside: Beside
  before(async () => {
    beside = await startBeside({ bundled: true })
  })
  after(async () => await beside?.close())
  const run = async (...argv: string[]) => await beside.bench.run(...argv)
  const document = async <T>(...argv: string[]): Promise<T> => {
    const { code, err, json } = await run(...argv, '--json')
    expect({ code, err }).to.deep.equal({ code: 0, err: '' })
    return json() as T
  }
  const doctor = () => document<Diagnosed>('doctor')
  const portIn = ({ capabilities }: Diagnosed, id: string) => capabilities.flatMap(({ ports }) => ports).find((port) => port.id === id)
  const stateIn = (found: Diagnosed, port: string, vendor: string) =>
    portIn(found, port)?.providers.find((provider) => provider.vendor === vendor)

  it('doctor calls the gateway, and checks disk, clock, resolver and internet itself', async () => {
    const { gateway, checks } = await doctor()
    expect(gateway).to.include({ pid: process.pid, url: beside.gateway.url })
    expect(checks.map(({ name }) => name)).to.deep.equal([
      ...[
        'store',
        'disk of ledger',
        'disk of files',
        'disk of temporary',
        'redis',
        'artifacts',
        'sandbox',
        'caller programs',
        'plugins',
        'programs',
        'extras',
        'browser',
        'model',
        'configuration',
        'plugin files',
      ],
      ...['disk', 'clock', 'resolver', 'internet'],
    ])
    expect(checks.find(({ name }) => name === 'disk')?.detail).to.match(/^\d+ MiB free at /)
  })

  it('doctor shows who is suspended, by whom and until when', async () => {
    const { suspensions } = beside.gateway.app.services
    expect((await run('providers', 'suspend', 'search.serp', 'wikipedia', '--reason', 'maintenance')).code).to.equal(0)
    suspensions.failed('search.serp/duckduckgo', new Fault('credentials', 'The key was refused.'), { started: Infinity, local: false })
    const found = await doctor()
    expect(stateIn(found, 'search.serp', 'wikipedia')).to.deep.include({
      state: 'suspended',
      reason: 'by the operator until it is resumed (maintenance); capstan providers resume search.serp wikipedia',
    })
    expect(stateIn(found, 'search.serp', 'duckduckgo')?.state).to.equal('suspended')
    expect(stateIn(found, 'search.serp', 'duckduckgo')?.reason).to.match(/^after failures until \d{4}-.*Z \(The key was refused\.\)$/)
    const { out } = await run('doctor')
    expect(out).to.contain('capstan providers resume search.serp wikipedia').and.to.contain(`pid ${process.pid}`)
    for (const vendor of ['wikipedia', 'duckduckgo']) expect((await run('providers', 'resume', 'search.serp', vendor)).code).to.equal(0)
    const after = await doctor()
    for (const vendor of ['wikipedia', 'duckduckgo']) expect(stateIn(after, 'search.serp', vendor)?.state).to.equal('live')
  })

  it('doctor shows the order that was set while running, and whom it leaves out', async () => {
    const set = await document<object>('waterfall', 'set', 'search.serp', 'wikipedia')
    expect(set).to.deep.include({ port: 'search.serp', order: ['wikipedia'], order_from: 'operator' })
    const port = portIn(await doctor(), 'search.serp')
    expect(port?.order_from).to.equal('operator')
    expect(port?.providers.filter(({ state }) => state === 'live').map(({ vendor }) => vendor)).to.deep.equal(['wikipedia'])
    expect(port?.left_out).to.include.members(['duckduckgo', 'serper'])
    const { out } = await run('doctor', '--all')
    expect(out)
      .to.match(/search\.serp, order set while running/)
      .and.to.match(/not in the order: .*duckduckgo/)
    for (const words of [
      ['-hunter', '-snov'],
      ['--', '-hunter', '-snov'],
      ['-hunter,-snov', '--json'],
    ]) {
      expect((await run('waterfall', 'set', 'emails.find', ...words)).code, words.join(' ')).to.equal(0)
      expect(portIn(await doctor(), 'emails.find')?.left_out).to.have.members(['hunter', 'snov'])
      expect((await run('waterfall', 'reset', 'emails.find')).code).to.equal(0)
    }
    expect((await run('waterfall', 'reset', 'search.serp')).code).to.equal(0)
    expect(portIn(await doctor(), 'search.serp')).to.deep.include({ order_from: 'default', left_out: [] })
  })

  it('doctor, /v1/capabilities and /readyz agree on what is live, also when the operator takes the last provider out', async () => {
    const agreed = async () => {
      const found = await doctor()
      const { capabilities } = (await beside.gateway.get('/v1/capabilities')).json<{
        capabilities: { id: string; live: boolean; ports: { id: string; providers: { id: string; state: string }[] }[] }[]
      }>()
      const { checks } = await beside.gateway.app.services.readiness()
      const live = capabilities.filter((each) => each.live).map(({ id }) => id)
      expect(
        found.capabilities
          .filter(({ answers }) => answers)
          .map(({ id }) => id)
          .sort(),
      ).to.deep.equal(live.sort())
      expect(found.live).to.equal(live.length)
      expect(checks.find(({ name }) => name === 'capabilities')?.detail).to.match(
        new RegExp(`^${found.live} of ${found.total} live(?:;|$)`),
      )
      for (const port of capabilities.flatMap(({ ports }) => ports))
        for (const { id, state } of port.providers) expect(stateIn(found, port.id, id)?.state, `${port.id}/${id}`).to.equal(state)
      return found
    }
    const before = await agreed()
    const one = before.capabilities.find(({ answers, ports }) => answers && ports.length === 1)
    const [port] = one?.ports ?? []
    const live = (port?.providers ?? []).filter(({ state }) => state === 'live').map(({ vendor }) => vendor)
    expect(live).to.not.deep.equal([])
    for (const vendor of live) expect((await run('providers', 'suspend', port?.id ?? '', vendor)).code).to.equal(0)
    const after = await agreed()
    expect(after.live).to.equal(before.live - 1)
    const { capabilities } = (await beside.gateway.get('/v1/capabilities')).json<{
      capabilities: { id: string; reason: string | null }[]
    }>()
    const reason = capabilities.find(({ id }) => id === one?.id)?.reason
    expect(reason).to.contain(`capstan providers resume ${port?.id ?? ''} ${live[0] ?? ''}`)
    for (const vendor of live) expect((await run('providers', 'resume', port?.id ?? '', vendor)).code).to.equal(0)
    expect((await agreed()).live).to.equal(before.live)
  })

  it("providers list and waterfall show are the gateway's, of one port or of all", async () => {
    await run('providers', 'suspend', 'search.serp', 'wikipedia')
    const { ports } = await document<{ ports: { id: string; providers: { id: string; suspended: object | null }[] }[] }>(
      ...['providers', 'list', 'search.serp'],
    )
    expect(ports.map(({ id }) => id)).to.deep.equal(['search.serp'])
    expect(ports[0]?.providers.find(({ id }) => id === 'wikipedia')?.suspended).to.deep.equal({
      ...{ why: 'suspended by the operator', until: null, manual: true },
    })
    const { out } = await run('providers', 'list', 'search.serp')
    expect(out).to.match(/search\.serp +\d+ +wikipedia +keyless +suspended +by the operator until it is resumed: suspended by the operator/)
    await run('providers', 'resume', 'search.serp', 'wikipedia')
    expect((await run('waterfall', 'show', 'search.serp')).out).to.match(/search\.serp +default +serper, brave, .*wikipedia/)
    expect((await document<{ ports: object[] }>('waterfall', 'show')).ports.length).to.be.above(20)
  })

  for (const [what, argv, code, words] of [
    ['a port that is none', ['providers', 'list', 'search.serb'], 1, 'there is no port search.serb; did you mean search.serp?'],
    ['a port that is none', ['waterfall', 'set', 'serp', 'brave'], 1, 'There is no port called serp'],
    [
      'a port without providers',
      ['waterfall', 'set', 'search', 'brave'],
      1,
      'search has no providers of its own: it uses search.serp, search.answer',
    ],
    ['the vendor first', ['providers', 'resume', 'wikipedia', 'search.serp'], 1, 'the port comes first, such as search.serp wikipedia'],
    ['an option that is none', ['waterfall', 'set', 'search.serp', '--all'], 2, "unknown option '--all'"],
    ['a vendor that is none', ['providers', 'suspend', 'search.serp', 'wikipeda'], 1, 'did you mean wikipedia?'],
    ['a vendor of another port', ['waterfall', 'set', 'search.serp', 'jina'], 2, 'no vendor of search.serp is called "jina"'],
    ['an order nobody set', ['waterfall', 'reset', 'search.serp'], 1, 'No order was set for search.serp at run time'],
    ['a reason of nothing', ['providers', 'suspend', 'search.serp', 'brave', '--reason', ' '], 2, '--reason must have 1 to 200 characters'],
    ['an order of commas', ['waterfall', 'set', 'search.serp', ','], 2, 'its vendors in order'],
  ] as const)
    it(`${argv.join(' ')}: ${what} is said, with exit code ${code}`, async () => {
      const result = await run(...argv)
      expect({ code: result.code, out: result.out }).to.deep.equal({ code, out: '' })
      expect(result.err).to.contain(words).and.not.to.contain('    at ')
    })
})
