import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { follow } from '../../../core/outbound/exchange.js'
import { cancelIn, faultOf, outboundKit, type OutboundKit } from '../../support/outbound.js'
import { httpServer, type Running } from '../../../core/sdk/testkit/servers.js'

const SECRETS = { authorization: 'Bearer abc', cookie: 'a=b', 'x-api-key': 'k', 'x-goog-token': 't', 'x-plain': 'p' }

describe('outbound: redirects', () => {
  let first: Running
  let second: Running
  let kit: OutboundKit
  let seen: { method: string | undefined; url: string | undefined; headers: IncomingMessage['headers'] }[]
  beforeEach(async () => {
    seen = []
    const listener = (request: IncomingMessage): void =>
      void seen.push({ method: request.method, url: request.url, headers: request.headers })
    second = await httpServer((request, response) => {
      listener(request)
      response.end('second')
    }, '127.0.0.2')
    first = await httpServer((request, response) => {
      listener(request)
      const [, kind, code, count] = (request.url ?? '').split('/')
      if (kind === 'away') return response.writeHead(Number(code), { location: `${second.url}/landed` }).end('moved')
      if (kind === 'loop') return response.writeHead(302, { location: '/loop' }).end()
      if (kind === 'chain')
        return response.writeHead(302, { location: Number(count) > 1 ? `/chain/302/${Number(count) - 1}` : '/end' }).end()
      if (kind === 'none') return response.writeHead(302).end('no location')
      if (kind === 'credentials') return response.writeHead(302, { location: second.url.replace('//', '//user:pw@') }).end()
      if (kind === 'scheme') return response.writeHead(302, { location: 'file:///etc/passwd' }).end()
      if (kind === 'same') return response.writeHead(Number(code), { location: '/end#part' }).end()
      return response.end('first')
    })
    kit = outboundKit({ allow: ['127.0.0.1', '127.0.0.2'] })
  })
  afterEach(async () => {
    await kit.close()
    await Promise.all([first.close(), second.close()])
  })

  for (const code of [301, 302, 303, 307, 308]) {
    it(`T-18 ${code}: method and credentials over an origin change`, async () => {
      const page = await kit.web.get(`${first.url}/away/${code}`, { method: 'POST', headers: SECRETS }, cancelIn())
      expect(page.url).to.equal(`${second.url}/landed`)
      expect(seen.map(({ method }) => method)).to.deep.equal(['POST', code <= 303 ? 'GET' : 'POST'])
      expect(seen[0]?.headers).to.include(SECRETS)
      expect(seen[1]?.headers).to.include({ 'x-plain': 'p' })
      expect(Object.keys(seen[1]?.headers ?? {})).not.to.include.members(['authorization'])
      for (const name of ['authorization', 'cookie', 'x-api-key', 'x-goog-token']) expect(seen[1]?.headers[name], name).to.equal(undefined)
    })

    it(`T-18 ${code}: on the same origin headers stay, GET stays GET and HEAD stays HEAD`, async () => {
      for (const method of ['GET', 'HEAD'] as const) {
        seen = []
        await kit.web.get(`${first.url}/same/${code}`, { method, headers: SECRETS }, cancelIn())
        expect(seen.map((request) => request.method)).to.deep.equal([method, method])
        expect(seen[1]?.headers).to.include(SECRETS)
      }
    })
  }

  it('T-18 another port is another origin', async () => {
    const other = await httpServer((request, response) => {
      seen.push({ method: request.method, url: request.url, headers: request.headers })
      response.end()
    })
    const back = await httpServer((_request, response) => response.writeHead(302, { location: other.url }).end())
    await kit.web.get(back.url, { headers: SECRETS }, cancelIn())
    expect(seen[0]?.headers.authorization).to.equal(undefined)
    await Promise.all([other.close(), back.close()])
  })

  it('T-18 five redirects are followed, six are not, and a loop ends', async () => {
    expect((await kit.web.get(`${first.url}/chain/302/5`, {}, cancelIn())).status).to.equal(200)
    expect((await faultOf(kit.web.get(`${first.url}/chain/302/6`, {}, cancelIn()))).message).to.contain('more than 5 times')
    expect((await faultOf(kit.web.get(`${first.url}/loop`, { maxRedirects: 50 }, cancelIn()))).message).to.contain('more than 5 times')
    expect((await faultOf(kit.web.get(`${first.url}/chain/302/3`, { maxRedirects: 2 }, cancelIn()))).message).to.contain(
      'more than 2 times',
    )
  })

  it('with maxRedirects 0 the redirect itself is the answer, with its body', async () => {
    const page = await kit.web.get(`${first.url}/away/301`, { maxRedirects: 0 }, cancelIn())
    expect([page.status, page.headers['location'], Buffer.from(page.bytes).toString()]).to.deep.equal([
      301,
      `${second.url}/landed`,
      'moved',
    ])
    expect(second.connections()).to.equal(0)
  })

  it('a redirect without a target is an answer', async () => {
    expect((await kit.web.get(`${first.url}/none`, {}, cancelIn())).status).to.equal(302)
  })

  it('T-18 a redirect to another scheme or with credentials is refused', async () => {
    for (const kind of ['scheme', 'credentials'])
      expect((await faultOf(kit.web.get(`${first.url}/${kind}`, {}, cancelIn()))).kind, kind).to.equal('blocked')
    for (const user of ['user@', ':pw@', 'user:pw@'])
      expect((await faultOf(kit.web.get(second.url.replace('//', `//${user}`), {}, cancelIn()))).kind, user).to.equal('blocked')
    expect(second.connections()).to.equal(0)
  })

  it('T-18 from https to http on the same host credentials are left behind', () => {
    const from = { url: new URL('https://example.com/a'), method: 'GET', headers: SECRETS } as const
    expect(follow(from, 302, new URL('http://example.com/a')).headers).to.deep.equal({ 'x-plain': 'p' })
    expect(follow(from, 302, new URL('https://example.com/b')).headers).to.deep.equal(SECRETS)
  })
})
