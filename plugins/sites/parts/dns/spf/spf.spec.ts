import { expect } from 'chai'
import fc from 'fast-check'
import type { Spf } from '../../../shapes/dns.js'
import { evaluateSpf, type SpfLookups } from './evaluate.js'
import { parseSpf } from './parse.js'

interface Zone {
  readonly txt?: readonly string[]
  readonly mx?: readonly string[]
  readonly a?: boolean
}

const FULL: Zone = { a: true }

function lookups(zones: Readonly<Record<string, Zone | null>>, asked: string[] = []): SpfLookups {
  const at = (type: string, name: string) => {
    asked.push(`${type} ${name}`)
    return Object.hasOwn(zones, name) ? zones[name] : {}
  }
  return {
    txt: (name) => Promise.resolve(at('TXT', name)).then((zone) => (zone === null ? null : (zone?.txt ?? []))),
    mx: (name) => Promise.resolve(at('MX', name)).then((zone) => (zone === null ? null : (zone?.mx ?? []))),
    hasAddress: (name) => Promise.resolve(at('A', name)).then((zone) => (zone === null ? null : zone?.a === true)),
  }
}

async function read(record: string | readonly string[], zones: Record<string, Zone | null> = {}, asked: string[] = []): Promise<Spf> {
  const spf = await evaluateSpf('example.com', [record].flat(), lookups({ 'example.com': FULL, ...zones }, asked))
  if (spf === null) throw new Error('no record')
  return spf
}

