import { expect } from 'chai'
import { existsSync } from 'node:fs'
import { packageRoot } from '../../core/runtime/root.js'
import { send, startGateway, type TestGateway } from '../support/gateway.js'
import { pages, source } from '../support/pages.js'
import { ACCEPT, LEGACY, McpStdio, messagesOf, type Message } from '../support/mcp.js'

/** A server as the settings of a client name it: a program, or an address. */
interface Setup {
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
}

const initialize = { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
/** Where a page says that the clone is. */
const CLONE = '/path/to/capstan'

function blocksOf(page: string): string[] {
  return [...source(page).matchAll(/^```[a-z]*\n([^]*?)^```/gm)].map(([, block = '']) => block)
}

/** Settings of clients in JSON: `mcpServers` of most of them, `servers` of VS Code. */
function setupsIn(block: string): Setup[] {
  if (!/"(?:mcpServers|servers)"/.test(block)) return []
  const { mcpServers, servers } = JSON.parse(block) as Record<'mcpServers' | 'servers', Record<string, Setup> | undefined>
  return [...Object.values(mcpServers ?? {}), ...Object.values(servers ?? {})]
}

/** What a `claude mcp add` line makes: `--transport http NAME URL --header LINE`, or `NAME -- COMMAND ARGUMENTS`. */
function addedBy(line: string): Setup {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const program = words.indexOf('--')
  if (program !== -1) return { command: words[program + 1] ?? '', args: words.slice(program + 2) }
  const [name, value = ''] = (words[words.indexOf('--header') + 1] ?? '').split(/: */, 2)
  return { url: words.find((word) => word.startsWith('http:')) ?? '', headers: { [name ?? '']: value } }
}

describe('the setup of MCP clients as the pages have it', function () {
  this.timeout(30_000)
  let gateway: TestGateway
  let key: string
  before(async () => {
    gateway = await startGateway()
    key = (await gateway.newKey()).key
  })
  after(async () => await gateway.close())

  const tools = ({ result }: Message): string[] => (result?.['tools'] as { name: string }[]).map(({ name }) => name)

  async function listed({ command, args = [], url, headers = {} }: Setup): Promise<string[]> {
    if (url !== undefined) {
      const { pathname, search } = new URL(url)
      const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(/cap_…|\$CAPSTAN_API_KEY/, key)]))
      const call = async (method: string, params: object): Promise<Message> => {
        const body = { jsonrpc: '2.0', id: 1, method, params }
        const reply = await send(gateway.url + pathname + search, { body, headers: { ...sent, accept: ACCEPT } })
        return messagesOf(reply.text)[0] ?? {}
      }
      expect((await call('initialize', initialize)).result).to.include({ protocolVersion: LEGACY })
      return tools(await call('tools/list', {}))
    }
    const words = [command ?? '', ...args]
    const script = words.find((word) => word.includes(CLONE))
    if (script !== undefined) expect(existsSync(script.replace(CLONE, packageRoot())), script).to.equal(true)
    const session = new McpStdio({ CAPSTAN_URL: gateway.url, CAPSTAN_API_KEY: key }, ...words.slice(words.indexOf('mcp') + 1))
    expect((await session.request(1, 'initialize', initialize)).result).to.include({ protocolVersion: LEGACY })
    const found = tools(await session.request(2, 'tools/list'))
    expect(await session.close()).to.equal(0)
    return found
  }

  it('works: each of them initializes and lists the tools', async () => {
    const blocks = pages().flatMap(blocksOf)
    const lines = blocks.flatMap((block) => block.split('\n').filter((line) => line.startsWith('claude mcp add')))
    const setups = [...blocks.flatMap(setupsIn), ...lines.map(addedBy)]
    expect(
      setups.some(({ url }) => url !== undefined),
      'one by an address',
    ).to.equal(true)
    expect(
      setups.some(({ command }) => command !== undefined),
      'one by a program',
    ).to.equal(true)
    expect(lines.length, 'claude mcp add').to.be.at.least(1)
    const alike = new Map(setups.map((setup) => [JSON.stringify(setup), setup]))
    for (const setup of alike.values()) expect(await listed(setup), JSON.stringify(setup)).to.deep.equal(['test_echo'])
  })
})
