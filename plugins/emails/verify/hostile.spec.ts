import { expect } from 'chai'
import { issued } from '../../../core/sdk/testkit/certificates.js'
import { lineServer } from '../../../core/sdk/testkit/line-servers.js'
import { smtpServer } from '../../../core/sdk/testkit/smtp-server.js'
import { tcpServer } from '../../../core/sdk/testkit/servers.js'
import { MailWorld } from '../../../test/support/mail-world.js'
import { skip } from '../../../test/support/needs.js'
import { expectProblem } from '../../../test/support/problem.js'

const OK = '250 ok\r\n'
const said = ({ status, sub_status }: { status: string; sub_status: string | null }): string => `${status} ${String(sub_status)}`

describe('emails.verify: bad input and bad servers', function () {
  this.timeout(120_000)
  let world: MailWorld

  before(async () => {
    world = await MailWorld.start({
      file: 'plugins:\n  emails:\n    ehlo_name: probe.test\n',
      names: { silent: ['dead.test'], truncated: ['mx.crowd.test', 'flood.test'] },
    })
  })
  after(() => world?.close())

  it('line breaks, control characters and blanks are 422 at email', async () => {
    for (const email of [
      'ada@acme.test\r\nRCPT TO:<bo@acme.test>',
      'ada\n@acme.test',
      'ada@acme.test\r',
      'ada\0@acme.test',
      'ada@acme.test\u2028',
      ' ada@acme.test',
      'ada @acme.test',
      'ada\u00a0b@acme.test',
      '"ada\r\n"@acme.test',
      '"ada" @acme.test',
      'Ada <ada@acme.test>',
      '',
      'a'.repeat(1_001),
    ]) {
      const reply = await world.ask(email)
      expect(reply.status, JSON.stringify(email)).to.equal(422)
      expect(reply.json<{ detail: { loc: string[] }[] }>().detail[0]?.loc).to.deep.equal(['body', 'email'])
    }
  })

  it('what is no address is an answer that says why, without a question to anybody', async () => {
    const before = world.net.connected.length
    const notes: string[] = []
    for (const email of [
      'ada',
      '@acme.test',
      'ada@',
      'ada@@acme.test',
      'ada@bo@acme.test',
      '.ada@acme.test',
      'ada.@acme.test',
      'a..b@acme.test',
      'ada(comment)@acme.test',
      'ada@acme.test(comment)',
      'ada@(comment)acme.test',
      '"ada@acme.test',
      '"a"b@acme.test',
      '""@acme.test',
      'a,b@acme.test',
      'ada<bo>@acme.test',
      'ada@acme',
      'ada@acme.test.',
      'ada@acme..test',
      'ada@.acme.test',
      'ada@-acme.test',
      'ada@acme_.test',
      'ada@acme.test:25',
      'ada@acme.test/path',
      'http://ada@acme.test/',
      'ada@[127.0.0.1]',
      'ada@[IPv6:::1]',
      'ada@127.0.0.1',
      'ada@2130706433',
      `ada@${'a'.repeat(64)}.test`,
      `ada@${'a.'.repeat(130)}test`,
      `${'ä'.repeat(33)}@acme.test`,
      'ada\u200b@acme.test',
      'ada@ac\u202eme.test',
    ]) {
      const reply = await world.ask(email)
      const { data, metadata } = reply.json<{ data: { status: string; sub_status: string | null }; metadata: { notes: string[] } }>()
      expect(reply.status === 200 && said(data), `${email}: ${reply.text}`).to.equal('invalid failed_syntax_check')
      notes.push(...metadata.notes)
    }
    expect(notes.every((note) => note.startsWith('The syntax is wrong: '))).to.equal(true)
    expect(world.net.connected.length).to.equal(before)
  })

  it('domains of any script, letters of any case, and public suffixes are asked for in one form', async () => {
    await world.net.domain('xn--bcher-kva.test', { mailboxes: { 'ada@xn--bcher-kva.test': 'exists' } })
    for (const email of ['ada@bücher.test', 'ada@BÜCHER.test', 'ada@bu\u0308cher.test', 'ada@xn--bcher-kva.test', 'ada@bücher。test'])
      expect(await world.verify(email), email).to.include({ email, status: 'valid', mx_record: 'mx.xn--bcher-kva.test' })
    expect(said(await world.verify('ada@co.uk'))).to.equal('invalid no_dns_entries')
    // A Cyrillic letter among Latin ones: a different domain that looks the same.
    expect(said(await world.verify('ada@\u0430cme.test'))).to.equal('invalid no_dns_entries')
  })

  it('T-23 MX records that point inside are not connected to', async () => {
    const inside: Record<string, string> = {
      a: '127.0.0.1',
      b: '10.0.0.1',
      c: '192.168.1.1',
      d: '169.254.169.254',
      e: '100.64.0.1',
      f: '0.0.0.0',
    }
    const before = world.net.connected.length
    for (const [name, address] of Object.entries(inside)) {
      world.net.zones[`${name}.inside.test`] = { A: [address] }
      world.net.zones[`${name}.trap.test`] = { MX: [{ preference: 1, exchange: `${name}.inside.test` }] }
      world.net.zones[`${name}.bare.test`] = { A: [address] }
      world.net.zones[`${name}.literal.test`] = { MX: [{ preference: 1, exchange: address }] }
    }
    for (const [name, address] of Object.entries({ g: '::1', h: 'fe80::1', i: 'fd00::1', j: '::ffff:127.0.0.1', k: '64:ff9b::7f00:1' })) {
      world.net.zones[`${name}.inside.test`] = { AAAA: [address] }
      world.net.zones[`${name}.trap.test`] = { MX: [{ preference: 1, exchange: `${name}.inside.test` }] }
    }
    world.net.zones['l.trap.test'] = { MX: [{ preference: 1, exchange: 'localhost' }] }
    for (const name of 'abcdefghijk')
      expect(said(await world.verify(`x@${name}.trap.test`)), name).to.equal('invalid unroutable_ip_address')
    for (const name of 'abcdef') {
      expect(said(await world.verify(`x@${name}.bare.test`)), name).to.equal('invalid unroutable_ip_address')
      expect((await world.verify(`x@${name}.literal.test`)).status, name).to.equal('invalid')
    }
    expect((await world.verify('x@l.trap.test')).status).to.equal('invalid')
    expect(world.net.connected.length).to.equal(before)
  })

  it('hosts that nobody can connect to are passed over, and so is a closed port', async () => {
    const server = await world.net.domain('spare.test', { mailboxes: { 'ada@spare.test': 'exists' } })
    world.net.zones['inner.test'] = { A: ['10.0.0.1'] }
    const [good] = world.net.zones['spare.test']?.MX ?? []
    world.net.zones['spare.test'] = { MX: [{ preference: 1, exchange: 'nowhere.test' }, { preference: 2, exchange: 'inner.test' }, good] }
    expect(said(await world.verify('ada@spare.test'))).to.equal('valid null')
    expect(server.connections()).to.equal(1)
    world.net.host('closed.test', null)
    world.net.zones['shut.test'] = {
      MX: [
        { preference: 1, exchange: 'closed.test' },
        { preference: 2, exchange: 'mx.spare.test' },
      ],
    }
    const before = world.net.connected.length
    expect(said(await world.verify('ada@shut.test'))).to.equal('invalid mailbox_not_found')
    expect(world.net.connected.length).to.be.within(before + 1, before + 2)
  })

  it('2,000 addresses of a mail server, and 2,000 mail servers', async () => {
    const before = world.net.connected.length
    world.net.zones['crowd.test'] = { MX: [{ preference: 1, exchange: 'mx.crowd.test' }] }
    world.net.zones['mx.crowd.test'] = {
      A: Array.from({ length: 2_000 }, (_, place) => `10.1.${String(place >> 8)}.${String(place & 255)}`),
    }
    expect(said(await world.verify('ada@crowd.test'))).to.equal('invalid unroutable_ip_address')
    world.net.zones['flood.test'] = { MX: Array.from({ length: 2_000 }, (_, place) => ({ preference: place, exchange: 'a' })) }
    // An answer of more than 16 KiB is rejected.
    expectProblem(await world.ask('ada@flood.test'), 'target-unavailable')
    const exchange = (place: number): string => `mx${String(place)}.flood2.test`
    world.net.zones['flood2.test'] = { MX: Array.from({ length: 300 }, (_, place) => ({ preference: place, exchange: exchange(place) })) }
    expect(said(await world.verify('ada@flood2.test'))).to.equal('invalid no_dns_entries')
    expect(world.net.connected.length).to.equal(before)
  })

  it('a zone that answers for every name', async () => {
    const server = await world.net.domain('wild.test', { mailboxes: { 'ada@a.wild.test': 'exists' } })
    world.net.zones['*.wild.test'] = world.net.zones['wild.test'] ?? {}
    expect(said(await world.verify('ada@a.wild.test'))).to.equal('valid null')
    expect(said(await world.verify('ada@b.c.wild.test'))).to.equal('invalid mailbox_not_found')
    expect(server.connections()).to.equal(1)
    world.net.zones['*.inner.wild2.test'] = { MX: [{ preference: 1, exchange: 'mx.inner.wild2.test' }], A: ['10.0.0.1'] }
    world.net.zones['*.bare.wild2.test'] = { A: ['127.0.0.1'] }
    const before = world.net.connected.length
    for (const domain of ['a.inner.wild2.test', 'b.c.inner.wild2.test', 'a.bare.wild2.test'])
      expect(said(await world.verify(`ada@${domain}`)), domain).to.equal('invalid unroutable_ip_address')
    expect(world.net.connected.length).to.equal(before)
  })

  it('a domain that takes mail is no typing error of another', async () => {
    for (const domain of ['yandex.net', 'hotmall.com']) {
      await world.net.domain(domain, { mailboxes: { [`ada@${domain}`]: 'exists' } })
      expect(await world.verify(`ada@${domain}`), domain).to.include({ status: 'valid', did_you_mean: null })
    }
    await world.net.domain('gmial.com', { catchAll: true })
    expect(await world.verify('ada@gmial.com')).to.include({ mx_found: 'true', did_you_mean: 'ada@gmail.com' })
  })

  it('servers that hang, drip, flood or speak too early: the answer is unknown, within the time', async function () {
    const tls = issued({ names: ['mx.early.test'] })
    if (tls === null) skip(this, 'openssl is not installed')
    const servers = {
      'mute.test': [await lineServer(() => undefined), 'unknown mail_server_did_not_respond'],
      'hang.test': [
        await lineServer((line) => (line.startsWith('MAIL') ? undefined : OK), { onOpen: '220 mx\r\n' }),
        'unknown timeout_exceeded',
      ],
      'long.test': [await lineServer(() => OK, { onOpen: `220 ${'x'.repeat(5_000)}` }), 'unknown exception_occurred'],
      'endless.test': [await lineServer(() => OK, { onOpen: '220-more\r\n'.repeat(1_000) }), 'unknown exception_occurred'],
      'cut.test': [await lineServer(() => null, { onOpen: '220 mx\r\n' }), 'unknown forcible_disconnect'],
      'half.test': [await lineServer(() => null, { onOpen: '220 m' }), 'unknown mail_server_did_not_respond'],
      'early.test': [await smtpServer({ tls, injected: `${OK}${OK}${OK}`, replies: { MAIL: OK, RCPT: OK } }), 'unknown exception_occurred'],
    } as const
    for (const [name, [server]] of Object.entries(servers)) await world.net.domain(name, server)
    const drip = await tcpServer((socket) => {
      const timer = setInterval(() => socket.write('2'), 300)
      socket.on('close', () => clearInterval(timer))
    })
    await world.net.domain('drip.test', { ...drip, lines: [], say: () => undefined })
    const wanted = [
      ...Object.entries(servers).map(([name, [, verdict]]) => [name, verdict]),
      ['drip.test', 'unknown mail_server_did_not_respond'],
    ]
    const found = await Promise.all(wanted.map(async ([name]) => [name, said(await world.verify(`ada@${String(name)}`))]))
    expect(found).to.deep.equal(wanted)
    expect(servers['early.test'][0].lines).to.deep.equal(['EHLO probe.test', 'STARTTLS'])
  })

  it('TLS that fails is done without, once', async () => {
    const replies: Record<string, string> = { EHLO: '250-mx\r\n250 STARTTLS\r\n', STARTTLS: '220 go ahead\r\n', RCPT: '550 5.1.1 no\r\n' }
    const server = await lineServer(
      (line, socket) => {
        if (line === 'STARTTLS') socket.once('data', () => socket.end('what?\r\n'))
        return replies[line.split(' ', 1)[0] ?? ''] ?? OK
      },
      { onOpen: '220 mx\r\n' },
    )
    await world.net.domain('broken.test', server)
    expect(said(await world.verify('ada@broken.test'))).to.equal('invalid mailbox_not_found')
    expect(server.connections()).to.equal(2)
    expect(world.net.most('mx.broken.test')).to.equal(1)
    expect(server.lines.filter((line) => line === 'STARTTLS').length).to.equal(1)
  })

  it('a domain whose name servers are silent costs nothing and may be asked for again', async () => {
    const reply = await world.ask('ada@dead.test')
    expectProblem(reply, 'target-unavailable')
    expect(reply.headers['x-credits-used']).to.equal('0')
  })

  it('T-37 no address stands in the log', async () => {
    await world.verify('canary.person@hang.test')
    expect(world.log.filter((line) => line.includes('canary.person'))).to.deep.equal([])
  })
})
