import { expect } from 'chai'
import { rdapDomain, rdapServer, type RdapReply, type RdapServer } from '../../core/sdk/testkit/rdap-server.js'
import type { WhoisServer } from '../../core/sdk/testkit/whois-server.js'
import { Registries } from '../../test/support/registries.js'

const card = (...rows: readonly unknown[]) => ({ vcardArray: ['vcard', [['version', {}, 'text', '4.0'], ...rows]] })
const registrar = {
  objectClassName: 'entity',
  roles: ['registrar'],
  publicIds: [{ type: 'IANA Registrar ID', identifier: '9990' }],
  ...card(['fn', {}, 'text', 'Example Registrar, Inc.']),
  entities: [
    { roles: ['abuse'], ...card(['email', {}, 'text', 'abuse@registrar.example'], ['tel', { type: 'voice' }, 'uri', 'tel:+1.5555550100']) },
  ],
}
const FULL = {
  status: ['client transfer prohibited', 'active'],
  events: [
    { eventAction: 'registration', eventDate: '2009-01-02T03:04:05Z' },
    { eventAction: 'expiration', eventDate: '2027-01-02T04:04:05+01:00' },
    { eventAction: 'last changed', eventDate: '2026-01-02T00:00:00.123Z' },
    { eventAction: 'last update of RDAP database', eventDate: '2026-02-01T00:00:00Z' },
  ],
  nameservers: [{ ldhName: 'NS1.ACME.TEST.' }, { ldhName: 'ns2.host.example' }],
  secureDNS: { delegationSigned: true },
  entities: [
    registrar,
    {
      roles: ['registrant'],
      ...card(
        ['fn', {}, 'text', 'Ada Example'],
        ['org', {}, 'text', ['Example Works Ltd']],
        ['adr', { cc: 'US' }, 'text', ['', '', '1 Sample Street', 'Springfield', 'OR', '97000', '']],
        ['email', {}, 'text', 'ada@example.com'],
      ),
    },
  ],
}

const nameIn = (value: unknown): unknown => (typeof value === 'object' && value !== null && 'name' in value ? value.name : null)
const whoisRecord = (domain: string): string => `Domain Name: ${domain}\r\nRegistrar: By Whois Ltd\r\nCreation Date: 2001-02-03\r\n`

