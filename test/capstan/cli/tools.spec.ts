import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { capabilitiesOf, listedCapabilities } from '../../../scripts/capstan/cli/catalogue.js'
import { displayWidth } from '../../../scripts/capstan/cli/display-width.js'
import { exampleCall } from '../../../scripts/capstan/cli/example.js'
import { GatewayClient } from '../../../scripts/capstan/cli/gateway-client.js'
import { parseParameters } from '../../../scripts/capstan/cli/parameters.js'
import { cliBench, type CliBench } from '../../support/cli.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'

describe('capstan tools, and run with --help', function () {
  this.timeout(60_000)
  let gateway: TestGateway
  let bench: CliBench
  before(async () => (gateway = await startGateway({ bundled: true })))
  after(async () => await gateway?.close())
  beforeEach(() => (bench = cliBench({ columns: 100, env: { CAPSTAN_URL: gateway.url } })))
  afterEach(() => bench.done())

  it('lists the capabilities with price and state, without a key', async () => {
    const { code, out, err } = await bench.run('tools')
    expect({ code, err }).to.deep.equal({ code: 0, err: '' })
    expect(out).to.match(/^capability +what it does +credits +state\n/)
    expect(out)
      .to.match(/^scrape +Read a web page +1 to 5 +\S/m)
      .and.to.match(/^emails\.verify +Verify an email address +1 +live$/m)
  })

  it('in a pipe is JSON', async () => {
    const pipe = cliBench({ columns: null, env: { CAPSTAN_URL: gateway.url } })
    const { json } = await pipe.run('tools')
    const page = await pipe.run('tools', 'search')
    pipe.done()
    expect((json() as { capabilities: { id: string }[] }).capabilities.map(({ id }) => id)).to.include.members(['search', 'scrape'])
    expect(page.out, 'a page stays a page').to.match(/^search {2}Search the web\n/)
  })

  it('shows the parameters of a capability with allowed values, range and default, its price, providers and an example', async () => {
    const { code, out } = await bench.run('tools', 'search')
    expect(code).to.equal(0)
    expect(out).to.match(/^price +1 \(serp\), 2 \(ai\), 3 \(deep\) credits per successful call/m)
    expect(out).to.match(/^providers +.*search\.serp: .*duckduckgo/m)
    expect(out).to.match(/^address +POST \/v1\/search$/m)
    expect(out).to.match(/^query +text; required; 1 to \d+ characters$/m)
    expect(out).to.match(/^mode +serp, ai, deep; default ai$/m)
    expect(out).to.match(/^num_results +whole number; 1 to \d+; default \d+$/m)
    expect(out).to.contain("run search query='How does a heat pump work in winter?'")
    expect(out).not.to.contain('Costs')
    const { out: scrape } = await bench.run('tools', 'scrape')
    expect(scrape).to.contain('url=@FILE uploads a file of this machine')
  })

  it('says why a capability is not available', async () => {
    const { out } = await bench.run('tools', 'profiles.find')
    expect(out).to.match(/^state +(?:answers now|not available: .+)/m)
    const described = (await bench.run('tools', 'profiles.find', '--json')).json() as { live: boolean; reason: string | null }
    if (!described.live) expect(out.replaceAll(/\s+/g, ' ')).to.contain(described.reason?.slice(0, 20))
  })

  it('run CAPABILITY --help and help run CAPABILITY are the same page', async () => {
    const wanted = (await bench.run('tools', 'code.execute')).out
    for (const words of [
      ['run', 'code.execute', '--help'],
      ['run', 'code_execute', 'code=1', '-h'],
      ['--config', 'any.yml', 'run', 'code.execute', '--help'],
      ['help', 'run', 'code.execute'],
    ])
      expect((await bench.run(...words)).out, words.join(' ')).to.equal(wanted)
    expect((await bench.run('run', '--help')).out).to.contain('Exit codes:')
  })

  it('has a page for each capability that fits the terminal, with an example that a shell hands over unchanged', async () => {
    const list = await listedCapabilities(new GatewayClient(gateway.url), gateway.url)
    expect(list.length).to.be.above(15)
    const lines = list.flatMap((each) => each.examples.map((params) => ({ each, params, line: exampleCall('capstan', each, params) })))
    const script = lines.map(({ line }) => `capstan() { printf '%s\\0' "$@"; printf '\\n\\0'; }; ${line}`).join('\n')
    const calls = execFileSync('bash', ['--norc', '-c', script]).toString().split('\0\n\0').slice(0, -1)
    expect(calls.length).to.equal(lines.length)
    for (const [at, { each, params }] of lines.entries()) {
      const [run, id, ...words] = (calls[at] ?? '').split('\0')
      expect([run, id]).to.deep.equal(['run', each.id])
      expect(parseParameters(words, each.parameters, '/'), each.id).to.deep.equal(params)
    }
    for (const { id } of list) {
      const { out } = await bench.run('tools', id)
      const long = out.split('\n').filter((line) => displayWidth(line) > 100 && / {2,}|^\S+ \S+ /.test(line) && !line.includes(' run '))
      expect(long, id).to.deep.equal([])
      expect(out, id).not.to.match(/undefined|\[object|NaN/)
    }
  })

  it('without a gateway at the usual address shows what this installation has, and says so', async () => {
    const alone = cliBench({ columns: 100, env: { CAPSTAN_PORT: '1' } })
    const { code, out, err } = await alone.run('tools', 'search')
    alone.done()
    expect(code).to.equal(0)
    expect(err).to.equal('note: no gateway answers at http://127.0.0.1:1; these are the capabilities of this installation\n')
    expect(out).to.match(/^mode +serp, ai, deep; default ai$/m)
  })

  it('skips entries that are none', () => {
    expect(capabilitiesOf({ capabilities: [null, { id: 'a' }, { id: 'b', path: '/v1/b' }] }).map(({ id }) => id)).to.deep.equal(['b'])
    expect(capabilitiesOf('no')).to.deep.equal([])
  })
})
