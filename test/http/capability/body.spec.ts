import { expect } from 'chai'
import { MALFORMED_BODIES } from '../../support/bodies.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { expectProblem } from '../../support/problem.js'
import { raw } from '../../support/raw.js'

const ECHO = '/v1/test/echo'

describe('the body of a request', () => {
  let gateway: TestGateway
  let key: string
  before(async () => {
    gateway = await startGateway()
    key = (await gateway.newKey()).key
  })
  after(async () => await gateway.close())
  const call = (body: string, type = 'application/json', headers: Record<string, string> = {}) =>
    gateway.send(ECHO, { method: 'POST', body, key, headers: { 'content-type': type, ...headers } })

  for (const [what, body] of Object.entries(MALFORMED_BODIES))
    it(`${what} is 400 and never quoted back`, async () => {
      const envelope = expectProblem(await call(body), 'malformed-request')
      expect(envelope.error?.detail).not.to.contain('admin":true')
      expect(({} as Record<string, unknown>).admin).to.equal(undefined)
    })

  it('64 levels are read, and then refused by the schema', async () =>
    expectProblem(await call(`{"text":${'['.repeat(63)}${']'.repeat(63)}}`), 'validation-failed'))

  it('invalid UTF-8 is 400', async () => {
    const body = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])
    const head = Buffer.from(
      `POST ${ECHO} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    expect((await raw(gateway.url, Buffer.concat([head, body]))).statuses).to.deep.equal([400])
  })

  it('none at all is {}', async () => {
    expect(expectProblem(await gateway.send(ECHO, { method: 'POST', key }), 'validation-failed').detail?.[0]).to.deep.equal({
      loc: ['body', 'text'],
      msg: 'this field is required',
      type: 'missing',
    })
    expectProblem(await call(''), 'validation-failed')
  })

  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="utf-8"',
    'APPLICATION/JSON; CHARSET=UTF-8',
    'application/vnd.example+json',
  ])
    it(`is read as ${type}`, async () => expect((await call('{"text":"hi"}', type)).status).to.equal(200))

  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'json',
    'text/json',
    'application/jsonp',
    ' ',
  ])
    it(`is 415 as ${type}`, async () => void expectProblem(await call('{"text":"hi"}', type), 'unsupported-media-type'))

  it('is 415 without a type, and when compressed', async () => {
    const body = '{"text":"hi"}'
    const head = `POST ${ECHO} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${body.length}\r\n\r\n`
    expect((await raw(gateway.url, head + body)).statuses).to.deep.equal([415])
    for (const encoding of ['gzip', 'br', 'GZIP', 'deflate, gzip'])
      expectProblem(await call(body, 'application/json', { 'content-encoding': encoding }), 'unsupported-media-type')
    expect((await call(body, 'application/json', { 'content-encoding': 'identity' })).status).to.equal(200)
  })

  it('over the limit is 413, declared or not, to the byte', async () => {
    const sized = (bytes: number): string => `{"text":"${'x'.repeat(bytes - 11)}"}`
    expectProblem(await call(sized(1_048_576)), 'validation-failed')
    expectProblem(await call(sized(1_048_577)), 'payload-too-large')
    const body = sized(1_048_577)
    const head = `POST ${ECHO} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    const reply = await raw(gateway.url, `${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
    expect(reply.statuses).to.deep.equal([413])
  })

  it('values are never coerced, and unknown fields are refused', async () => {
    for (const body of [
      { text: 1 },
      { text: 'hi', times: '2' },
      { text: 'hi', times: 2.5 },
      { text: 'hi', times: true },
      { text: null },
      { text: ['hi'] },
      { text: 'hi', note: 5 },
    ])
      expectProblem(await gateway.send(ECHO, { body, key }), 'validation-failed')
    expect(
      expectProblem(await gateway.send(ECHO, { body: { text: 'hi', textt: 'x' }, key }), 'validation-failed').detail?.[0],
    ).to.deep.equal({ loc: ['body', 'textt'], msg: 'this field is not known; did you mean text?', type: 'extra_forbidden' })
    expect((await gateway.send(ECHO, { body: { text: 'hi', note: null }, key })).status).to.equal(200)
  })

  it('405 names the methods in Allow, on every kind of route', async () => {
    for (const [method, path, allow] of [
      ['GET', ECHO, 'POST'],
      ['DELETE', '/v1/agent', 'POST'],
      ['PUT', '/v1/keys', 'HEAD, GET, POST'],
      ['POST', '/v1/tools', 'HEAD, GET'],
      ['PATCH', '/v1/keys/x', 'DELETE'],
    ] as const) {
      const reply = await gateway.send(path, { method, key })
      expectProblem(reply, 'method-not-allowed')
      expect(reply.headers.allow?.split(', ').sort()).to.deep.equal(allow.split(', ').sort())
    }
  })

  it('an unknown product of a call is 422, an invalid query string is ignored', async () => {
    expect(
      expectProblem(await gateway.send(`${ECHO}?product=nothing`, { body: { text: 'hi' }, key }), 'validation-failed').detail?.[0]?.loc,
    ).to.deep.equal(['query', 'product'])
    expect((await gateway.send(`${ECHO}?product=agent`, { body: { text: 'hi' }, key })).status).to.equal(200)
  })
})