describe('registration: RDAP', function () {
  this.timeout(60_000)
  const domains: Record<string, RdapReply> = {}
  const copied: Record<string, RdapReply> = {}
  const bases: Record<string, string> = {}
  let all: Registries
  let list: RdapServer
  let rdap: RdapServer
  let copies: RdapServer
  let registry: WhoisServer

  before(async () => {
    list = await rdapServer({ host: '127.0.1.250', services: () => Object.entries(bases).map(([tld, base]) => [[tld], [base]]) })
    all = await Registries.start({ env: { CAPSTAN_RDAP_BOOTSTRAP: list.bootstrap }, zones: { 'inside.example': { A: ['127.0.0.9'] } } })
    rdap = await all.rdap('rdap.registry.example', { domains })
    copies = await all.rdap('rdap.registrar.example', { domains: copied })
    await all.whois('whois.iana.org', () => 'refer: whois.registry.example\r\n')
    registry = await all.whois('whois.registry.example', whoisRecord)
    for (const tld of ['test', 'two.test', 'xn--p1ai']) bases[tld] = rdap.base
    bases.inside = 'http://10.0.0.1/rdap/'
    bases.meta = 'http://169.254.169.254/latest/'
    bases.named = 'http://inside.example/rdap/'
    bases.wrong = 'http://a b.example/rdap/'
  })
  after(async () => {
    await all?.close()
    await list?.close()
  })

  it('a record is read, for any name below the domain, by the list of IANA', async () => {
    domains['acme.test'] = rdapDomain('acme.test', FULL)
    expect(await all.found('www.ACME.test')).to.deep.equal({
      domain: 'acme.test',
      registered: true,
      registrar: {
        name: 'Example Registrar, Inc.',
        iana_id: '9990',
        url: null,
        abuse_email: 'abuse@registrar.example',
        abuse_phone: '+1.5555550100',
      },
      created: '2009-01-02T03:04:05Z',
      updated: '2026-01-02T00:00:00Z',
      expires: '2027-01-02T03:04:05Z',
      status: ['clientTransferProhibited', 'ok'],
      name_servers: ['ns1.acme.test', 'ns2.host.example'],
      dnssec: true,
      registrant: { name: 'Ada Example', organization: 'Example Works Ltd', state: 'OR', country: 'US', email: 'ada@example.com' },
      source: 'rdap',
      server: 'rdap.registry.example',
      raw: null,
      notes: [],
    })
    await all.found('acme.test')
    expect(list.requests).to.deep.equal(['/dns.json'])
  })

  it('a 404 of an RDAP server says that a name is not registered, with a body or without', async () => {
    domains['empty.test'] = { status: 404, body: '' }
    for (const name of ['free.test', 'empty.test'])
      expect(await all.found(name)).to.include({ domain: name, registered: false, source: 'rdap', registrar: null, created: null })
  })

  it('letters beyond ASCII are asked for as A-labels, and the record may show either form', async () => {
    domains['xn--bcher-kva.test'] = { json: { objectClassName: 'domain', unicodeName: 'bücher.test' } }
    expect(await all.found('Bücher.test')).to.include({ domain: 'xn--bcher-kva.test', registered: true, created: null, dnssec: null })
    expect(await all.found('пример.рф')).to.include({ domain: 'xn--e1afmkfd.xn--p1ai', registered: false })
  })

  it('N14 cards and entities a level deeper than they should be are read', async () => {
    const deeper = {
      vcardArray: [
        'vcard',
        [
          [
            ['version', {}, 'text', '4.0'],
            ['fn', {}, 'text', 'Nested Sample Registrar'],
          ],
        ],
      ],
    }
    const entity = (roles: readonly string[], name: string) => ({ roles, ...card(['fn', {}, 'text', name]) })
    for (const [name, entities, wanted] of [
      ['card.test', [{ handle: 'X1', roles: ['registrar'], ...deeper }], ['Nested Sample Registrar', null]],
      [
        'bare.test',
        [
          {
            handle: 'X1',
            roles: ['registrar'],
            vcardArray: [
              ['version', {}, 'text', '4.0'],
              ['fn', {}, 'text', 'Bare Registrar'],
            ],
          },
        ],
        ['Bare Registrar', null],
      ],
      [
        'twice.test',
        [{ handle: 'X1', roles: ['registrar'], vcardArray: [card(['fn', {}, 'text', 'Wrapped Registrar']).vcardArray] }],
        ['Wrapped Registrar', null],
      ],
      [
        'list.test',
        [[entity(['registrar'], 'Listed Registrar')], [entity(['registrant'], 'Ada Example')]],
        ['Listed Registrar', 'Ada Example'],
      ],
      [
        'below.test',
        [{ roles: ['sponsor'], handle: 'S', entities: [entity(['registrar'], 'Lower Registrar'), entity(['registrant'], 'Bo Sample')] }],
        ['Lower Registrar', 'Bo Sample'],
      ],
    ] as const) {
      domains[name] = rdapDomain(name, { ...FULL, entities })
      const { registrar, registrant } = await all.found(name, { only: 'rdap' })
      expect([nameIn(registrar), nameIn(registrant)], name).to.deep.equal(wanted)
    }
    // The registrar's own contacts are not the domain's.
    domains['own.test'] = rdapDomain('own.test', {
      ...FULL,
      entities: [
        {
          ...entity(['registrar'], 'Upper Registrar'),
          entities: [entity(['registrant'], 'Wrong Person'), entity(['registrar'], 'Wrong Registrar')],
        },
      ],
    })
    const { registrar, registrant } = await all.found('own.test', { only: 'rdap' })
    expect([nameIn(registrar), registrant]).to.deep.equal(['Upper Registrar', null])
  })

  for (const [what, reply] of [
    ['a page with status 404', { status: 404, body: '<h1>Not found</h1>' }],
    ['the record of another name', rdapDomain('other.test', FULL)],
    ['an object that is no domain', { json: { objectClassName: 'nameserver', ldhName: 'odd.test' } }],
    ['an error with status 200', { json: { errorCode: 404 } }],
    ['nonsense', { body: '{"objectClassName":' }],
    ['an empty body', { body: '' }],
    ['a refusal', { status: 403, json: {} }],
    ['a failure', { status: 500, json: {} }],
    ['more than a record is long', { body: Buffer.alloc(2_000_000, ' ') }],
    ['a redirect to itself', { status: 302, headers: { location: '/rdap/domain/odd.test' }, json: {} }],
    ['a redirect inside', { status: 302, headers: { location: 'http://127.0.0.1:1/domain/odd.test' }, json: {} }],
    [
      'a redirect to another host that does not know it',
      { status: 302, headers: { location: 'http://rdap.registrar.example:COPIES/rdap/domain/odd.test' }, json: {} },
    ],
  ] as const)
    it(`${what} is no answer, and WHOIS is asked`, async () => {
      const headers = 'headers' in reply ? { location: reply.headers.location.replace('COPIES', String(copies.port)) } : {}
      domains['odd.test'] = { ...reply, headers }
      expect(await all.found('odd.test')).to.include({ registered: true, source: 'whois', created: '2001-02-03' })
    })

  it('what breaks off or is no HTTP is no answer', async () => {
    for (const fault of ['cut', 'garbage'] as const) {
      rdap.fail(fault)
      expect(await all.found('acme.test')).to.include({ source: 'whois' })
    }
  })

  it('a server that hangs is given up in time for WHOIS', async () => {
    rdap.fail('hang')
    expect(await all.found('acme.test')).to.include({ source: 'whois' })
  })

  for (const tld of ['inside', 'meta', 'named', 'wrong'])
    it(`a list that points inside is not followed: ${tld}`, async () => {
      expect(await all.found(`acme.${tld}`)).to.include({ registered: true, source: 'whois' })
      expect((await all.refusal(`acme.${tld}`, { only: 'rdap' })).type).to.equal('providers-failed')
    })

  it('the record of the registrar is read once where the registry has no registrant, and only adds', async () => {
    copies.requests.length = 0
    const related = (href: string) => ({ links: [{ rel: 'related', type: 'application/rdap+json', href }] })
    const { entities: _, ...thin } = FULL
    domains['thin.test'] = rdapDomain('thin.test', { ...thin, entities: [registrar], ...related(`${copies.base}domain/thin.test`) })
    copied['thin.test'] = rdapDomain('thin.test', {
      ...FULL,
      status: ['client hold'],
      events: [],
      ...related(`${copies.base}domain/thin.test`),
    })
    expect(await all.found('thin.test'))
      .to.deep.include({ created: '2009-01-02T03:04:05Z', status: ['clientTransferProhibited', 'ok'], server: 'rdap.registry.example' })
      .and.have.nested.property('registrant.name', 'Ada Example')
    expect(copies.requests).to.deep.equal(['/rdap/domain/thin.test'])
    expect(await all.found('thin.test', { contacts: false })).to.include({ registrant: null })
    expect(copies.requests).to.have.length(1)
    for (const href of [
      'http://10.0.0.1/domain/thin.test',
      `${copies.base}domain/unknown.test`,
      'file:///etc/passwd',
      'https://[x',
      'http://',
    ]) {
      domains['thin.test'] = rdapDomain('thin.test', { ...thin, ...related(href) })
      expect(await all.found('thin.test')).to.include({ registered: true, registrant: null, source: 'rdap' })
    }
  })

  it('the most specific entry of the list is asked', async () => {
    expect(await all.found('deep.two.test')).to.include({ registered: false, source: 'rdap' })
  })

  it('WHOIS was asked by the bare name', () => {
    expect(new Set(registry.lines)).to.include('odd.test')
  })
})

