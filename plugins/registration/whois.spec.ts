import { expect } from 'chai'
import { whoisServer, type WhoisServer } from '../../core/sdk/testkit/whois-server.js'
import { rdapServer, type RdapServer } from '../../core/sdk/testkit/rdap-server.js'
import { Registries } from '../../test/support/registries.js'

const lines = (...all: readonly string[]): string => all.map((line) => `${line}\r\n`).join('')
const record = (domain: string, ...more: readonly string[]): string =>
  lines(`Domain Name: ${domain.toUpperCase()}`, 'Registrar: Sample Domains Ltd', 'Creation Date: 2001-02-03T04:05:06Z', ...more)

describe('registration: WHOIS', function () {
  this.timeout(60_000)
  let all: Registries
  let list: RdapServer
  let iana: WhoisServer
  const refers: Record<string, string> = {}

  before(async () => {
    list = await rdapServer({ host: '127.0.1.250', services: () => [[['else'], ['http://127.0.1.1/']]] })
    all = await Registries.start({
      env: { CAPSTAN_RDAP_BOOTSTRAP: list.bootstrap },
      zones: { 'inside.example': { A: ['127.0.0.9'] }, 'private.example': { A: ['10.0.0.1'] } },
    })
    iana = await all.whois('whois.iana.org', (tld) =>
      lines(
        '% IANA WHOIS server',
        '',
        ...(refers[tld] === undefined
          ? [`% This query returned 0 objects.`]
          : [`refer:        ${refers[tld]}`, '', `domain:       ${tld.toUpperCase()}`, 'status:       ACTIVE']),
      ),
    )
  })
  after(async () => {
    await all?.close()
    await list?.close()
  })
  const connectedBy = async (work: () => Promise<unknown>): Promise<number> => {
    const before = all.connected.length
    await work()
    return all.connected.length - before
  }

  it('IANA names the server of the TLD, once; the server names the registrar, whose record adds what is not there', async () => {
    refers.shop = 'whois.shop.example'
    const registry = await all.whois('whois.shop.example', {
      'acme.shop': record('acme.shop', 'Registrar WHOIS Server: whois://whois.registrar.example:4343/', 'Domain Status: ok'),
    })
    const registrar = await all.whois('whois.registrar.example', {
      'acme.shop': record(
        'acme.shop',
        'Registrant Name: Ada Example',
        'Domain Status: clientHold',
        'Registrar WHOIS Server: whois.registrar.example',
      ),
    })
    const found = await all.found('www.acme.shop')
    expect(found).to.deep.include({
      registered: true,
      source: 'whois',
      server: 'whois.shop.example',
      domain: 'acme.shop',
      created: '2001-02-03T04:05:06Z',
      status: ['ok'],
    })
    expect(found).to.have.nested.property('registrant.name', 'Ada Example')
    expect(found.raw).to.contain('Domain Status: ok').and.contain('clientHold')
    await all.found('acme.shop', { contacts: false })
    expect([iana.lines, registry.lines, registrar.lines]).to.deep.equal([['shop'], ['acme.shop', 'acme.shop'], ['acme.shop']])
  })

  it('known servers are asked in the form they want', async () => {
    const asked: [string, string, string][] = [
      ['acme.com', 'whois.verisign-grs.com', 'domain acme.com'],
      ['acme.de', 'whois.denic.de', '-T dn,ace acme.de'],
      ['bücher.de', 'whois.denic.de', '-T dn,ace xn--bcher-kva.de'],
      ['acme.co.jp', 'whois.jprs.jp', 'acme.co.jp/e'],
      ['acme.name', 'whois.nic.name', '=acme.name'],
      ['www.acme.co.uk', 'whois.nic.uk', 'acme.co.uk'],
    ]
    for (const [domain, server, query] of asked) {
      const running = await all.whois(server, () => lines('No match'))
      expect(await all.found(domain), domain).to.include({ registered: false, source: 'whois', server })
      expect(running.lines).to.deep.equal([query])
    }
  })

  it('a registrar that does not know its name, or has no word for it, takes nothing away', async () => {
    refers.sold = 'whois.sold.example'
    await all.whois('whois.sold.example', (name) => record(name, 'Registrar WHOIS Server: whois.seller.example'))
    const seller = await all.whois('whois.seller.example', () => lines('Domain not found.'))
    expect(await all.found('acme.sold')).to.deep.include({
      registered: true,
      registrant: null,
      notes: ["The registrar's WHOIS server whois.seller.example had no record of the domain."],
    })
    for (const fault of ['cut', 'garbage', 'hang'] as const) {
      seller.fail(fault)
      expect(await all.found('acme.sold')).to.include({ registered: true, source: 'whois' })
    }
  })

  it('referrals end: to oneself, in a circle, after two', async () => {
    refers.loop = 'whois.loop.example'
    await all.whois('whois.loop.example', (name) => record(name, 'Registrar WHOIS Server: whois.loop.example'))
    expect(await connectedBy(() => all.found('acme.loop'))).to.equal(2)
    refers.circle = 'whois.circle.example'
    await all.whois('whois.circle.example', (name) => record(name, 'Registrar WHOIS Server: whois.iana.org'))
    expect(await connectedBy(() => all.found('acme.circle'))).to.equal(2)
    refers.own = 'whois.iana.org'
    expect(await connectedBy(async () => expect((await all.refusal('acme.own')).type).to.equal('no-result'))).to.equal(1)
    refers.far = 'whois.far.example'
    await all.whois('whois.far.example', (name) => record(name, 'Registrar WHOIS Server: whois.farther.example'))
    await all.whois('whois.farther.example', (name) => record(name, 'Registrar WHOIS Server: whois.loop.example'))
    expect(await connectedBy(() => all.found('acme.far'))).to.equal(3)
  })

  for (const [at, host] of [
    '127.0.0.9',
    '10.0.0.1',
    '[::1]',
    'inside.example',
    'private.example',
    'localhost',
    'http://registrar.example/whois',
    'x y',
    '-T all',
    'whois.unknown.example',
  ].entries())
    it(`a registrar's server that is inside, or none, is not connected to: ${host}`, async () => {
      const tld = `seller${String(at)}`
      refers[tld] = `whois.${tld}.example`
      await all.whois(`whois.${tld}.example`, (name) => record(name, `Registrar WHOIS Server: ${host}`))
      expect(
        await connectedBy(async () => expect(await all.found(`acme.${tld}`)).to.include({ registered: true, registrant: null })),
      ).to.equal(2)
      refers[`of${tld}`] = host
      // A host that may not be connected to is not a server; one without an address may get one later.
      const type = host === 'whois.unknown.example' ? 'providers-failed' : 'no-result'
      expect(await connectedBy(async () => expect((await all.refusal(`acme.of${tld}`)).type).to.equal(type))).to.equal(1)
    })

  for (const [what, text, pause] of [
    ['an answer of 5 MB', 'Domain not found.\r\n'.repeat(300_000), null],
    ['nonsense', Buffer.from([0, 255, 254, 13, 10, 128, 1]), null],
    ['a page', '<html><h1>Not found</h1></html>', null],
    ['the record of another name', record('other.odd'), null],
    ['a refusal of the name', lines('Malformed request.'), null],
    ['a record that breaks off within a line', (name: string) => record(name).slice(0, -4), null],
    ['a refusal of the client', lines('Query limit exceeded. Please wait 20 seconds.'), 20],
    ['no word', '', 60],
  ] as const)
    it(`N2 ${what} never says that a name is free, nor that there is nothing to be had`, async () => {
      const tld = `odd${String(Object.keys(refers).length)}`
      refers[tld] = `whois.${tld}.example`
      const server = await all.whois(`whois.${tld}.example`, (name) => (typeof text === 'function' ? text(name) : text))
      const { type, retryAfter } = await all.refusal(`acme.${tld}`, { only: 'whois' })
      expect(type).to.equal('providers-failed')
      if (pause === null) return
      expect(retryAfter).to.be.within(1, pause)
      await all.ask(`other.${tld}`, { only: 'whois' })
      expect(server.lines).to.have.length(1)
    })

  it('a server that hangs or drips is given up, and nothing is held against WHOIS', async () => {
    for (const tld of ['hangs', 'drips']) refers[tld] = `whois.${tld}.example`
    const [hangs, drips] = [
      await all.whois('whois.hangs.example', record),
      await all.whois('whois.drips.example', (name) => record(name, 'x'.repeat(2_000))),
    ]
    hangs.failAlways('hang')
    drips.failAlways('drip')
    const replies = await Promise.all(['hangs', 'drips'].map((tld) => all.refusal(`acme.${tld}`, { only: 'whois' })))
    expect(replies.map(({ type }) => type)).to.deep.equal(['providers-failed', 'providers-failed'])
    expect(await all.found('acme.shop', { contacts: false })).to.include({ registered: true })
  })

  it('a TLD that IANA does not know has a server by its usual name, or none; what that does not find may still be there', async () => {
    expect((await all.refusal('acme.nowhere')).type).to.equal('no-result')
    await all.whois('whois.nic.usual', { 'acme.usual': record('acme.usual'), 'free.usual': 'No match\r\n' })
    expect(await all.found('acme.usual')).to.include({ registered: true, server: 'whois.nic.usual' })
    expect((await all.refusal('free.usual')).type).to.equal('no-result')
  })

  it('N5 a record with neither dates nor servers is registered, and the notes say so', async () => {
    refers.bare = 'whois.bare.example'
    await all.whois('whois.bare.example', (name) => lines(`Domain: ${name}`, 'State: active'))
    expect(await all.found('acme.bare')).to.deep.include({
      registered: true,
      status: ['ok'],
      notes: ["The registry's WHOIS record of the domain has neither dates nor name servers, or has them in an unreadable format."],
    })
  })

  it('a reserved name is not registered, and said to be reserved', async () => {
    refers.kept = 'whois.kept.example'
    await all.whois('whois.kept.example', () => lines('Reserved by Registry'))
    expect(await all.found('acme.kept')).to.deep.include({
      registered: false,
      status: ['reserved'],
      notes: ['The registry reserves this name.'],
    })
  })

  for (const name of [
    'https://example.com',
    'example.com/x',
    'example.com:43',
    'a b.com',
    'example.com.',
    '.example.com',
    'a..com',
    '192.0.2.1',
    '[::1]',
    'co.uk',
    'com',
    '-a.com',
    'x\r\ny.com',
    `${'a'.repeat(64)}.com`,
    'a@b.com',
    '%00.com',
    '*.com',
    '0x7f.1',
    'a_b.com',
  ])
    it(`what is no domain is 422, and nobody is asked: ${JSON.stringify(name)}`, async () => {
      const reply = { type: '' }
      expect(await connectedBy(async () => void Object.assign(reply, await all.refusal(name)))).to.equal(0)
      expect(reply.type).to.equal('validation-failed')
    })
})

describe('registration: the WHOIS server of the operator', () => {
  it('is asked first, by the bare name; it may know all, or refer', async () => {
    const own = await whoisServer({
      'acme.com': record('acme.com'),
      'free.com': 'No match\r\n',
      'far.com': 'refer: whois.registry.example\r\n',
    })
    const list = await rdapServer({ host: '127.0.1.250' })
    const all = await Registries.start({ env: { CAPSTAN_RDAP_BOOTSTRAP: list.bootstrap }, whois: `127.0.0.1:${String(own.port)}` })
    const registry = await all.whois('whois.registry.example', record)
    expect(await all.found('acme.com')).to.include({ registered: true, server: 'net.whois' })
    expect(await all.found('free.com')).to.include({ registered: false, server: 'net.whois' })
    expect(await all.found('far.com')).to.include({ registered: true, server: 'whois.registry.example' })
    expect([own.lines, registry.lines]).to.deep.equal([['acme.com', 'free.com', 'far.com'], ['far.com']])
    await all.close()
    await own.close()
    await list.close()
  }).timeout(60_000)
})
