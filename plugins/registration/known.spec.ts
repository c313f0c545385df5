import { expect } from 'chai'
import { faultOf } from '../../test/support/outbound.js'
import { Bootstrap, type BootstrapList } from './bootstrap.js'
import { Hosts } from './hosts.js'
import { WhoisServers } from './whois-servers.js'
import { dateOf } from './work/dates.js'

const DAY = 86_400_000
const listOf = (base: string, freshMs = 0): BootstrapList => ({ bases: new Map([['test', base]]), freshMs })

describe('registration: the list that is kept', () => {
  let now = 0
  let reads = 0
  const reading = (list: BootstrapList | Error) => () => {
    reads++
    return list instanceof Error ? Promise.reject(list) : Promise.resolve(list)
  }
  beforeEach(() => {
    now = 0
    reads = 0
  })

  it('serves for a day, and for as long as its header says', async () => {
    for (const [fresh, lasts] of [
      [0, DAY],
      [3 * DAY, 3 * DAY],
    ] as const) {
      now = 0
      const bootstrap = new Bootstrap(() => now)
      expect(await bootstrap.baseOf('a.test', reading(listOf('one', fresh)))).to.equal('one')
      now = lasts - 1
      expect(await bootstrap.baseOf('a.test', reading(listOf('two')))).to.equal('one')
      now = lasts
      expect(await bootstrap.baseOf('a.test', reading(listOf('two')))).to.equal('two')
    }
    expect(await new Bootstrap().baseOf('a.other', reading(listOf('one')))).to.equal(null)
  })

  it('serves on while it cannot be renewed, and is asked for every five minutes', async () => {
    const bootstrap = new Bootstrap(() => now)
    await bootstrap.baseOf('a.test', reading(listOf('one')))
    now = DAY
    const away = reading(new Error('away'))
    expect([await bootstrap.baseOf('a.test', away), await bootstrap.baseOf('a.test', away), reads]).to.deep.equal(['one', 'one', 2])
    now += 300_000
    expect([await bootstrap.baseOf('a.test', reading(listOf('two'))), reads]).to.deep.equal(['two', 3])
  })

  it('that never came is asked for again after 30 s', async () => {
    const bootstrap = new Bootstrap(() => now)
    const away = reading(new Error('away'))
    for (const seconds of [30, 30])
      expect(await faultOf(bootstrap.baseOf('a.test', away))).to.include({ kind: 'busy', unavailable: true, retryAfterSeconds: seconds })
    expect(reads).to.equal(1)
    now = 30_000
    expect([await bootstrap.baseOf('a.test', reading(listOf('one'))), reads]).to.deep.equal(['one', 2])
  })

  it('that was not read because its caller left is read by the next one', async () => {
    const bootstrap = new Bootstrap(() => now)
    const left = bootstrap.baseOf('a.test', reading(new Error('stopped')), () => true)
    const waits = bootstrap.baseOf('a.test', reading(listOf('one')))
    const [first] = await Promise.allSettled([left])
    expect([first.status, await waits, reads]).to.deep.equal(['rejected', 'one', 2])
  })

  it('is read once for all who ask at the same time', async () => {
    const bootstrap = new Bootstrap(() => now)
    const all = Array.from({ length: 5 }, () => bootstrap.baseOf('a.test', reading(listOf('one'))))
    expect([await Promise.all(all), reads]).to.deep.equal([Array(5).fill('one'), 1])
  })
})

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
    servers.tell('a.shop', 'whois.shop.example')
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
