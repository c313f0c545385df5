import { expect } from 'chai'
import { connect } from 'node:net'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { raw } from '../support/raw.js'
import { Stage } from '../support/stage.js'

const CRLF = '\r\n'
const lines = (...all: string[]): string => all.join(CRLF) + CRLF + CRLF

describe('bytes on the socket', () => {
  const stage = new Stage()
  let gateway: TestGateway
  let key: string
  before(async () => {
    gateway = await startGateway({ script: { 'test.echo': [stage.vendor('one')] } })
    gateway.server.headersTimeout = 300
    gateway.server.requestTimeout = 600
    key = (await gateway.newKey()).key
  })
  after(async () => await gateway.close())
  const post = (body: string, ...headers: string[]): string =>
    lines('POST /v1/test/echo HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`, 'Content-Type: application/json', ...headers) + body

  /** The one answer to a request that could not be read: the envelope, all headers, and the end of the connection. */
  const expectRefused = (reply: { text: string; closed: boolean; statuses: number[] }): void => {
    expect(reply.closed, reply.text).to.equal(true)
    expect(reply.statuses).to.deep.equal([400])
    for (const header of [
      'x-request-id',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'x-credits-used: 0',
      'x-content-type-options: nosniff',
      'cache-control: no-store',
      'content-security-policy',
      'connection: close',
    ])
      expect(reply.text.toLowerCase()).to.contain(header)
    const body = JSON.parse(reply.text.slice(reply.text.indexOf('\r\n\r\n') + 4)) as {
      success: boolean
      error: { type: string }
      credits_used: number
    }
    expect(body).to.include({ success: false, credits_used: 0 })
    expect(body.error.type).to.equal(`${gateway.url}/errors/malformed-request`)
  }

  for (const [what, bytes] of [
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a TLS hello', Buffer.from('160301020001000001fc0303', 'hex').toString('latin1') + '\r\n\r\n'],
    ['a request line of one word', 'GET\r\n\r\n'],
    ['an unknown method', 'BREW /coffee HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n'],
    ['a control character in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\u0000b\r\n\r\n'],
    ['headers over 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(17 * 1024)}\r\n\r\n`],
  ] as const)
    it(`T-02 ${what} is refused with the envelope`, async () => expectRefused(await raw(gateway.url, bytes)))

  it('T-02 no request of the smuggling corpus is answered twice or reaches a provider', async () => {
    const inner = lines('GET /v1/account HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`)
    const body = '{"text":"smuggled"}'
    const corpus: Record<string, string> = {
      'both lengths': post(`0${CRLF}${CRLF}${inner}`, `Content-Length: ${5 + inner.length}`, 'Transfer-Encoding: chunked'),
      'two lengths': post(body + inner, `Content-Length: ${body.length}`, `Content-Length: ${body.length + inner.length}`),
      'a list of lengths': post(body + inner, `Content-Length: ${body.length}, ${body.length}`),
      'a signed length': post(body, `Content-Length: +${body.length}`),
      'a hexadecimal length': post(body, 'Content-Length: 0x13'),
      'an obsolete fold': post(body, 'X-A: b', ' folded: c', `Content-Length: ${body.length}`, 'Transfer-Encoding:', ' chunked'),
      'a space before the colon': post(body, `Content-Length : ${body.length}`),
      'chunked twice': post(`0${CRLF}${CRLF}`, 'Transfer-Encoding: chunked, chunked'),
      'an unknown coding': post(`0${CRLF}${CRLF}`, 'Transfer-Encoding: xchunked'),
      'a tab in the coding': post(`0${CRLF}${CRLF}`, 'Transfer-Encoding:\u000bchunked'),
      'a chunk size that is none': post(`zz${CRLF}x${CRLF}0${CRLF}${CRLF}`, 'Transfer-Encoding: chunked'),
      'a negative chunk size': post(`-1${CRLF}x${CRLF}0${CRLF}${CRLF}`, 'Transfer-Encoding: chunked'),
      'an endless chunk size': post(`fffffffffffffffff${CRLF}x${CRLF}`, 'Transfer-Encoding: chunked'),
      'a chunk without its end': post(`1${CRLF}{0${CRLF}${CRLF}`, 'Transfer-Encoding: chunked'),
      'bare line feeds': post(body, `Content-Length: ${body.length}`).replaceAll(CRLF, '\n'),
    }
    for (const [name, bytes] of Object.entries(corpus)) {
      const seen = stage.texts.length
      const reply = await raw(gateway.url, bytes, { ms: 2_500 })
      expect(reply.statuses.length, `${name}: ${reply.text}`).to.be.at.most(1)
      for (const status of reply.statuses) expect(status, name).to.be.within(400, 499)
      expect(stage.texts.length, `${name} reached a provider`).to.equal(seen)
      expect(reply.closed, `${name} left the connection open`).to.equal(true)
    }
  }).timeout(40_000)

  it('T-01 slow headers and a slow body are closed in time, and others are served meanwhile', async () => {
    const slow = [raw(gateway.url, 'GET / HTTP/1.1\r\nHost:'), raw(gateway.url, post('{"te', 'Content-Length: 100'))]
    expect((await gateway.send('/v1/account', { key })).status).to.equal(200)
    for (const reply of await Promise.all(slow)) {
      expect(reply.closed).to.equal(true)
      expect(reply.statuses).to.deep.equal([400])
      expect(reply.text).to.contain('in time')
    }
    expect(gateway.app.running()).to.equal(0)
  })

  it('T-02 an absolute target of our own name is served, of another it is 400', async () => {
    const get = (target: string, host: string) => raw(gateway.url, lines(`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close'))
    expect((await get('http://gateway.example.com/healthz', 'gateway.example.com')).statuses).to.deep.equal([200])
    expect((await get('http://gateway.example.com/v1/tools?format=raw', 'gateway.example.com')).statuses).to.deep.equal([200])
    for (const target of ['http://evil.example.com/healthz', 'http://', '*', 'gateway.example.com:443'])
      expect((await get(target, 'gateway.example.com')).statuses, target).to.deep.equal([400])
  })

  it('a Host that is none harms nothing', async () => {
    for (const host of ['[', '%', 'a b', ',', 'x:99999999']) {
      const reply = await raw(gateway.url, lines('GET /v1/tools?format=raw HTTP/1.1', `Host: ${host}`, 'Connection: close'))
      expect(reply.statuses[0], `${host}: ${reply.text.slice(0, 200)}`).to.be.oneOf([200, 400])
    }
  })

  it('targets with escapes that cannot be read, and ones that are too long, are 400', async () => {
    for (const target of ['/%ff', '/%', '/v1/keys/%00', `/${'x'.repeat(8_200)}`])
      expect(
        (await raw(gateway.url, lines(`GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close'))).statuses,
        target.slice(0, 20),
      ).to.deep.equal([400])
  })

  it('CONNECT, an unknown Expect and an upgrade get answers', async () => {
    expect((await raw(gateway.url, lines('CONNECT example.com:443 HTTP/1.1', 'Host: x'))).statuses).to.deep.equal([405])
    expect((await raw(gateway.url, lines('GET / HTTP/1.1', 'Host: x', 'Expect: nonsense'))).statuses).to.deep.equal([400])
    expect(
      (await raw(gateway.url, lines('GET /healthz HTTP/1.1', 'Host: x', 'Connection: Upgrade, close', 'Upgrade: h2c'))).statuses,
    ).to.deep.equal([200])
  })

  it('the answer to a HEAD with an unknown Expect has no body (RFC 9110 9.3.2)', async () => {
    const reply = await raw(gateway.url, lines('HEAD / HTTP/1.1', 'Host: x', 'Expect: nonsense'))
    expect(reply.statuses).to.deep.equal([400])
    expect(reply.text.trimEnd()).to.not.contain('malformed-request')
  })

  it('100-continue is heeded', async () => {
    const body = '{"text":"hi"}'
    expect(
      (await raw(gateway.url, post(body, `Content-Length: ${body.length}`, 'Expect: 100-continue', 'Connection: close'))).statuses,
    ).to.deep.equal([100, 200])
  })

  it('requests sent in one go are answered in order', async () => {
    const body = '{"text":"hi"}'
    const one = post(body, `Content-Length: ${body.length}`)
    const reply = await raw(
      gateway.url,
      one + lines('GET /healthz HTTP/1.1', 'Host: x') + lines('GET /nothing HTTP/1.1', 'Host: x', 'Connection: close'),
    )
    expect(reply.statuses).to.deep.equal([200, 200, 404])
  })

  it('garbage behind a stream of events ends it, and is not answered inside of it', async () => {
    const body = '{"text":"wait"}'
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    let text = ''
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.on('data', (chunk: Buffer) => {
      if (text === '') socket.write('garbage\r\n\r\n')
      text += chunk.toString()
    })
    socket.write(post(body, `Content-Length: ${body.length}`, 'Accept: text/event-stream'))
    await closed
    stage.release()
    expect(text).to.contain('text/event-stream')
    expect(text.split('HTTP/1.1 ').length - 1, text).to.equal(1)
  })

  it('a refused body does not hold the connection up, nor become the next request', async () => {
    const inner = lines('GET /v1/account HTTP/1.1', 'Host: x')
    const refused = lines('POST /v1/keys HTTP/1.1', 'Host: x', 'Content-Type: application/json', `Content-Length: ${inner.length}`) + inner
    const reply = await raw(gateway.url, refused)
    expect(reply.statuses).to.deep.equal([401])
    expect(reply.closed).to.equal(true)
    const large = '1'.repeat(64 * 1024)
    const chunk = `${large.length.toString(16)}${CRLF}${large}${CRLF}`
    const oversized = await raw(gateway.url, post(chunk.repeat(20), 'Transfer-Encoding: chunked'))
    expect(oversized.closed).to.equal(true)
    expect(oversized.statuses.every((status) => status === 413)).to.equal(true)
  })
})
