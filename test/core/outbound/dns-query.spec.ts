import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Answer, Question } from 'dns-packet'
import fc from 'fast-check'
import { QueryMessage, readMessage } from '../../../core/outbound/dns-message.js'
import { readServiceBinding } from '../../../core/outbound/dns-data.js'
import { queryByUdp } from '../../../core/outbound/dns-client.js'
import { problemFrom } from '../../../core/dispatch/from-error.js'
import type { DnsType } from '../../../core/sdk/index.js'
import { dnsServer, type DnsQuery as ReceivedQuery, type DnsReply } from '../../../core/sdk/testkit/dns-server.js'
import { cancelIn, faultOf, HandClock, outboundKit } from '../../support/outbound.js'
import { until } from '../../support/time.js'

const NAME = 'known.example'
const SILENCE: readonly DnsReply[] = []
const NXDOMAIN = 3
const SERVFAIL = 2
const EDNS = { edns: true }
const a = (data: string, name = NAME): Answer => ({ type: 'A', name, ttl: 300, data })
const isControl = ({ name }: ReceivedQuery): boolean => name.endsWith('.com')

async function query<T extends DnsType>(answer: (query: ReceivedQuery) => readonly DnsReply[] | DnsReply, type: T, name = NAME) {
  const server = await dnsServer((query) => (isControl(query) ? {} : answer(query)))
  const kit = outboundKit({ dns: server.address })
  try {
    return { answer: await kit.net.query(name, type, cancelIn()), queries: server.queries.filter((query) => !isControl(query)) }
  } finally {
    await kit.close()
    await server.close()
  }
}

