import { expect } from 'chai'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { expectProblem } from '../../support/problem.js'

describe('N1 keys behind a proxy that writes addresses with ports', () => {
  let gateway: TestGateway
  let maker: string
  before(async () => {
    gateway = await startGateway({ env: { CAPSTAN_TRUSTED_PROXIES: '127.0.0.1', CAPSTAN_LIMIT_ADDRESS_PER_MINUTE: '30' } })
    maker = (await gateway.newKey()).key
  })
  after(async () => await gateway.close())
  const account = (key: string, forwarded: string) => gateway.send('/v1/account', { key, headers: { 'x-forwarded-for': forwarded } })
  const create = async (allowed: string) =>
    (await gateway.send('/v1/keys', { body: { allowed_ips: [allowed] }, key: maker })).json<{ readonly key: string }>().key

  it('N1 are let in from their own addresses alone', async () => {
    const one = await create('203.0.113.7')
    const net = await create('2001:db8::/32')
    const proxy = await create('127.0.0.0/8')
    for (const header of ['203.0.113.7:52344', '203.0.113.7, 127.0.0.1:4431', '[::ffff:203.0.113.7]:80'])
      expect((await account(one, header)).status, header).to.equal(200)
    for (const header of ['[2001:db8::7]:52344', '2001:db8:1::7', '"[2001:db8::7]"'])
      expect((await account(net, header)).status, header).to.equal(200)
    for (const header of ['198.51.100.9:41000', 'unknown', '_hidden', 'nonsense', '0177.0.0.1'])
      expectProblem(await account(proxy, header), 'key-not-allowed')
  })

  it('N1 are locked out with the client that tried wrong ones, not with the proxy; clients that cannot be read are counted together', async () => {
    const { key } = await gateway.newKey()
    const wrong = `${key.slice(0, -6)}AAAAAA`
    for (let port = 41_000; port < 41_020; port++) expectProblem(await account(wrong, `198.51.100.66:${String(port)}`), 'invalid-api-key')
    expect((await account(wrong, '198.51.100.66:50000')).status).to.equal(429)
    expect((await account(key, '203.0.113.210:5000')).status).to.equal(200)
    for (let n = 0; n < 20; n++) expectProblem(await account(wrong, `_client${String(n)}`), 'invalid-api-key')
    expect((await account(wrong, 'unknown')).status).to.equal(429)
    expect((await gateway.send('/v1/account', { key: (await gateway.newKey()).key })).status).to.equal(200)
  })

  it('N1 share the requests a minute of one client over all its ports', async () => {
    const open = (forwarded: string) => gateway.send('/v1/openapi.json', { headers: { 'x-forwarded-for': forwarded } })
    for (let port = 1; port <= 30; port++) expect((await open(`192.0.2.1:${String(port)}`)).status).to.equal(200)
    expectProblem(await open('192.0.2.1:31'), 'rate-limited')
    expect((await open('192.0.2.2:31')).status).to.equal(200)
  })
})
