import { expect } from 'chai'
import { lineServer } from '../../../core/sdk/testkit/line-servers.js'
import { tcpServer } from '../../../core/sdk/testkit/servers.js'
import { FindWorld } from '../../../test/support/find-world.js'

const OK = '250 ok\r\n'

describe('emails.find: bad input and bad servers', function () {
  this.timeout(120_000)
  let world: FindWorld

  before(
    async () =>
      (world = await FindWorld.start({
        file: 'plugins:\n  emails:\n    ehlo_name: probe.test\n',
        names: { truncated: ['mx.many.test', 'flood.test'] },
      })),
  )
  after(() => world?.close())

  it('what is no domain of a company is 422 at domain, without a question to anybody', async () => {
    const before = world.net.connected.length
    for (const domain of [
      ...['https://acme.test', 'acme.test/path', 'acme.test:25', 'acme.test?x', 'user@acme.test', 'acme.test.', '.acme.test', 'acme..test'],
      ...['localhost', 'acme', 'com', '127.0.0.1', '2130706433', '0x7f.1', '[::1]', '::1', 'acme_.test', '-acme.test', 'ac me.test'],
      ...[
        'ac\u200bme.test',
        'ac\u202eme.test',
        'acme.test\r\nRCPT TO:<x@y.test>',
        'acme.test\0',
        `${'a'.repeat(64)}.test`,
        `${'a.'.repeat(130)}test`,
      ],
      ...['', 'gmail.com', 'GMAIL.COM', 'ｇmail.com'],
    ]) {
      const reply = await world.ask({ first_name: 'Ada', last_name: 'Lovelace', domain })
      expect(reply.status, `${domain}: ${reply.text}`).to.equal(422)
      expect(reply.json<{ detail: { loc: string[] }[] }>().detail[0]?.loc, domain).to.deep.equal(['body', 'domain'])
    }
    expect(world.net.connected.length).to.equal(before)
  })

  it('names that would be commands, quotes or long local parts are refused or made plain', async () => {
    const server = await world.domain('names.test', { mail: { mailboxes: {} } })
    for (const last_name of [
      'Love\r\nDATA',
      'Love"lace"',
      'Love<lace>',
      '>\r\nQUIT',
      'a@b',
      `Lo${'o'.repeat(63)}ve`,
      'Love (lace)',
      'Love\u200blace',
    ])
      await world.ask({ first_name: 'Ada', last_name, domain: 'names.test' })
    const lines = server?.lines ?? []
    expect(
      lines.filter((line) => !/^(?:EHLO probe\.test|MAIL FROM:<>|RSET|QUIT|RCPT TO:<[a-z0-9._-]{1,64}@names\.test>)$/.test(line)),
    ).to.deep.equal([])
  })

  it('domains of any script are asked for in one form, and one of mixed scripts is another domain', async () => {
    const server = await world.domain('xn--bcher-kva.test', { mail: { mailboxes: { 'ada.lovelace@xn--bcher-kva.test': 'exists' } } })
    for (const domain of ['bücher.test', 'BÜCHER.test', 'bu\u0308cher.test', 'www.bücher.test', 'bücher。test'])
      expect((await world.find(`Ada Lovelace@${domain}`)).domain, domain).to.equal('xn--bcher-kva.test')
    expect(server?.connections()).to.equal(1)
    const before = world.net.connected.length
    expect(await world.refused('Ada Lovelace@b\u0443cher.test')).to.equal('no-result')
    expect(world.net.connected.length).to.equal(before)
  })

  it('T-23 mail servers and sites at addresses inside are not connected to', async () => {
    const inside = ['127.0.0.1', '10.0.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0']
    const inside6 = ['::1', 'fe80::1', 'fd00::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1']
    for (const [place, address] of [...inside, ...inside6].entries()) {
      const type = place < inside.length ? 'A' : 'AAAA'
      world.zones[`in${String(place)}.test`] = { MX: [{ preference: 1, exchange: `mx.in${String(place)}.test` }], [type]: [address] }
      world.zones[`mx.in${String(place)}.test`] = { [type]: [address] }
    }
    const before = world.net.connected.length
    for (let place = 0; place < inside.length + inside6.length; place++)
      expect(await world.refused(`Ada Lovelace@in${String(place)}.test`)).to.equal('no-result')
    expect(world.net.connected.length).to.equal(before)
  })

  it('2,000 addresses of a mail server, and 2,000 mail servers', async () => {
    const before = world.net.connected.length
    world.zones['many.test'] = { MX: [{ preference: 1, exchange: 'mx.many.test' }] }
    world.zones['mx.many.test'] = { A: Array.from({ length: 2_000 }, (_, place) => `10.1.${String(place >> 8)}.${String(place & 255)}`) }
    world.zones['flood.test'] = { MX: Array.from({ length: 2_000 }, (_, place) => ({ preference: place, exchange: 'a' })) }
    expect(await world.refused('Ada Lovelace@many.test')).to.equal('no-result')
    // Its answer is too large to be read: its mail hosts are unknown.
    expect(await world.refused('Ada Lovelace@flood.test')).to.equal('target-unavailable')
    expect(world.net.connected.length).to.equal(before)
  })

  it('a zone that answers for every name: inside nobody is connected to, and names below share site and mail server', async () => {
    world.zones['*.inner.test'] = { MX: [{ preference: 1, exchange: 'mx.inner.test' }], A: ['10.0.0.1'] }
    const before = world.net.connected.length
    for (const name of ['a', 'b', 'c']) expect(await world.refused(`Ada Lovelace@${name}.inner.test`)).to.equal('no-result')
    expect(world.net.connected.length).to.equal(before)
    const server = await world.domain('wild.test', { mail: { catchAll: true }, pages: { '/': 'grace_hopper@wild.test' } })
    world.zones['*.wild.test'] = world.zones['wild.test'] ?? {}
    for (const name of ['wild.test', 'a.wild.test', 'b.wild.test']) await world.find(`Ada Lovelace@${name}`)
    expect(world.net.pagesRead.filter((path) => path.startsWith('wild.test/')).length).to.equal(5)
    expect(server?.connections()).to.equal(1)
  })

  it('servers that hang, drip or answer nonsense: what nobody confirms is no result', async () => {
    const drip = await tcpServer((socket) => {
      const timer = setInterval(() => socket.write('2'), 300)
      socket.on('close', () => clearInterval(timer))
    })
    const servers = {
      'mute.test': await lineServer(() => undefined),
      'hang.test': await lineServer((line) => (line.startsWith('RCPT') ? undefined : OK), { onOpen: '220 mx\r\n' }),
      'nonsense.test': await lineServer(() => '¿que?\r\n', { onOpen: '220 mx\r\n' }),
      'http.test': await lineServer(() => OK, { onOpen: 'HTTP/1.1 400 Bad Request\r\n' }),
      'endless.test': await lineServer(() => OK, { onOpen: '220-more\r\n'.repeat(1_000) }),
      'drip.test': { ...drip, lines: [], say: () => undefined },
    }
    for (const [name, mail] of Object.entries(servers)) await world.domain(name, { mail })
    const found = await Promise.all(Object.keys(servers).map((name) => world.refused(`Ada Lovelace@${name}`)))
    expect(found).to.deep.equal(Object.keys(servers).map(() => 'no-result'))
    const lines = Object.values(servers).flatMap((each) => each.lines)
    expect(lines.filter((line) => /^(?:DATA|BDAT|VRFY|EXPN)\b/i.test(line))).to.deep.equal([])
  })

  it('T-39 people at one mail server are asked for one after the other on one connection', async () => {
    const names = ['Ada', 'Grace', 'Alan', 'Kurt', 'Emmy', 'Sofia']
    const mailboxes = Object.fromEntries(names.map((name) => [`${name.toLowerCase()}.test@queue.test`, 'exists']))
    const server = await world.domain('queue.test', { mail: { mailboxes } })
    const found = await Promise.all(names.map((name) => world.find(`${name} Test@queue.test`)))
    expect(found.map(({ confidence }) => confidence)).to.deep.equal(names.map(() => 85))
    expect(server?.connections()).to.equal(1)
  })

  it('T-37 nobody who was looked for stands in the log', () => {
    expect(world.log.length).to.be.greaterThan(0)
    expect(world.log.filter((line) => /lovelace/i.test(line))).to.deep.equal([])
  })
})