describe('registration: the list of RDAP servers', function () {
  this.timeout(60_000)
  for (const [what, services, fault] of [
    ['that is away', null, 'garbage'],
    ['of no such form', { not: 'services' }, null],
    ['without an entry', [], null],
    ['that is longer than any', [[['test'], [`http://rdap.registry.example/${'x'.repeat(5_000_000)}`]]], null],
    ['of other things than addresses', [[['test'], ['file:///etc/passwd', 7]], 'x', null, [[['a']], {}]], null],
  ] as const)
    it(`one ${what} leaves WHOIS`, async () => {
      const list = await rdapServer({ host: '127.0.1.250', services: () => services })
      list.failAlways(fault)
      const all = await Registries.start({ env: { CAPSTAN_RDAP_BOOTSTRAP: list.bootstrap } })
      await all.whois('whois.iana.org', () => 'refer: whois.registry.example\r\n')
      await all.whois('whois.registry.example', whoisRecord)
      expect(await all.found('acme.test')).to.include({ registered: true, source: 'whois' })
      expect(await all.found('acme.test')).to.include({ registered: true, source: 'whois' })
      expect(list.requests).to.deep.equal(['/dns.json'])
      await all.close()
      await list.close()
    })

  it('a server of the operator is asked in its place, for every TLD', async () => {
    const own = await rdapServer({ domains: { 'acme.example': rdapDomain('acme.example', FULL) } })
    const list = await rdapServer({ host: '127.0.1.250', tlds: ['example'] })
    const all = await Registries.start({ env: { CAPSTAN_RDAP_BOOTSTRAP: list.bootstrap, CAPSTAN_VENDOR_RDAP_URL: own.base } })
    expect(await all.found('acme.example')).to.include({ registered: true, source: 'rdap', server: 'vendors.rdap.url' })
    expect(list.requests).to.deep.equal([])
    expect(await all.found('free.example')).to.include({ registered: false })
    // A forwarding server has no TLDs without RDAP, and nor has any other.
    expect((await all.refusal('acme.elsewhere', { only: 'rdap' })).type).to.equal('no-result')
    await all.close()
    await own.close()
    await list.close()
  })

  it('V5 a server of the operator that answers 501, 400 or 422 about one extension is asked about the others', async () => {
    const statuses = [501, 400, 422] as const
    const gone = Object.fromEntries(
      Array.from({ length: 12 }, (_, at): [string, RdapReply] => [`n${String(at)}.com`, { status: statuses[at % 3] ?? 501, json: {} }]),
    )
    const own = await rdapServer({ domains: { ...gone, 'acme.example': rdapDomain('acme.example', FULL) } })
    const list = await rdapServer({ host: '127.0.1.250', tlds: ['example'] })
    const all = await Registries.start({ env: { CAPSTAN_RDAP_BOOTSTRAP: list.bootstrap, CAPSTAN_VENDOR_RDAP_URL: own.base } })
    for (const domain of Object.keys(gone)) await all.refusal(domain, { only: 'rdap' })
    expect(await all.found('acme.example', { only: 'rdap' })).to.include({ registered: true, source: 'rdap' })
    await all.close()
    await own.close()
    await list.close()
  })

  it('N2 a registry with RDAP alone that asks for a pause, fails or is away is not taken for one that does not know the name', async () => {
    let base = ''
    const list = await rdapServer({ host: '127.0.1.250', services: () => [[['alone'], [base]]] })
    const all = await Registries.start({ env: { CAPSTAN_RDAP_BOOTSTRAP: list.bootstrap } })
    const iana = await all.whois('whois.iana.org', () => 'domain:       ALONE\r\n\r\nwhois:        \r\n\r\nstatus:       ACTIVE\r\n')
    const domains: Record<string, RdapReply> = {
      'slow.alone': { status: 503, headers: { 'retry-after': '10' }, json: {} },
      'limited.alone': { status: 429, headers: { 'retry-after': '10' }, json: {} },
      'failed.alone': { status: 500, json: {} },
      'forbidden.alone': { status: 403, json: {} },
      'page.alone': { body: '<html>sorry</html>' },
      'acme.alone': rdapDomain('acme.alone', FULL),
    }
    const server = await all.rdap('rdap.alone.example', { domains })
    base = server.base
    for (const name of ['failed.alone', 'forbidden.alone', 'page.alone'])
      expect((await all.refusal(name)).type, name).to.equal('providers-failed')
    for (const fault of ['cut', 'garbage'] as const) {
      server.fail(fault)
      expect((await all.refusal('acme.alone')).type, fault).to.equal('providers-failed')
    }
    expect(await all.found('acme.alone')).to.include({ registered: true, source: 'rdap' })
    for (const name of ['slow.alone', 'limited.alone']) {
      const { type, retryAfter } = await all.refusal(name)
      expect(type, name).to.equal('providers-failed')
      expect(retryAfter, name).to.be.within(7, 10)
    }
    // No server is guessed when IANA states that there is none.
    expect(new Set(iana.lines)).to.deep.equal(new Set(['alone']))
    expect(all.connected).to.have.length(iana.lines.length)
    await all.close()
    await list.close()
  })

  it('a server that asks for a pause gets it, and is not asked again', async () => {
    const limited: RdapReply = { status: 429, headers: { 'retry-after': '30' }, json: {} }
    let base = ''
    const list = await rdapServer({ host: '127.0.1.250', services: () => [[['limited'], [base]]] })
    const all = await Registries.start({ env: { CAPSTAN_RDAP_BOOTSTRAP: list.bootstrap } })
    const server = await all.rdap('rdap.limited.example', { domains: { 'acme.limited': limited } })
    base = server.base
    for (const name of ['acme.limited', 'other.limited']) {
      const { type, retryAfter } = await all.refusal(name, { only: 'rdap' })
      expect(type).to.equal('providers-failed')
      expect(retryAfter).to.be.within(1, 30)
    }
    expect(server.requests).to.deep.equal(['/rdap/domain/acme.limited'])
    await all.close()
    await list.close()
  })
})
