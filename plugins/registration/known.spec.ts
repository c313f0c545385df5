import { expect } from 'chai'
import { faultOf } from '../../test/support/outbound.js'
import { Hosts } from './hosts.js'
import { WhoisServers } from './whois-servers.js'
import { dateOf } from './work/dates.js'

const DAY = 86_400_000

describe('registration: hosts that are asked', () => {
  it('take turns, and whose turn is more than two seconds off is sent away', async () => {
    let now = 1_000
    const hosts = new Hosts(() => now)
    const waits: number[] = []
    const turn = (host: string) => hosts.turn(host, 1, (ms) => Promise.resolve(void waits.push(ms)))
    for (const host of ['a', 'a', 'a', 'b']) await turn(host)
    expect(waits).to.deep.equal([1_000, 2_000])
    expect(await faultOf(turn('a'))).to.include({ kind: 'busy', unavailable: true, retryAfterSeconds: 3 })
    now += 3_000
    await turn('a')
    expect(waits).to.have.length(2)
  })

  it('are left alone for as long as they ask, within an hour', async () => {
    let now = 0
    const hosts = new Hosts(() => now)
    for (const [asked, rests] of [
      [30, 30],
      [null, 60],
      [0, 1],
      [1e9, 3_600],
    ] as const) {
      hosts.rest('a', asked)
      now += rests * 1_000 - 1
      expect(() => hosts.check('a')).to.throw('asked for a pause')
      now += 1
      hosts.check('a')
    }
  })
})

describe('registration: servers of TLDs', () => {
  it('that IANA named are kept for three days', () => {
    let now = 0
    const servers = new WhoisServers(() => now)
    servers.record('a.shop', 'whois.shop.example')
    now = 3 * DAY - 1
    expect([servers.of('b.shop'), servers.of('b.com'), servers.of('a.constructor')]).to.deep.equal([
      'whois.shop.example',
      'whois.verisign-grs.com',
      null,
    ])
    now++
    expect(servers.of('b.shop')).to.equal(null)
  })
})

describe('registration: dates', () => {
  for (const [text, date] of [
    ['2009-01-02T03:04:05Z', '2009-01-02T03:04:05Z'],
    ['2009-01-02T03:04:05.678+0100', '2009-01-02T02:04:05Z'],
    ['2009-01-02 03:04:05', '2009-01-02'],
    ['2009-01-02', '2009-01-02'],
    ['2009.01.02 03:04:05', '2009-01-02'],
    ['2009/01/02 00:30:00 (JST)', '2009-01-01T15:30:00Z'],
    ['20090102 03:04:05', '2009-01-02'],
    ['20090102 #12345', '2009-01-02'],
    ['02-Jan-2009', '2009-01-02'],
    ['2-jan-2009 03:04:05 UTC', '2009-01-02T03:04:05Z'],
    ['2009-Jan-02.', '2009-01-02'],
    ['2. 1. 2009', null],
    ['2.1.2009 00:00:00', '2009-01-02'],
    ['02/01/2009', '2009-01-02'],
    ['01/31/2009', '2009-01-31'],
    ['Tue Mar 24 1998', '1998-03-24'],
    ['January  2 2009', '2009-01-02'],
    ['2009-02-30', null],
    ['2009-13-01', null],
    ['31/31/2009', null],
    ['0000-00-00', null],
    ['1234', null],
    ['before 1996', null],
    ['', null],
  ] as const)
    it(`${JSON.stringify(text)} is ${String(date)}`, () => expect(dateOf(text)).to.equal(date))
})
