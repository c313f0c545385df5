import { expect } from 'chai'
import type { Call } from '../../../core/sdk/index.js'
import { accessTo, cancelIn, faultOf, outboundKit, type OutboundKit } from '../../support/outbound.js'
import { httpServer, type Running } from '../../../core/sdk/testkit/servers.js'

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

describe('outbound: requests to vendors', () => {
  let server: Running
  let kit: OutboundKit
  let seen: Seen[]
  let answer: { status: number; headers: Record<string, string>; body: string }
  beforeEach(async () => {
    seen = []
    answer = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"ok":true}' }
    server = await httpServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        seen.push({
          method: request.method ?? '',
          url: request.url ?? '',
          headers: request.headers as Record<string, string>,
          body: Buffer.concat(chunks).toString('latin1'),
        })
        const hop = /^\/hop(\d)/.exec(request.url ?? '')
        if (hop !== null) return response.writeHead(302, { location: Number(hop[1]) > 1 ? `/hop${Number(hop[1]) - 1}` : '/end' }).end()
        response.writeHead(answer.status, answer.headers).end(answer.body)
      })
    })
    kit = outboundKit()
  })
  afterEach(async () => {
    await kit.close()
    await server.close()
  })
  const send = (call: Call, vendor = {}, once = false) => kit.api.request(accessTo(server.url, vendor), call, cancelIn(), { once })

  it('paths keep encoded segments and encode what is unsafe; queries are encoded, repeated and left out', async () => {
    const table: [Call, string][] = [
      [{ path: '/a/b' }, '/a/b'],
      [{ path: '/a%2Fb/c%20d' }, '/a%2Fb/c%20d'],
      [{ path: '/ä b/{x}/100%/"q"' }, '/%C3%A4%20b/%7Bx%7D/100%25/%22q%22'],
      [{ path: '/v:batch@1;p=1,2' }, '/v:batch@1;p=1,2'],
      [
        { path: '/x?a=1', query: { b: 'c d&e=f', n: 1, yes: true, no: undefined, list: ['1', 'ü'] } },
        '/x?a=1&b=c%20d%26e%3Df&n=1&yes=true&list=1&list=%C3%BC',
      ],
      [{ path: '/..a/b..c/...' }, '/..a/b..c/...'],
      [{ path: '/a', query: { q: '\ud800' } }, '/a?q=%EF%BF%BD'],
    ]
    for (const [call, url] of table) {
      const reply = await send(call)
      expect(seen.at(-1)?.url).to.equal(url)
      expect(reply.url).to.equal(server.url + url)
    }
  })

  it('T-15 a path cannot climb, name another host or hold a fragment', async () => {
    for (const path of [
      '/../x',
      '/a/..',
      '/a/../../b',
      '/%2e%2e/x',
      '/a/%2E./x',
      '/a%2f..%2fb',
      '/a\\..\\b',
      'x',
      '',
      'http://evil.example/',
      '/a#b',
      '/a/..?x=1',
    ]) {
      const fault = await faultOf(send({ path }))
      expect(fault.kind, path).to.equal('broken')
    }
    await send({ path: '//evil.example/x' })
    expect(seen.map((one) => one.headers['host'])).to.deep.equal([`127.0.0.1:${server.port}`])
  })

  it("the operator's address takes the place of every host and keeps the host's path", async () => {
    const hosts = { upload: 'https://upload.acme.example/v2/files/', token: 'https://auth.acme.example' }
    const access = accessTo(`${server.url}/mock`, { hosts })
    for (const host of [undefined, 'upload', 'token'])
      await kit.api.request(access, { path: '/x', ...(host === undefined ? {} : { host }) }, cancelIn(), { once: false })
    expect(seen.map((one) => one.url)).to.deep.equal(['/mock/x', '/mock/v2/files/x', '/mock/x'])
    expect((await faultOf(kit.api.request(access, { path: '/x', host: 'nowhere' }, cancelIn(), { once: false }))).kind).to.equal('broken')
  })

  it('an address that a reply named is signed and reached, also after others have taken its place among those that are kept', async () => {
    const few = outboundKit({ namedOrigins: 2 })
    const others = await Promise.all(
      [1, 2, 3].map(() => httpServer((request, response) => void response.end(JSON.stringify(request.headers)))),
    )
    try {
      const access = accessTo(server.url, { auth: (secret) => ({ headers: { authorization: `Bearer ${secret('k')}` } }) })
      const request = (address: string) => few.api.request(access, { address: `${address}/box`, path: '/x' }, cancelIn(), { once: false })
      for (const { url } of [...others, ...others]) {
        const reply = await request(url)
        expect(reply.url).to.equal(`${url}/box/x`)
        expect(reply.body).to.include({ authorization: 'Bearer canary-k-0123456789' })
      }
      expect(others.map((other) => other.connections())).to.deep.equal([2, 2, 2])
      expect((await faultOf(request('http://127.0.0.2:1'))).kind).to.equal('broken')
    } finally {
      await few.close()
      await Promise.all(others.map((other) => other.close()))
    }
  })

  it('a connection to a named address that is given up for others ends behind its request', async () => {
    const few = outboundKit({ namedOrigins: 1 })
    let answer: () => void = () => undefined
    const slow = await httpServer((_, response) => void (answer = () => response.end('{}')))
    const other = await httpServer((_, response) => void response.end('{}'))
    try {
      const access = accessTo(server.url)
      const request = (address: string) => few.api.request(access, { address, path: '/x' }, cancelIn(), { once: false })
      const first = request(slow.url)
      await request(other.url)
      answer()
      expect((await first).status).to.equal(200)
    } finally {
      await few.close()
      await Promise.all([slow.close(), other.close()])
    }
  })

  it('signing is merged into headers, query and JSON, and wins over the call and the vendor', async () => {
    const vendor = {
      headers: { 'X-Client': 'capstan', Authorization: 'vendor' },
      auth: (secret: (name: string) => string) => ({
        headers: { Authorization: `Bearer ${secret('k')}` },
        query: { key: secret('k') },
        json: { api_key: secret('k') },
      }),
    }
    const reply = await send(
      { path: '/x', query: { a: '1' }, json: { q: 1 }, headers: { AUTHORIZATION: 'call', 'x-client': 'own' } },
      vendor,
    )
    expect(seen[0]?.url).to.equal('/x?a=1&key=canary-k-0123456789')
    expect(seen[0]?.headers).to.include({
      authorization: 'Bearer canary-k-0123456789',
      'x-client': 'own',
      'content-type': 'application/json',
    })
    expect(JSON.parse(seen[0]?.body ?? '')).to.deep.equal({ q: 1, api_key: 'canary-k-0123456789' })
    expect(reply.url).to.equal(`${server.url}/x?a=1`)
    await send({ method: 'POST', path: '/x' }, vendor)
    expect(JSON.parse(seen[1]?.body ?? '')).to.deep.equal({ api_key: 'canary-k-0123456789' })
    expect((await faultOf(send({ path: '/x', json: [1] }, vendor))).kind).to.equal('broken')
  })

  it('signing is prepared once for a vendor, and a secret that is not set is a credentials fault', async () => {
    let signed = 0
    const vendor = { auth: () => ({ headers: { x: String(++signed) } }) }
    const access = accessTo(server.url, vendor)
    for (let turn = 0; turn < 3; turn++) await kit.api.request(access, { path: '/' }, cancelIn(), { once: false })
    expect(seen.map((one) => one.headers['x'])).to.deep.equal(['1', '1', '1'])
    const broken = accessTo(
      server.url,
      { auth: (secret) => ({ headers: { x: secret('none') } }) },
      {
        secret: () => {
          throw new Error('no such secret')
        },
      },
    )
    expect((await faultOf(kit.api.request(broken, { path: '/' }, cancelIn(), { once: false }))).kind).to.equal('credentials')
  })

  it('an own instance without keys is called without a signature', async () => {
    const access = accessTo(
      server.url,
      { keylessWithUrl: true, auth: (secret) => ({ headers: { authorization: `Bearer ${secret('k')}` } }) },
      { secret: () => '' },
    )
    await kit.api.request(access, { path: '/' }, cancelIn(), { once: false })
    expect(seen[0]?.headers['authorization']).to.equal(undefined)
  })

  it('bodies: JSON, form, multipart, bytes, and the method that follows', async () => {
    await send({ path: '/', form: { a: '1 &', b: 'ü' } })
    await send({ path: '/', bytes: { data: Uint8Array.from([0, 255, 1]).subarray(1), contentType: 'audio/wav' } })
    await send({ method: 'PUT', path: '/', json: null })
    await send({
      path: '/',
      multipart: [
        { name: 'a"\r\nb', data: 'text' },
        { name: 'f', data: Uint8Array.from([1, 2]), filename: 'x\r\n".png', contentType: 'image/png' },
      ],
    })
    await send({ path: '/' })
    expect(seen.map((one) => one.method)).to.deep.equal(['POST', 'POST', 'PUT', 'POST', 'GET'])
    expect(seen.slice(0, 3).map((one) => [one.headers['content-type'], one.body])).to.deep.equal([
      ['application/x-www-form-urlencoded', 'a=1+%26&b=%C3%BC'],
      ['audio/wav', '\xff\x01'],
      ['application/json', 'null'],
    ])
    const boundary = /boundary=(.+)$/.exec(seen[3]?.headers['content-type'] ?? '')?.[1] ?? 'none'
    expect(seen[3]?.body).to.equal(
      `--${boundary}\r\ncontent-disposition: form-data; name="a%22%0D%0Ab"\r\n\r\ntext\r\n--${boundary}\r\ncontent-disposition: form-data; name="f"; filename="x%0D%0A%22.png"\r\ncontent-type: image/png\r\n\r\n\x01\x02\r\n--${boundary}--\r\n`,
    )
  })

  it('replies are read as the call requests: JSON, text, bytes, lines of JSON', async () => {
    answer.body = '\ufeff{"a":[1]}'
    expect((await send({ path: '/' })).body).to.deep.equal({ a: [1] })
    answer = { status: 200, headers: { 'content-type': 'text/plain; charset=latin1' }, body: 'x' }
    expect((await send({ path: '/', reads: 'text' })).body).to.equal('x')
    expect((await send({ path: '/', reads: 'bytes' })).body).to.deep.equal(Buffer.from('x'))
    answer.body = '{"a":1}\n\n{"a":2}\r\n'
    expect((await send({ path: '/', reads: 'ndjson' })).body).to.deep.equal([{ a: 1 }, { a: 2 }])
    answer = { status: 204, headers: {}, body: '' }
    expect((await send({ method: 'DELETE', path: '/' })).body).to.equal(null)
  })

  it('T-04 keys that reach prototypes do not survive parsing, however they are spelled', async () => {
    for (const key of [
      '__proto__',
      '\\u005f_proto__',
      '__pr\\u006fto__',
      '\\u005F\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f',
    ]) {
      answer.body = `{"ok":1,"deep":[{"${key}" : {"admin":true},"kept":2}]}`
      const { body } = await send({ path: '/' })
      expect(JSON.stringify(body)).to.equal('{"ok":1,"deep":[{"kept":2}]}')
    }
    answer.body = '{"constructor":{"prototype":{"x":1}},"a":{"constructor":"Ferrari"}}'
    expect(JSON.stringify((await send({ path: '/' })).body)).to.equal('{"a":{"constructor":"Ferrari"}}')
  })

  it("T-18 redirects on the vendor's own origin are followed three times for GET, others are a fault", async () => {
    expect((await send({ path: '/hop3' })).body).to.deep.equal({ ok: true })
    expect((await faultOf(send({ path: '/hop4' }))).message).to.contain('redirected')
    expect((await faultOf(send({ path: '/hop1', json: {} }))).kind).to.equal('broken')
    const other = await httpServer((_request, response) => response.end('{}'), '127.0.0.2')
    answer = { status: 302, headers: { location: other.url }, body: '' }
    expect((await faultOf(send({ path: '/x' }, { auth: () => ({ headers: { authorization: 'Bearer x' } }) }))).kind).to.equal('broken')
    expect(other.connections()).to.equal(0)
    await other.close()
  })

  it("T-16 an address of our own list must be public, the operator's may be private", async () => {
    const ours = accessTo(server.url, {}, { operatorUrl: false })
    const fault = await faultOf(kit.api.request(ours, { path: '/' }, cancelIn(), { once: false }))
    expect([fault.kind, server.connections()]).to.deep.equal(['broken', 0])
    const hosts = accessTo('https://acme.example', { hosts: { metadata: 'http://169.254.169.254' } }, { operatorUrl: false })
    expect((await faultOf(kit.api.request(hosts, { path: '/', host: 'metadata' }, cancelIn(), { once: false }))).kind).to.equal('broken')
    expect(kit.sockets.opened).to.equal(0)
  })

  it('connections are kept alive and shared by calls', async () => {
    for (let turn = 0; turn < 5; turn++) {
      await send({ path: '/' })
      await new Promise(setImmediate)
    }
    expect(server.connections()).to.equal(1)
  })
})