describe('SPF (RFC 7208)', () => {
  /** Record, valid, lookups; those of RFC 7208 appendix A and section 5 first. */
  const VALID: readonly (readonly [record: string, lookups: number])[] = [
    ['v=spf1 +all', 0],
    ['v=spf1 a -all', 1],
    ['v=spf1 a:example.org -all', 1],
    ['v=spf1 mx -all', 1],
    ['v=spf1 mx:example.org -all', 1],
    ['v=spf1 mx mx:example.org -all', 2],
    ['v=spf1 mx/30 mx:example.org/30 -all', 2],
    ['v=spf1 a/24//64 -all', 1],
    ['v=spf1 a//64 mx:example.org//48 -all', 2],
    ['v=spf1 ptr -all', 1],
    ['v=spf1 ip4:192.0.2.128/28 -all', 0],
    ['v=spf1 ip6:2001:db8::/32 ip6:::1 ?all', 0],
    ['v=spf1 exists:%{ir}.%{v}._spf.%{d2} -all', 1],
    ['v=spf1 exists:_h.%{h}._l.%{l}._o.%{o}._i.%{i}._spf.%{d} ?all', 1],
    ['v=spf1 -all exp=explain._spf.%{d}', 0],
    ['v=spf1 ip4:192.0.2.1 moo.cow-far_out=man:dog/cat -all', 0],
    ['V=SPF1 MX:EXAMPLE.ORG ~ALL', 1],
    ['v=spf1', 0],
    ['v=spf1   a    -all', 1],
  ]
  for (const [record, count] of VALID)
    it(`${record} is valid, with ${String(count)} look-ups`, async () => {
      const spf = await read(record, {
        'example.org': { a: true, mx: ['mx.example.org'] },
        'example.com': { a: true, mx: ['mx.example.com'] },
      })
      expect([spf.valid, spf.lookups], spf.problems.join(' ')).to.deep.equal([true, count])
    })

  const INVALID: readonly (readonly [record: string, problem: string])[] = [
    ['v=spf1 ipv4:192.0.2.1 -all', '"ipv4:192.0.2.1" is no term of SPF.'],
    ['v=spf1 ip4:192.0.2.300 -all', '"ip4:192.0.2.300" names no IPv4 address.'],
    ['v=spf1 ip4:192.0.2.1/33 -all', '"ip4:192.0.2.1/33" has a prefix length that is none.'],
    ['v=spf1 ip6:192.0.2.1 -all', '"ip6:192.0.2.1" names no IPv6 address.'],
    ['v=spf1 ip6:2001:db8::/129 -all', '"ip6:2001:db8::/129" has a prefix length that is none.'],
    ['v=spf1 a/33 -all', '"a/33" has a prefix length that is none.'],
    ['v=spf1 include -all', '"include" names no domain.'],
    ['v=spf1 include: -all', '"include:" names no domain.'],
    ['v=spf1 include:localhost -all', '"include:localhost" names no full domain.'],
    ['v=spf1 exists:%{z}.example.com -all', '"exists:%{z}.example.com" has a macro that is none.'],
    ['v=spf1 exists:%i.example.com -all', '"exists:%i.example.com" has a macro that is none.'],
    ['v=spf1 all:example.com', '"all:example.com" takes nothing after all.'],
    ['v=spf1 redirect=a.example redirect=b.example', 'The record has redirect= more than once.'],
    ['v=spf1 a\tmx -all', '"a\tmx" is no term of SPF.'],
    ['v=spf1 -all;', '"-all;" is no term of SPF.'],
    ['v=spf1 -include=a.example -all', '"-include=a.example" is no term of SPF.'],
  ]
  for (const [record, problem] of INVALID)
    it(`${JSON.stringify(record)} is not valid`, async () => {
      const spf = await read(record, { 'a.example': { txt: ['v=spf1 -all'] }, 'b.example': { txt: ['v=spf1 -all'] } })
      expect(spf.valid).to.equal(false)
      expect(spf.problems).to.include(problem)
    })

  it('texts that only look like one are no record', async () => {
    for (const text of ['v=spf10 -all', 'v=spf2.0/pra -all', ' v=spf1 -all', 'spf1 -all', ''])
      expect(await evaluateSpf('example.com', [text], lookups({})), text).to.equal(null)
  })

  it('includes are followed with their depth, and what the last redirect says of everybody else counts', async () => {
    const spf = await read('v=spf1 include:_a.example include:_b.example redirect=_c.example', {
      '_a.example': { txt: ['other', 'v=spf1 include:_b.example ~all'] },
      '_b.example': { txt: ['v=spf1 ip4:192.0.2.1 -all'] },
      '_c.example': { txt: ['v=spf1 a -all'], a: true },
    })
    expect(spf.includes.map(({ domain, depth }) => [domain, depth])).to.deep.equal([
      ['_a.example', 1],
      ['_b.example', 2],
      ['_b.example', 1],
      ['_c.example', 1],
    ])
    expect(spf).to.deep.include({ valid: true, all: '-all', lookups: 5, void_lookups: 0, problems: [] })
  })

  it('ten look-ups are valid, eleven a permanent error', async () => {
    const names = Array.from({ length: 11 }, (_, place) => `a:h${String(place)}.example`)
    const zones = Object.fromEntries(names.map((name) => [name.slice(2), FULL]))
    expect(await read(`v=spf1 ${names.slice(0, 10).join(' ')} -all`, zones)).to.deep.include({ valid: true, lookups: 10, problems: [] })
    const over = await read(`v=spf1 ${names.join(' ')} -all`, zones)
    expect(over).to.deep.include({ valid: false, lookups: 11, problems: ['11 look-ups, where receivers stop after 10 (permerror).'] })
  })

  it('three look-ups that find nothing are a permanent error, two are not', async () => {
    expect(await read('v=spf1 a:a.example a:b.example -all')).to.deep.include({ valid: true, void_lookups: 2 })
    const over = await read('v=spf1 a:a.example mx:b.example exists:c.example -all')
    expect(over).to.deep.include({ valid: false, void_lookups: 3 })
    expect(over.problems[0]).to.equal('3 look-ups find nothing, where receivers stop after 2 (permerror).')
  })

  it('several records, here or in an include, a missing include, and eleven mail servers are permanent errors', async () => {
    const problemOf = async (...given: Parameters<typeof read>) => {
      const spf = await read(...given)
      expect(spf.valid).to.equal(false)
      return spf.problems[0]
    }
    expect(await problemOf(['v=spf1 -all', 'v=spf1 a -all'])).to.equal('There are 2 SPF records; receivers take none of several.')
    expect(await problemOf('v=spf1 include:a.example -all', { 'a.example': { txt: ['v=spf1 -all', 'v=spf1 a'] } })).to.match(
      /^a.example has 2/,
    )
    expect(await problemOf('v=spf1 include:a.example -all')).to.equal('a.example has no SPF record (permerror).')
    const mx = Array.from({ length: 11 }, (_, place) => `mx${String(place)}.example`)
    expect(await problemOf('v=spf1 mx -all', { 'example.com': { mx } })).to.equal('"mx" leads to more than 10 mail servers (permerror).')
  })

  it('loops of includes and redirects end, and are permanent errors', async () => {
    const own = await read('v=spf1 include:example.com -all', { 'example.com': { txt: ['v=spf1 include:example.com -all'] } })
    expect(own.problems[0]).to.equal('"include:example.com" leads back to where it came from (permerror).')
    const asked: string[] = []
    const ring = await read(
      'v=spf1 redirect=a.example',
      {
        'a.example': { txt: ['v=spf1 include:B.example include:b.example. -all'] },
        'b.example': { txt: ['v=spf1 redirect=a.example'] },
      },
      asked,
    )
    expect(ring.valid).to.equal(false)
    expect(asked).to.deep.equal(['TXT a.example', 'TXT b.example', 'TXT b.example'])
  })

  it('a tree without end is left after 30 look-ups', async () => {
    const asked: string[] = []
    const bottomless: SpfLookups = {
      ...lookups({}),
      txt: (name) => {
        asked.push(name)
        return Promise.resolve([`v=spf1 include:x${String(asked.length)}.example include:y${String(asked.length)}.example ~all`])
      },
    }
    const spf = await evaluateSpf('example.com', ['v=spf1 include:z.example -all'], bottomless)
    expect(asked).to.have.length(30)
    expect(spf).to.deep.include({ valid: false, all: '-all' })
    expect(spf?.problems[0]).to.equal('More than 30 look-ups, where receivers stop after 10 (permerror).')
  })

  it('what is unwise is said without being an error', async () => {
    const cases = [
      ['v=spf1 ptr -all', 'ptr is slow and should not be used (RFC 7208 5.5).'],
      ['v=spf1 a', 'There is no term for all other senders: the result is neutral.'],
      ['v=spf1 a +all', '+all lets everybody send.'],
      ['v=spf1 -all a', 'Terms after all have no effect.'],
      ['v=spf1 -all redirect=a.example', 'redirect= has no effect beside all.'],
      ['v=spf1 include:%{i}._spf.%{d} -all', '"include:%{i}._spf.%{d}" depends on the message and was not followed.'],
      [
        'v=spf1 include:silent.example -all',
        'The name servers of silent.example did not answer, which receivers take for a temporary error.',
      ],
    ] as const
    for (const [record, problem] of cases) {
      const spf = await read(record, { 'silent.example': null })
      expect([spf.valid, spf.problems], record).to.deep.equal([true, [problem]])
    }
  })

  it('a record of 64 KiB is read without being asked about for long, and no text makes the parser throw', async () => {
    const asked: string[] = []
    await read(`v=spf1 ${'a:b.example '.repeat(5_400)}`, {}, asked)
    await read(`v=spf1 exists:${'%{'.repeat(30_000)} -all`, {}, asked)
    await read(`v=spf1 include:${'a'.repeat(60_000)} a:${'a.'.repeat(30_000)}`, {}, asked)
    expect(asked.length).to.be.lessThan(70)
    const piece = fc.oneof(
      fc.constantFrom(
        'include:',
        'a:',
        'mx',
        'ptr',
        'ip4:',
        'ip6:',
        'exists:',
        'redirect=',
        'exp=',
        'x=',
        '-all',
        '%{',
        '}',
        '%{d}',
        '/',
        '//',
        '.',
        ' ',
        '1',
        'a.example',
      ),
      fc.string(),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const record = `v=spf1 ${pieces.join('')}`
        const own: string[] = []
        expect(parseSpf(record).errors.length).to.be.at.most(20)
        const everywhere: SpfLookups = {
          txt: (name) => Promise.resolve((own.push(name), [record])),
          mx: () => Promise.resolve([]),
          hasAddress: () => Promise.resolve((own.push(''), false)),
        }
        const spf = await evaluateSpf('example.com', [record], everywhere)
        expect(own.length).to.be.at.most(30)
        expect(spf?.problems.length).to.be.at.most(20)
      }),
    )
  })
})
