import { expect } from 'chai'
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { ACCEPT, type Content, LEGACY, McpHttp, META, messagesOf, MODERN, textOf } from '../../support/mcp.js'
import { HandClock } from '../../support/outbound.js'
import { expectProblem } from '../../support/problem.js'
import { raw } from '../../support/raw.js'
import { Stage } from '../../support/stage.js'
import { until } from '../../support/time.js'

const MIB = 1024 * 1024
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
/** A picture of so many bytes, as far as its first bytes say. */
const picture = (bytes: number): string => Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]).toString('base64')

describe('MCP, wrong requests', function () {
  this.timeout(30_000)
  const stage = new Stage()
  let clock: HandClock
  let gateway: TestGateway
  let client: McpHttp
  before(async () => {
    clock = new HandClock()
    const one = stage.vendor('one')
    const pictured: Record<string, object> = {
      'one large picture': { image_base64: picture(5 * MIB) },
      'many pictures': { pictures: Array.from({ length: 16 }, () => ({ image_base64: picture(MIB) })) },
    }
    gateway = await startGateway({
      overrides: { clock },
      script: {
        'test.echo': [
          {
            ...one,
            run: async (input, context) => ({ text: input.text, ...((await one.run(input, context)) ?? {}), ...pictured[input.text] }),
          },
        ],
      },
    })
    client = new McpHttp(gateway.url, (await gateway.newKey()).key)
  })
  after(async () => await gateway.close())

  const echo = (text: string): Record<string, unknown> => ({ name: 'test_echo', arguments: { text } })
  const balance = async (): Promise<number> => (await gateway.money()).balance

  for (const [what, body] of [
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } }]],
    ['an empty batch', []],
    ['a text', '"tools/list"'],
    ['half a message', '{"jsonrpc":"2.0","id":1,'],
  ] as const)
    for (const version of [LEGACY, MODERN])
      it(`${what} is refused in revision ${version}`, async () => {
        const reply = await client.send(body, { headers: { 'mcp-protocol-version': version, 'mcp-method': 'tools/list' } })
        expectProblem(reply, 'malformed-request')
      })

  for (const [version, said] of [
    ['1999-01-01', LEGACY],
    ['latest', 'MCP-Protocol-Version'],
    [MODERN, '_meta'],
  ] as const)
    it(`a request in the revision "${version}", of which it says nothing itself, is refused, with the reason`, async () => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
      const reply = await client.send(body, { headers: { 'mcp-protocol-version': version } })
      expect(reply.status).to.equal(400)
      expect(messagesOf(reply.text)[0]?.error?.message).to.contain(said)
    })

  it('a message that names an unknown revision itself is refused with those there are', async () => {
    const _meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }
    const reply = await client.send(body, { headers: { 'mcp-protocol-version': '2031-01-01', 'mcp-method': 'tools/list' } })
    const [answer] = messagesOf(reply.text)
    expect(reply.status).to.equal(400)
    expect(answer?.error?.data).to.deep.include({ requested: '2031-01-01' })
    expect(answer?.error?.data?.['supported']).to.include(MODERN)
  })

  it('a client that offers an unknown revision is offered one that there is', async () => {
    const about = { protocolVersion: '2031-01-01', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const reply = await client.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: about })
    expect(messagesOf(reply.text)[0]?.result).to.include({ protocolVersion: LEGACY })
  })

  it('another tool in the header than in the body is refused, and neither is called', async () => {
    const before = await balance()
    for (const headers of [{ 'mcp-name': 'test_send' }, { 'mcp-method': 'tools/list' }, { 'mcp-name': '' }]) {
      const { reply, last } = await client.request(MODERN, 'tools/call', echo('other name'), { headers })
      expect(reply.status, reply.text).to.equal(400)
      expect(last?.error?.code).to.equal(-32020)
    }
    expect(stage.texts).not.to.include('one:other name')
    expect(await balance()).to.equal(before)
  })

  it('a tool that there is not is answered with the nearest one, of megabytes too, and costs nothing', async () => {
    const before = await balance()
    for (const version of [LEGACY, MODERN]) {
      const { last } = await client.request(version, 'tools/call', { name: 'tset_echo', arguments: {} })
      expect(last?.error).to.deep.include({ code: -32602 })
      expect(last?.error?.message).to.contain('Did you mean test_echo?')
    }
    for (const name of [null, 7, {}, []]) {
      const { reply, last } = await client.request(LEGACY, 'tools/call', { name, arguments: {} })
      expect(reply.status, reply.text).to.be.below(500)
      expect(last?.error?.code).to.equal(-32602)
    }
    expect(await balance()).to.equal(before)
  })

  for (const [what, token] of [
    ['null', null],
    ['a list', []],
    ['an object', { p: 1 }],
    ['true', true],
    ['half a number', 1.5],
  ] as const)
    for (const version of [LEGACY, MODERN])
      it(`a progress token that is ${what} is refused in revision ${version}, and nothing is called`, async () => {
        const before = await balance()
        const { reply, last } = await client.request(version, 'tools/call', { ...echo('odd token'), _meta: { progressToken: token } })
        expect(reply.status, reply.text).to.be.below(500)
        expect(last?.error?.code).to.be.oneOf([-32_600, -32_602])
        expect(stage.texts).not.to.include('one:odd token')
        expect(await balance()).to.equal(before)
      })

  for (const [what, token] of [
    ['an empty text', ''],
    ['0', 0],
    ['below 0', -1],
    ['of 10,000 characters', 'p'.repeat(10_000)],
  ] as const)
    it(`a progress token that is ${what} comes back as it was sent`, async () => {
      const { messages } = await client.request(MODERN, 'tools/call', { ...echo('step by step'), _meta: { progressToken: token } })
      const progress = messages.filter(({ method }) => method === 'notifications/progress')
      expect(progress.length).to.equal(2)
      for (const { params } of progress) expect(params?.['progressToken']).to.equal(token)
    })

  it('arguments of 10 MiB are refused with the limit, also to a client that sends them all before it reads', async () => {
    const before = await balance()
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: echo('x'.repeat(10 * MIB)) }
    const reply = await client.send(body, { headers: { 'mcp-protocol-version': LEGACY } })
    expect(expectProblem(reply, 'payload-too-large').error?.detail).to.contain(String(MIB))
    expect(await balance()).to.equal(before)
  })

  it('an answer of 24 MB comes cut, with a link to all of it', async () => {
    const { reply, last } = await client.request(MODERN, 'tools/call', echo('very wide'))
    expect(reply.text.length).to.be.below(100_000)
    const [, link] = last?.result?.['content'] as Content[]
    const { pathname, search } = new URL(link?.uri ?? '')
    expect((await gateway.send(pathname + search, { method: 'GET' })).text.length).to.be.above(24 * MIB)
  })

  it('a picture of 5 MiB comes as a link, with its type and size', async () => {
    const { reply, last } = await client.request(MODERN, 'tools/call', echo('one large picture'))
    expect(reply.text.length).to.be.below(100_000)
    const link = (last?.result?.['content'] as (Content & { size?: number })[]).find(({ type }) => type === 'resource_link')
    expect(link).to.include({ mimeType: 'image/png', size: 5 * MIB })
  })

  it('a call that is cancelled ends without an answer and is free; cancelled twice, and after its end, nothing more happens', async () => {
    const before = await balance()
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7, reason: 'test' } }
    const cancelled = async (): Promise<number> => (await client.send(cancel, { headers: { 'mcp-protocol-version': LEGACY } })).status
    const running = client.request(LEGACY, 'tools/call', echo('wait a little'))
    await stage.until(() => stage.texts.includes('one:wait a little'))
    expect(await cancelled()).to.equal(202)
    await stage.until(() => stage.aborted.includes('wait a little'))
    expect(await cancelled()).to.equal(202)
    expect((await running).messages).to.deep.equal([])
    expect(await cancelled()).to.equal(202)
    await until(async () => (await balance()) === before)
    expect(textOf((await client.request(LEGACY, 'tools/call', echo('after it'))).last)).to.contain('after it')
  })

  it('a cancellation ends no call of another key or client, and none of two with the same id', async () => {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
    const running = client.request(LEGACY, 'tools/call', echo('wait, mine'))
    await stage.until(() => stage.texts.includes('one:wait, mine'))
    const stranger = new McpHttp(gateway.url, (await gateway.newKey()).key)
    expect((await stranger.send(cancel, { headers: { 'mcp-protocol-version': LEGACY } })).status).to.equal(202)
    expect((await client.send(cancel, { headers: { 'mcp-protocol-version': LEGACY, 'user-agent': 'another' } })).status).to.equal(202)
    const second = client.request(LEGACY, 'tools/call', echo('wait, mine too'))
    await stage.until(() => stage.texts.includes('one:wait, mine too'))
    expect((await client.send(cancel, { headers: { 'mcp-protocol-version': LEGACY } })).status).to.equal(202)
    for (const id of [null, {}, undefined, 8])
      await client.send({ ...cancel, params: { requestId: id } }, { headers: { 'mcp-protocol-version': LEGACY } })
    stage.release()
    expect(textOf((await running).last)).to.contain('wait, mine')
    expect(textOf((await second).last)).to.contain('wait, mine too')
    expect(stage.aborted).not.to.include('wait, mine')
  })

  it('of another site, by the name of the host or of the page, is refused', async () => {
    const { hostname, port } = new URL(gateway.url)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
    const head = (host: string, more = ''): string =>
      `POST /mcp HTTP/1.1\r\nHost: ${host}\r\n${more}Authorization: Bearer ${gateway.key}\r\nAccept: ${ACCEPT}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example'])
      expect((await raw(gateway.url, head(host))).statuses, host).to.deep.equal([403])
    for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example', 'file://'])
      expect((await raw(gateway.url, head(hostname, `Origin: ${origin}\r\n`))).statuses, origin).to.deep.equal([403])
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
      expect((await raw(gateway.url, head(host, `Origin: http://localhost:3000\r\n`))).statuses, host).to.deep.equal([200])
  })

  it('through a proxy that passes an answer on when it is whole, a call with progress arrives, and tells proxies not to buffer', async () => {
    const proxy = await bufferingProxy(gateway.url)
    try {
      const behind = new McpHttp(proxy.url, gateway.key)
      for (const version of [LEGACY, MODERN]) {
        expect((await behind.request(version, 'tools/list')).last?.result?.['tools']).to.have.lengthOf(1)
        const { reply, messages, last } = await behind.request(version, 'tools/call', {
          ...echo('step by step'),
          _meta: { progressToken: 1 },
        })
        expect(messages, reply.text).to.have.lengthOf(3)
        expect(textOf(last)).to.contain('step by step')
        expect(reply.headers['x-accel-buffering']).to.equal('no')
      }
    } finally {
      proxy.close()
    }
  })

  it('by a client that never reads, the answer is cut after 30 seconds and its memory is free, and others are served meanwhile', async () => {
    const socket = await unread(gateway, 'many pictures')
    expect((await client.request(MODERN, 'tools/call', echo('meanwhile'))).last?.result).to.have.property('content')
    const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)))
    for (let second = 0; second < 61; second++) clock.advance(1_000)
    socket.resume()
    expect(await closed).to.equal(true)
    await until(() => gateway.app.services.bytes.bytes === 0)
  })
})

/** A client that calls and reads nothing of the answer, which is more than the kernel takes. */
async function unread(gateway: TestGateway, text: string): Promise<Socket> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'test_echo', arguments: { text } } })
  const answers: ServerResponse[] = []
  gateway.server.once('request', (_request, answer: ServerResponse) => void answers.push(answer))
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${gateway.key}\r\nAccept: ${ACCEPT}\r\nContent-Type: application/json\r\nMCP-Protocol-Version: ${LEGACY}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await until(() => (answers[0]?.writableLength ?? 0) > MIB)
  return socket
}

/** A proxy that collects each answer before it passes it on. */
async function bufferingProxy(target: string): Promise<{ url: string; close: () => void }> {
  const collected = async (message: IncomingMessage): Promise<Buffer> => {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  }
  const server = createServer((incoming, answer) => {
    const onward = request(`${target}${incoming.url ?? ''}`, { method: incoming.method, headers: incoming.headers }, (reply) => {
      void collected(reply).then((body) => {
        const headers: IncomingHttpHeaders = { ...reply.headers, 'content-length': String(body.length) }
        delete headers['transfer-encoding']
        answer.writeHead(reply.statusCode ?? 502, headers).end(body)
      })
    })
    onward.on('error', () => answer.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