describe('outbound: questions over the wire', () => {
  it('records of every type come typed', async () => {
    const bytes = Buffer.from('00ff', 'hex')
    const cases: readonly [DnsType, Answer, unknown][] = [
      ['A', a('192.0.2.1'), '192.0.2.1'],
      ['AAAA', { type: 'AAAA', name: NAME, data: '2001:db8::1' }, '2001:db8::1'],
      ['NS', { type: 'NS', name: NAME, data: 'ns.example' }, 'ns.example'],
      ['PTR', { type: 'PTR', name: NAME, data: 'host.example' }, 'host.example'],
      ['CNAME', { type: 'CNAME', name: NAME, data: 'other.example' }, 'other.example'],
      ['MX', { type: 'MX', name: NAME, data: { preference: 10, exchange: 'mx.example' } }, { preference: 10, exchange: 'mx.example' }],
      ['MX', { type: 'MX', name: NAME, data: { preference: 0, exchange: '.' } }, { preference: 0, exchange: '.' }],
      ['TXT', { type: 'TXT', name: NAME, data: ['v=spf1 ', '-all ü'] }, 'v=spf1 -all ü'],
      ['TXT', { type: 'TXT', name: NAME, data: Buffer.from('Zo\xeb', 'latin1') }, 'Zoë'],
      [
        'SOA',
        {
          type: 'SOA',
          name: NAME,
          data: { mname: 'ns.example', rname: 'host\\.master.example', serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 },
        },
        { mname: 'ns.example', rname: 'host.master@example', serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 },
      ],
      [
        'SRV',
        { type: 'SRV', name: NAME, data: { priority: 1, weight: 2, port: 3, target: 'a.example' } },
        { priority: 1, weight: 2, port: 3, target: 'a.example' },
      ],
      [
        'CAA',
        { type: 'CAA', name: NAME, data: { flags: 128, tag: 'issue', value: 'ca.example; x=1' } },
        { flags: 128, tag: 'issue', value: 'ca.example; x=1' },
      ],
      [
        'DS',
        { type: 'DS', name: NAME, data: { keyTag: 1, algorithm: 13, digestType: 2, digest: bytes } },
        { keyTag: 1, algorithm: 13, digestType: 2, digest: '00ff' },
      ],
      [
        'DNSKEY',
        { type: 'DNSKEY', name: NAME, data: { flags: 257, algorithm: 13, key: bytes } },
        { flags: 257, algorithm: 13, key: 'AP8=' },
      ],
      [
        'TLSA',
        { type: 'TLSA', name: NAME, data: { usage: 3, selector: 1, matchingType: 1, certificate: bytes } },
        { usage: 3, selector: 1, matchingType: 1, certificate: '00ff' },
      ],
      [
        'NAPTR',
        { type: 'NAPTR', name: NAME, data: { order: 1, preference: 2, flags: 'u', services: 's', regexp: 'r', replacement: 'a.example' } },
        { order: 1, preference: 2, flags: 'u', services: 's', regexp: 'r', replacement: 'a.example' },
      ],
      [
        'NSEC',
        { type: 'NSEC', name: NAME, data: { nextDomain: 'b.example', rrtypes: ['A', 'MX'] } },
        { next: 'b.example', types: ['A', 'MX'] },
      ],
      [
        'RRSIG',
        {
          type: 'RRSIG',
          name: NAME,
          data: {
            typeCovered: 'A',
            algorithm: 13,
            labels: 2,
            originalTTL: 300,
            expiration: 2,
            inception: 1,
            keyTag: 9,
            signersName: 'example',
            signature: bytes,
          },
        },
        {
          typeCovered: 'A',
          algorithm: 13,
          labels: 2,
          originalTtl: 300,
          expiration: 2,
          inception: 1,
          keyTag: 9,
          signer: 'example',
          signature: 'AP8=',
        },
      ],
      ['TYPE99', { type: 'UNKNOWN_99', name: NAME, data: bytes } as never, '00ff'],
    ]
    for (const [type, record, data] of cases) {
      const { answer } = await query(() => ({ answers: [record] }), type)
      expect(answer, type).to.deep.equal({
        status: 'NOERROR',
        records: [{ name: NAME, ttl: record.type === 'A' ? 300 : 0, data }],
        aliases: [],
        authenticated: false,
      })
    }
  })

  it('HTTPS and SVCB records are read, parameters and all (RFC 9460 D)', async () => {
    const data = Buffer.from(
      '0001' +
        '03737663076578616d706c6500' +
        '00000002' +
        '0001' +
        '00010006' +
        '026832' +
        '026833' +
        '00020000' +
        '00030002' +
        '0035' +
        '00040004' +
        'c0000201' +
        '00050001' +
        'aa' +
        '00060010' +
        '20010db8000000000000000000000001' +
        '029b0002' +
        'beef',
      'hex',
    )
    const expected = {
      priority: 1,
      target: 'svc.example',
      alpn: ['h2', 'h3'],
      defaultAlpn: false,
      port: 53,
      ipv4: ['192.0.2.1'],
      ipv6: ['2001:db8::1'],
      ech: true,
      mandatory: [1],
      other: { key667: 'beef' },
    }
    for (const [type, number] of [
      ['HTTPS', 65],
      ['SVCB', 64],
    ] as const) {
      const { answer } = await query(() => ({ answers: [{ type: `UNKNOWN_${number}`, name: NAME, data } as never] }), type)
      expect(answer.records[0]?.data).to.deep.equal(expected)
    }
    expect(readServiceBinding(Buffer.from('000000', 'hex'))).to.deep.include({ priority: 0, target: '.', defaultAlpn: true, port: null })
  })

  it('a malformed service binding is no answer, whatever its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          readServiceBinding(Buffer.from(bytes))
        } catch (error) {
          expect(error).to.be.instanceOf(RangeError)
        }
      }),
    )
  })

  it('an unknown name is distinguished from one without such records, and neither fails', async () => {
    expect((await query(() => ({ rcode: NXDOMAIN }), 'MX')).answer).to.deep.equal({
      status: 'NXDOMAIN',
      records: [],
      aliases: [],
      authenticated: false,
    })
    expect((await query(() => ({ answers: [] }), 'MX')).answer.status).to.equal('NOERROR')
  })

  it('aliases are followed within the answer; a dangling one is seen, a loop ends, strange records are left out', async () => {
    const cname = (name: string, data: string): Answer => ({ type: 'CNAME', name, data })
    const answers = [
      a('192.0.2.9', 'Third.example'),
      cname('KNOWN.example', 'second.example'),
      cname('second.example', 'third.example'),
      a('10.0.0.1', 'strange.example'),
    ]
    const { answer } = await query(() => ({ answers }), 'A')
    expect(answer.aliases).to.deep.equal(['second.example', 'third.example'])
    expect(answer.records.map(({ data }) => data)).to.deep.equal(['192.0.2.9'])
    const dangling = await query(() => ({ rcode: NXDOMAIN, answers: [cname(NAME, 'gone.example')] }), 'A')
    expect(dangling.answer).to.deep.include({ status: 'NXDOMAIN', aliases: ['gone.example'] })
    const loop = await query(() => ({ answers: [cname(NAME, 'b.example'), cname('b.example', NAME)] }), 'A')
    expect(loop.answer.aliases).to.deep.equal(['b.example', NAME])
    expect(
      (await query(() => ({ answers: [cname(NAME, 'b.example'), cname('b.example', 'c.example')] }), 'CNAME')).answer.records,
    ).to.have.length(1)
  })

  it('the AD bit is requested with DO, and returned as received', async () => {
    const { answer, queries } = await query(() => ({ answers: [a('192.0.2.1')], ad: true }), 'A')
    expect(answer.authenticated).to.equal(true)
    const [sent] = queries
    expect(sent?.packet).to.include({ flag_ad: true, flag_rd: true, flag_cd: false })
    expect(sent?.packet.additionals?.[0]).to.include({ type: 'OPT', flag_do: true, udpPayloadSize: 1232 })
  })

  it('each question has an id and a port of its own', () => {
    const ids = new Set(Array.from({ length: 50 }, () => new QueryMessage(NAME, 1, EDNS).message.readUInt16BE(0)))
    expect(ids.size).to.be.above(40)
  })

  it('a truncated answer is fetched by TCP', async () => {
    const answers = Array.from({ length: 200 }, (_, index) => a(`192.0.2.${index}`))
    const { answer, queries } = await query(() => ({ answers, truncated: true }), 'A')
    expect([answer.records.length, queries.map(({ by }) => by)]).to.deep.equal([200, ['udp', 'tcp']])
  })

  it('a server without EDNS is queried again in the old form', async () => {
    const { answer, queries } = await query(
      ({ packet }) => ((packet.additionals ?? []).length > 0 ? { rcode: 1 } : { answers: [a('192.0.2.1')] }),
      'A',
    )
    expect([answer.records.length, queries.length]).to.deep.equal([1, 2])
  })
})

