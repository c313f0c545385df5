import { expect } from 'chai'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { McpStdio, META, textOf } from '../../support/mcp.js'
import { Stage } from '../../support/stage.js'

describe('capstan mcp', function () {
  this.timeout(60_000)
  const stage = new Stage()
  let gateway: TestGateway
  let session: McpStdio
  let env: Record<string, string>
  before(async () => {
    gateway = await startGateway({ script: { 'test.echo': [stage.vendor('one')] } })
    env = { CAPSTAN_URL: gateway.url, CAPSTAN_API_KEY: (await gateway.newKey()).key }
    session = new McpStdio(env)
  })
  after(async () => {
    expect(await session.close()).to.equal(0)
    await gateway.close()
  })

  it('is an MCP server of 2025-11-25: initialize, list, call with progress', async () => {
    const about = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    expect((await session.request(1, 'initialize', about)).result).to.include({ protocolVersion: '2025-11-25' })
    session.send({ method: 'notifications/initialized' })
    expect((await session.request(2, 'tools/list')).result?.['tools']).to.have.lengthOf(1)
    const call = { name: 'test_echo', arguments: { text: 'step by step' }, _meta: { progressToken: 9 } }
    expect((await session.request(3, 'tools/call', call)).result).to.deep.include({ structuredContent: { text: 'step by step' } })
    const progress = await session.get(({ method }) => method === 'notifications/progress')
    expect(progress.params).to.include({ progressToken: 9, message: 'working: half done (1 of 2)' })
  })

  it('and of 2026-07-28, whose requests name their revision', async () => {
    const call = { name: 'test_echo', arguments: { text: 'hello' }, _meta: META }
    expect((await session.request(4, 'tools/call', call)).result).to.deep.include({ structuredContent: { text: 'hello' } })
  })

  it('a cancelled call ends at the gateway and is not charged; a second cancellation does nothing', async () => {
    const { balance } = await gateway.money()
    session.send({ id: 5, method: 'tools/call', params: { name: 'test_echo', arguments: { text: 'wait for it' } } })
    await stage.until(() => stage.texts.includes('one:wait for it'))
    for (let count = 0; count < 2; count++) session.send({ method: 'notifications/cancelled', params: { requestId: 5 } })
    await stage.until(() => stage.aborted.includes('wait for it'))
    expect((await session.request(6, 'tools/list')).result).to.have.property('tools')
    expect((await gateway.money()).balance).to.equal(balance)
  })

  it('a line that is no message is answered, and the next one is processed', async () => {
    session.send([])
    expect((await session.request(8, 'ping')).result).to.deep.equal({})
  })

  it('a wrong key is refused with the words of the gateway', async () => {
    const other = new McpStdio({ ...env, CAPSTAN_API_KEY: `${env['CAPSTAN_API_KEY']?.slice(0, -4)}xxxx` })
    const { error } = await other.request(1, 'tools/list')
    expect(error?.message).to.contain('key')
    expect(await other.close()).to.equal(0)
  })

  it('--search has two tools: what one finds, the other runs', async () => {
    const other = new McpStdio(env, '--search')
    expect((await other.request(1, 'tools/list')).result?.['tools']).to.have.lengthOf(2)
    const found = await other.request(2, 'tools/call', { name: 'find_capability', arguments: { query: 'say a text again' } })
    const { capabilities } = JSON.parse(textOf(found)) as { capabilities: { id: string; call: string }[] }
    expect(capabilities[0]).to.include({ id: 'test.echo' })
    expect(capabilities[0]?.call).to.match(/^test\.echo\(text, /)
    const run = { capability: capabilities[0]?.id, params: { text: 'found' } }
    const ran = await other.request(3, 'tools/call', { name: 'run_capability', arguments: run })
    expect(ran.result).to.deep.include({ structuredContent: { text: 'found' } })
    expect(await other.close()).to.equal(0)
  })
})
