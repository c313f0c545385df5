import { expect } from 'chai'
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { packageRoot } from '../../../core/runtime/root.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { Stage } from '../../support/stage.js'

interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: Record<string, unknown>
  readonly error?: { readonly message: string; readonly data?: { readonly slug?: string } }
}

/** `capstan mcp` as a client starts it. */
class Session {
  readonly #child: ChildProcess
  readonly #messages: Message[] = []
  readonly #waiting: (() => void)[] = []
  readonly ended: Promise<number | null>

  constructor(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
    const script = join(packageRoot(), 'dist', 'scripts', 'capstan', 'cli', 'main.js')
    this.#child = spawn(process.execPath, [script, 'mcp', ...args], { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...env } })
    this.ended = new Promise((resolve) => this.#child.on('close', resolve))
    if (this.#child.stdout === null) throw new Error('no output')
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.#messages.push(JSON.parse(line) as Message)
      for (const look of this.#waiting.splice(0)) look()
    })
  }

  send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  /** The first message that fits. */
  async get(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.#messages.find(fits)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  async ask(id: number, method: string, params: object = {}): Promise<Message> {
    this.send({ id, method, params })
    return await this.get((message) => message.id === id)
  }

  async close(): Promise<number | null> {
    this.#child.stdin?.end()
    return await this.ended
  }
}

describe('capstan mcp', function () {
  this.timeout(60_000)
  const stage = new Stage()
  let gateway: TestGateway
  let session: Session
  let env: Record<string, string>
  before(async () => {
    gateway = await startGateway({ script: { 'test.echo': [stage.vendor('one')] } })
    env = { CAPSTAN_URL: gateway.url, CAPSTAN_API_KEY: (await gateway.newKey()).key }
    session = new Session(env)
  })
  after(async () => {
    expect(await session.close()).to.equal(0)
    await gateway.close()
  })

  it('is an MCP server of 2025-11-25: initialize, list, call with progress', async () => {
    const about = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    expect((await session.ask(1, 'initialize', about)).result).to.include({ protocolVersion: '2025-11-25' })
    session.send({ method: 'notifications/initialized' })
    expect((await session.ask(2, 'tools/list')).result?.['tools']).to.have.lengthOf(1)
    const call = { name: 'test_echo', arguments: { text: 'step by step' }, _meta: { progressToken: 9 } }
    expect((await session.ask(3, 'tools/call', call)).result).to.deep.include({ structuredContent: { text: 'step by step' } })
    const progress = await session.get(({ method }) => method === 'notifications/progress')
    expect(progress.params).to.include({ progressToken: 9, message: 'working: half done (1 of 2)' })
  })

  it('and of 2026-07-28, whose requests name their revision', async () => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }
    const call = { name: 'test_echo', arguments: { text: 'hello' }, _meta }
    expect((await session.ask(4, 'tools/call', call)).result).to.deep.include({ structuredContent: { text: 'hello' } })
  })

  it('a cancelled call ends at the gateway and is not charged; a second cancellation does nothing', async () => {
    const { balance } = await gateway.money()
    session.send({ id: 5, method: 'tools/call', params: { name: 'test_echo', arguments: { text: 'wait for it' } } })
    await stage.until(() => stage.asked.includes('one:wait for it'))
    for (let count = 0; count < 2; count++) session.send({ method: 'notifications/cancelled', params: { requestId: 5 } })
    await stage.until(() => stage.aborted.includes('wait for it'))
    expect((await session.ask(6, 'tools/list')).result).to.have.property('tools')
    expect((await gateway.money()).balance).to.equal(balance)
  })

  it('a line that is no message is answered, and the next is heard', async () => {
    session.send([])
    expect((await session.ask(8, 'ping')).result).to.deep.equal({})
  })

  it('a wrong key is refused with the words of the gateway', async () => {
    const other = new Session({ ...env, CAPSTAN_API_KEY: `${env['CAPSTAN_API_KEY']?.slice(0, -4)}xxxx` })
    const { error } = await other.ask(1, 'tools/list')
    expect(error?.message).to.contain('key')
    expect(await other.close()).to.equal(0)
  })

  it('says where no gateway answers', async () => {
    const other = new Session({ ...env, CAPSTAN_URL: 'http://127.0.0.1:9' })
    expect((await other.ask(1, 'tools/list')).error?.message).to.contain('npm start')
    await other.close()
  })

  it('--search has two tools', async () => {
    const other = new Session(env, '--search')
    expect((await other.ask(1, 'tools/list')).result?.['tools']).to.have.lengthOf(2)
    await other.close()
  })
})