describe('outbound: hostile and failing name servers', () => {
  it('an answer with a wrong id, or to another question, is not taken; the right one behind it is', async () => {
    const other: Question = { type: 'A', name: 'other.example' }
    const wrong: readonly DnsReply[] = [
      { idOff: 1, answers: [a('10.0.0.1')] },
      { question: other, answers: [a('10.0.0.2')] },
      { question: { type: 'AAAA', name: NAME }, answers: [a('10.0.0.3')] },
      { raw: Buffer.from('garbage') },
      { raw: Buffer.alloc(0) },
    ]
    const { answer } = await query(() => [...wrong, { answers: [a('192.0.2.1')] }], 'A')
    expect(answer.records.map(({ data }) => data)).to.deep.equal(['192.0.2.1'])
    const upper: Question = { type: 'A', name: 'KNOWN.Example' }
    expect((await query(() => ({ question: upper, answers: [a('192.0.2.1')] }), 'A')).answer.records).to.have.length(1)
  })

  it('many datagrams that do not fit are guesses: TCP is used', async () => {
    const guesses = Array.from({ length: 20 }, (_, index) => ({ idOff: index + 1, answers: [a('10.0.0.1')] }))
    const { answer, queries } = await query(({ by }) => (by === 'udp' ? guesses : { answers: [a('192.0.2.1')] }), 'A')
    expect(answer.records.map(({ data }) => data)).to.deep.equal(['192.0.2.1'])
    expect(queries.map(({ by }) => by)).to.deep.equal(['udp', 'tcp'])
  })

  it('a wrong answer by TCP, one that is too long and one that is cut end the question', async () => {
    const byTcp = (reply: DnsReply) => query(({ by }) => (by === 'udp' ? { truncated: true } : reply), 'A')
    const large = Array.from({ length: 1_200 }, () => a('192.0.2.1'))
    for (const reply of [{ idOff: 1 }, { answers: large }, { raw: Buffer.alloc(3) }])
      expect((await faultOf(byTcp(reply))).unavailable).to.equal(true)
  })

  it('the next server is queried when one has no answer, refuses the connection or answers nonsense, in the order of resolv.conf', async () => {
    const failing = await dnsServer(() => ({ rcode: SERVFAIL }))
    const nonsense = await dnsServer(({ by }) => (by === 'udp' ? { truncated: true } : { raw: Buffer.alloc(3) }))
    const good = await dnsServer(() => ({ answers: [a('192.0.2.1')] }))
    const folder = await mkdtemp(join(tmpdir(), 'outbound-dns-'))
    const resolvConf = join(folder, 'resolv.conf')
    const portOf = ({ address }: { address: string }): string => address.split(':')[1] ?? ''
    for (const first of [portOf(failing), portOf(nonsense), '1']) {
      await writeFile(resolvConf, `nameserver [127.0.0.1]:${first}\nnameserver [127.0.0.1]:${portOf(good)}\nsearch example\n`)
      const kit = outboundKit({ system: { resolvConf } })
      expect((await kit.net.query(NAME, 'A', cancelIn())).records, first).to.have.length(1)
      await kit.close()
    }
    expect([failing.queries.length, good.queries.map(({ name }) => name)]).to.deep.equal([1, [NAME, NAME, NAME]])
    await Promise.all([failing.close(), nonsense.close(), good.close(), rm(folder, { recursive: true })])
  })

  it('20 questions for a domain are in flight at once, by whatever name in it, and others do not wait', async () => {
    const clock = new HandClock()
    const server = await dnsServer(() => SILENCE)
    const kit = outboundKit({ dns: server.address, clock })
    const cancel = cancelIn(60_000, clock)
    const all = Array.from({ length: 25 }, (_, index) => kit.net.query(`n${index}.known.example`, 'A', cancel).catch(() => null))
    for (let turn = 0; turn < 60; turn++) {
      clock.advance(17)
      await new Promise((resolve) => setImmediate(resolve))
    }
    all.push(kit.net.query('other.test', 'A', cancel).catch(() => null))
    await until(() => server.queries.length >= 21)
    expect(server.queries.filter(({ name }) => name.endsWith(NAME))).to.have.length(20)
    cancel.cancel('client-gone')
    await Promise.all(all)
    await kit.close()
    await server.close()
  })

  it('what no server can answer is unavailable', async () => {
    const failing = await query(() => ({ rcode: SERVFAIL }), 'A').catch((error: unknown) => error)
    expect(problemFrom(failing).slug).to.equal('target-unavailable')
    const clock = new HandClock()
    const server = await dnsServer((query) => (isControl(query) ? {} : SILENCE))
    const kit = outboundKit({ dns: server.address, clock })
    const fault = faultOf(kit.net.query(NAME, 'MX', cancelIn(60_000, clock)))
    for (let tries = 1; tries <= 2; tries++) {
      await until(() => server.queries.filter((query) => !isControl(query)).length >= tries)
      clock.advance(3_000)
    }
    const silent = { kind: 'blocked', unavailable: true, message: 'the name servers had no answer', obstacle: 'silent' }
    expect(await fault).to.include(silent)
    await kit.close()
    await server.close()
    const closed = outboundKit({ dns: server.address })
    const refused = await closed.net.query(NAME, 'A', cancelIn()).catch((error: unknown) => error)
    expect(refused).to.deep.include({ slug: 'overloaded', status: 503 })
    await closed.close()
  })
  it('a malformed answer is unavailable, and the end of the call ends the question', async () => {
    const broken: DnsReply = { answers: [{ type: 'UNKNOWN_65', name: NAME, data: Buffer.from('00') } as never] }
    expect((await faultOf(query(() => broken, 'HTTPS'))).unavailable).to.equal(true)
    const server = await dnsServer(() => SILENCE)
    const kit = outboundKit({ dns: server.address })
    const cancel = cancelIn()
    const fault = faultOf(kit.net.query(NAME, 'A', cancel))
    await until(() => server.queries.length !== 0)
    cancel.cancel('client-gone')
    expect((await fault).message).to.equal('the fetch was stopped')
    await kit.close()
    await server.close()
  })

  it('a question that is over before it began leaves no socket', async () => {
    const server = await dnsServer(() => SILENCE)
    const sockets = (): number => process.getActiveResourcesInfo().filter((each) => each.startsWith('UDP')).length
    const before = sockets()
    expect(before).to.be.above(0)
    const over = cancelIn()
    over.cancel('client-gone')
    const querying = queryByUdp({ host: '127.0.0.1', port: Number(server.address.split(':')[1]) }, new QueryMessage(NAME, 1, EDNS), over)
    expect(await querying.catch((error: unknown) => String(error))).to.contain('stopped: client-gone')
    await until(() => sockets() <= before)
    expect(server.queries).to.deep.equal([])
    await server.close()
  })

  it('what is no name is missing and not queried, and a type that cannot be queried is the mistake of the plugin', async () => {
    const server = await dnsServer(() => ({ answers: [] }))
    const kit = outboundKit({ dns: server.address })
    for (const name of ['not a name', '', 'a..b', `${'a'.repeat(64)}.example`])
      expect((await faultOf(kit.net.query(name, 'A', cancelIn()))).kind, name).to.equal('missing')
    for (const type of ['TYPE1', 'TYPE41', 'TYPE252', 'TYPE255', 'TYPE0', 'TYPE65536'] as const)
      expect((await faultOf(kit.net.query(NAME, type, cancelIn()))).kind, type).to.equal('broken')
    expect(server.queries).to.deep.equal([])
    expect((await kit.net.query('.', 'DNSKEY', cancelIn())).status).to.equal('NOERROR')
    await kit.close()
    await server.close()
  })

  it('no bytes after a header that fits make reading fail otherwise than as malformed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        readMessage(Buffer.from(bytes))
      }),
    )
  })

  it('an answer whose names take pointers of pointers to read is malformed; pointers as servers write them are not', () => {
    const nested = (depth: number): Buffer => {
      const first = 23
      const message = Buffer.alloc(first + depth * 2 + 12)
      message.writeUInt16BE(2, 6)
      // One record of a type without a reader, whose bytes are pointers, each at the one before it, and one whose name is the last of them.
      message.writeUInt16BE(99, 13)
      message.writeUInt16BE(depth * 2, 21)
      for (let index = 0; index < depth; index++)
        message.writeUInt16BE(0xc000 | (index === 0 ? 12 : first + index * 2 - 2), first + index * 2)
      message.writeUInt16BE(0xc000 | (first + depth * 2 - 2), first + depth * 2)
      return message
    }
    expect(readMessage(nested(7))?.answers).to.have.length(2)
    expect(readMessage(nested(8))).to.equal(null)
    expect(readMessage(nested(8_000))).to.equal(null)
  })
})
