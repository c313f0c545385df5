import { expect } from 'chai'
import { describe as describeAll } from '../../../core/http/discovery/described.js'
import { mcpTool } from '../../../scripts/capstan/mcp/tool-list.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'

const ACCEPT = 'application/json, text/event-stream'

describe('MCP over the shipped plugins', () => {
  let gateway: TestGateway
  before(async () => (gateway = await startGateway({ bundled: true })))
  after(async () => await gateway.close())

  const list = async (query = ''): Promise<string> => {
    const { key } = await gateway.newKey()
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const { text } = await gateway.send(`/mcp${query}`, { body, key, headers: { accept: ACCEPT, 'mcp-protocol-version': '2025-11-25' } })
    return /^data: (\{.*)$/m.exec(text)?.[1] ?? text
  }

  it('the list of tools has at most 1,000 bytes for each of them, and every parameter that must be given is described', async () => {
    const text = await list()
    const { tools } = (
      JSON.parse(text) as {
        result: { tools: { name: string; inputSchema: { properties: Record<string, object>; required?: string[] } }[] }
      }
    ).result
    expect(tools.length).to.be.above(8)
    expect(text.length / tools.length).to.be.below(1_000)
    for (const { name, inputSchema } of tools)
      for (const parameter of inputSchema.required ?? [])
        expect(inputSchema.properties[parameter], `${name}.${parameter}`).to.have.property('description')
  })

  it('the list of all of them, whatever is live, has at most 24 kB', () => {
    const tools = describeAll(gateway.app.services.registry()).map(mcpTool)
    expect(tools.length).to.be.at.least(24)
    expect(Buffer.byteLength(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools } }))).to.be.at.most((24_000 / 24) * tools.length)
  })

  it('with mode=search it has at most 2 kB', async () => {
    expect((await list('?mode=search')).length).to.be.below(2_000)
  })
})
