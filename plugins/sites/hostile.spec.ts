import { expect } from 'chai'
import { tcpServer } from '../../core/sdk/testkit/index.js'
import { SiteWorld } from '../../test/support/site-world.js'
import { needsProgram } from '../../test/support/needs.js'
import type { SitesIntel } from './contract.js'

interface Answer {
  readonly data: SitesIntel
  readonly metadata: { readonly notes?: readonly string[] }
}

const INSIDE = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.1.1', '100.64.0.1', '0.0.0.0']
const INSIDE_V6 = ['::1', 'fc00::1', 'fe80::1', '::ffff:127.0.0.1', '64:ff9b::a00:1']
/** Calls at once. */
const AT_ONCE = 4

describe('sites.intel and hosts that mean harm', function () {
  this.timeout(60_000)
  let world: SiteWorld

  before(async function () {
    needsProgram(this, 'openssl')
    world = await SiteWorld.start()
    await world.rdap({})
  })
  after(() => world?.close())

  const ask = async (domain: string, mode: string) => {
    const reply = await world.ask(domain, mode)
    return { status: reply.status, text: reply.text, ...reply.json<Answer>() }
  }

  it('names that stand for addresses inside are not connected to, in any mode', async () => {
    const zones = [
      ...INSIDE.map((address) => ({ A: [address] })),
      ...INSIDE_V6.map((address) => ({ AAAA: [address] })),
      { A: ['10.0.0.1'], MX: [{ preference: 0, exchange: 'in.inside-0.test' }], NS: ['in.inside-0.test'] },
    ]
    zones.forEach((records, place) => (world.zones[`inside-${String(place)}.test`] = records))
    world.zones['in.inside-0.test'] = { A: ['127.0.0.1'] }
    const before = world.connected.length
    const left = [...zones.keys()].flatMap((place) => {
      const modes = place === 0 ? ['overview', 'dns', 'tech-stack', 'security', 'subdomains'] : ['overview', 'security']
      return modes.map((mode) => [`inside-${String(place)}.test`, mode] as const)
    })
    // Most of the time is spent waiting for missing answers.
    const inTurn = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await ask(...next)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, inTurn))
    const allowed = world.connected.slice(before).filter((target) => !target.startsWith('127.0.2.'))
    expect(allowed).to.deep.equal([])
    expect((await ask('inside-0.test', 'tech-stack')).text).to.contain('target-blocked')
    const overview = await ask('inside-0.test', 'overview')
    expect(overview.data).to.deep.include({ ssl: null, hosting: null })
    expect(overview.data.dns?.a_records).to.deep.equal(['127.0.0.1'])
  })

  it('a redirect inside is not followed', async () => {
    await world.site('turn.test', (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/admin' }).end())
    const before = world.connected.length
    expect((await ask('turn.test', 'tech-stack')).text).to.contain('target-blocked')
    expect(world.connected.slice(before).filter((target) => !target.startsWith('127.0.2.'))).to.deep.equal([])
  })

  it('redirects in a circle end', async () => {
    await world.site('circle.test', (_request, response) => response.writeHead(302, { location: 'https://circle.test/' }).end(), {
      plain: (_request, response) => response.writeHead(302, { location: 'http://circle.test/' }).end(),
    })
    const { status, data, metadata } = await ask('circle.test', 'security')
    expect(status).to.equal(200)
    expect(data.graded_url).to.equal(null)
    expect(data.tls).to.include({ trusted: true })
    expect(metadata.notes?.join(' ')).to.contain('redirects more than')
  })

  it('servers that hang and drip cost their part alone, and end with it', async () => {
    const address = world.address('slow.test')
    const hangs = await tcpServer(() => undefined, address)
    const drips = await tcpServer((socket) => {
      const timer = setInterval(() => socket.write('H'), 50)
      socket.on('close', () => clearInterval(timer))
    }, address)
    world.at(address, 443, hangs)
    world.at(address, 80, drips)
    const { status, data, metadata } = await ask('slow.test', 'overview')
    expect(status).to.equal(200)
    expect(data.ssl).to.equal(null)
    expect(data.dns?.a_records).to.deep.equal([address])
    expect(data.hosting).to.deep.include({ ip: address })
    expect(metadata.notes?.some((note) => note.startsWith('ssl: '))).to.equal(true)
  })

  it('servers that speak nonsense cost their part alone', async () => {
    const address = world.address('noise.test')
    for (const port of [443, 80])
      world.at(address, port, await tcpServer((socket) => void socket.once('data', () => socket.end(Buffer.alloc(2_000, 0x9f))), address))
    for (const mode of ['overview', 'security']) {
      const { status, data, metadata } = await ask('noise.test', mode)
      expect(status, mode).to.equal(200)
      expect([data.ssl, data.grade, data.dns?.a_records], mode).to.deep.equal([null, null, [address]])
      expect(
        metadata.notes?.some((note) => note.startsWith('ssl: ')),
        mode,
      ).to.equal(true)
    }
    expect((await ask('noise.test', 'tech-stack')).status).to.be.oneOf([422, 502])
  })

  it('a certificate of megabytes is refused by the library, and the rest is reported', async () => {
    const names = Array.from({ length: 100_000 }, (_, place) => `${'a'.repeat(40)}-${String(place)}.huge.test`)
    await world.site('huge.test', (_request, response) => response.end('x'), { names: ['huge.test', ...names] })
    const { status, data } = await ask('huge.test', 'overview')
    expect(status).to.equal(200)
    expect(data.ssl).to.equal(null)
    expect(data.dns?.a_records).to.have.lengthOf(1)
  })

  it('names that are none are refused before anything is asked, with what to write', async () => {
    const asked = world.names.queries.length
    const reply = await world.ask('https://example.com/')
    expect(reply.status).to.equal(422)
    expect(reply.text).to.contain('give the bare name: example.com').and.contain('"domain"')
    expect(world.names.queries.length).to.equal(asked)
  })
})
