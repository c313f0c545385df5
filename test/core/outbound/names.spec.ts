import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Cancel } from '../../../core/runtime/cancel.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { registeredDomain, requesterOf } from '../../../core/outbound/name-queue.js'
import { ownShortage } from '../../../core/problems/own-shortage.js'
import { readHosts, readResolvConf } from '../../../core/outbound/resolv-conf.js'
import { problemFrom } from '../../../core/dispatch/from-error.js'
import { accessTo, cancelIn, faultOf, HandClock, outboundKit, type KitOptions } from '../../support/outbound.js'
import { nameServer, type NameServer } from '../../../core/sdk/testkit/dns-zones.js'
import { logInto, type LogLine } from '../../support/log-lines.js'
import { atMost, until, waited } from '../../support/time.js'

const A = (name: string, data: string) => [{ type: 'A' as const, name, data }]
const STRANGER = { own: false, caller: 'a', onLeave: () => () => undefined }

describe('outbound: names by the files of the system', () => {
  let folder: string
  let names: NameServer
  let lookups: string[]
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outbound-names-'))
    lookups = []
    names = await nameServer((name, type) => {
      if (name.endsWith('silent.example') || name.endsWith('.test')) return undefined
      if (name === 'failing.example') return 'fails'
      if (name === 'half.example') return type === 'A' ? A(name, '192.0.2.7') : undefined
      if (!/^(good\d*\.example|host\.lan\.example|www\.sub\.corp\.example)$/.test(name)) return null
      return type === 'A' ? A(name, '192.0.2.1') : []
    })
  })
  afterEach(async () => {
    await names.close()
    await rm(folder, { recursive: true })
  })

  async function kitWith(conf: string, hosts = '', more: KitOptions = {}) {
    const [resolvConf, hostsPath] = [join(folder, 'resolv.conf'), join(folder, 'hosts')]
    await writeFile(resolvConf, conf.replaceAll('SERVER', `[127.0.0.1]:${names.address.split(':')[1] ?? ''}`))
    await writeFile(hostsPath, hosts)
    const lookup = (name: string): Promise<string[]> => {
      lookups.push(name)
      return name === 'printer.local'
        ? Promise.resolve(['10.0.0.9'])
        : Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }))
    }
    return outboundKit({ system: { resolvConf, hosts: hostsPath, hostname: () => 'gateway', lookup }, ...more })
  }

  it('F-37 good names answer in under 100 ms while 100 silent ones are queried, for other callers and for the operator', async function () {
    const kit = await kitWith('nameserver SERVER\n')
    const cancel = cancelIn()
    const silent = Array.from({ length: 100 }, (_, index) => {
      const requester = { ...requesterOf(cancel), caller: `account ${index % 5}` }
      return kit.resolver.resolve(`n${index}.d${index % 60}.test`, { own: false, ...requester }).catch(() => 'refused')
    })
    await until(() => kit.resolver.size === 100)
    const took: number[] = []
    for (let index = 0; index < 10; index++) {
      const requester = index < 5 ? { ...STRANGER, caller: 'neighbour' } : { own: true }
      const { own } = await waited(async () => {
        expect(await kit.resolver.resolve(`good${index}.example`, requester)).to.deep.equal(['192.0.2.1'])
      })
      took.push(own)
    }
    // The median: on a busy machine any one of them may wait for the rest of the suite.
    await atMost(this, { what: 'the median', value: took.sort((a, b) => a - b)[5] ?? NaN, limit: 100 })
    cancel.cancel('client-gone')
    expect(new Set(await Promise.all(silent))).to.deep.equal(new Set(['refused']))
    expect(kit.resolver.size).to.equal(0)
    await kit.close()
  })

  it('the hosts file comes first, for callers too, and is read again when it has changed', async () => {
    const clock = new HandClock()
    const kit = await kitWith('nameserver SERVER\n', '10.0.0.5 Intranet wiki # old\n::5 intranet\n', { clock })
    expect(await kit.resolver.resolve('intranet', STRANGER)).to.deep.equal(['10.0.0.5', '::5'])
    expect(names.questions).to.deep.equal([])
    const fault = await faultOf(kit.web.get('http://wiki/', {}, cancelIn(8_000, clock)))
    expect(fault.message).to.equal('the address is not public')
    await writeFile(join(folder, 'hosts'), '10.0.0.66 intranet\n')
    expect(await kit.resolver.resolve('intranet', STRANGER)).to.deep.equal(['10.0.0.5', '::5'])
    clock.advance(5_000)
    expect(await kit.resolver.resolve('intranet', STRANGER)).to.deep.equal(['10.0.0.66'])
    await rm(join(folder, 'hosts'))
    clock.advance(5_000)
    expect(await faultOf(kit.resolver.resolve('intranet', STRANGER))).to.include({
      kind: 'missing',
      message: 'the host name intranet is unknown',
    })
    await kit.close()
  })

  it('resolv.conf is read again when it has changed', async () => {
    const clock = new HandClock()
    const kit = await kitWith('nameserver 127.0.0.1\n', '', { clock })
    await utimes(join(folder, 'resolv.conf'), 1, 1)
    expect(kit.names.forms('host')).to.deep.equal(['host'])
    await kit.close()
    const other = await kitWith('nameserver SERVER\nsearch lan.example\n', '', { clock })
    expect(await other.resolver.resolve('host', STRANGER)).to.deep.equal(['192.0.2.1'])
    clock.advance(5_000)
    expect(kit.names.forms('host')).to.deep.equal(['host.lan.example', 'host'])
    await other.close()
  })

  it('B14 says that no name server answers, which ones, and when one does again', async () => {
    const clock = new HandClock()
    const lines: LogLine[] = []
    const kit = await kitWith('nameserver [127.0.0.1]:1\n', '', { clock, log: logInto(lines) })
    await utimes(join(folder, 'resolv.conf'), 1, 1)
    for (const name of ['good1.example', 'good2.example'])
      expect(ownShortage(await faultOf(kit.resolver.resolve(name, STRANGER)))?.slug).to.equal('overloaded')
    expect(lines.map(({ event, fields }) => [event, fields['servers']])).to.deep.equal([
      ['name-servers-away', ['127.0.0.1:1']],
      ['name-servers-away', ['127.0.0.1:1']],
    ])
    await (await kitWith('nameserver SERVER\n', '', { clock })).close()
    clock.advance(5_000)
    for (const name of ['good3.example', 'unknown.example']) await kit.resolver.resolve(name, STRANGER).catch(() => undefined)
    expect(lines.slice(2).map(({ event }) => event)).to.deep.equal(['name-servers-back'])
    await kit.close()
  })

  it('search list and ndots give the order of the questions; a name that ends in a dot is absolute', async () => {
    const kit = await kitWith('nameserver SERVER\nsearch lan.example corp.example.\noptions ndots:2\n')
    const resolved = async (name: string) => {
      names.questions.length = 0
      await kit.resolver.resolve(name, STRANGER).catch(() => undefined)
      return names.questions.filter((question) => question.startsWith('A ')).map((question) => question.slice(2))
    }
    expect(await resolved('host')).to.deep.equal(['host.lan.example'])
    expect(await resolved('www.sub')).to.deep.equal(['www.sub.lan.example', 'www.sub.corp.example'])
    expect(await resolved('good.example')).to.deep.equal(['good.example.lan.example', 'good.example.corp.example', 'good.example'])
    expect(await resolved('a.b.unknown')).to.deep.equal(['a.b.unknown', 'a.b.unknown.lan.example', 'a.b.unknown.corp.example'])
    expect(await resolved('good.example.')).to.deep.equal(['good.example'])
    names.questions.length = 0
    expect((await faultOf(kit.web.get('http://good.example./', {}, cancelIn()))).message).to.equal('the address is not public')
    expect(names.questions.sort()).to.deep.equal(['A good.example', 'AAAA good.example'])
    expect(await resolved('localhost.')).to.deep.equal([])
    await kit.close()
  })

  it('a name that is not resolved in time is target-unavailable, one that does not exist is not', async () => {
    const clock = new HandClock()
    const kit = await kitWith('nameserver SERVER\n', '', { clock })
    const fault = faultOf(kit.web.get('http://silent.example/', {}, cancelIn(60_000, clock)))
    await until(() => names.questions.length === 2)
    clock.advance(2_000)
    expect(problemFrom(await fault)).to.deep.include({ slug: 'target-unavailable', status: 502, retriable: true })
    expect(kit.resolver.size).to.equal(0)
    const failing = await faultOf(kit.web.get('http://failing.example/', {}, cancelIn(60_000, clock)))
    expect(problemFrom(failing).slug).to.equal('target-unavailable')
    const unknown = await faultOf(kit.web.get('http://unknown.example/', {}, cancelIn(60_000, clock)))
    expect(problemFrom(unknown).slug).to.equal('no-result')
    expect(lookups).to.deep.equal([])
    await kit.close()
  })

  it('a name of which half is never answered is resolved with the other half', async function () {
    const kit = await kitWith('nameserver SERVER\n')
    const { own } = await waited(async () => {
      expect(await kit.resolver.resolve('half.example', STRANGER)).to.deep.equal(['192.0.2.7'])
    })
    await atMost(this, { what: 'the answer', value: own, limit: 1_000 })
    await kit.close()
  })

  it('the next server is queried when one has no answer or refuses the connection; without any the gateway is overloaded', async () => {
    const failing = await nameServer(() => 'fails')
    const kit = await kitWith(
      `nameserver [127.0.0.1]:1\nnameserver [127.0.0.1]:${failing.address.split(':')[1] ?? ''}\nnameserver SERVER\n`,
    )
    expect(await kit.resolver.resolve('good.example', STRANGER)).to.deep.equal(['192.0.2.1'])
    await kit.close()
    const none = await kitWith('nameserver [127.0.0.1]:1\n')
    const refused = await none.web.get('http://good.example/', {}, cancelIn()).catch((error: unknown) => error)
    expect(refused).to.deep.include({ slug: 'overloaded', status: 503 })
    const vendor = accessTo('http://vendor.example')
    const failure = await none.api.request(vendor, { path: '/' }, cancelIn(), { once: false }).catch((error: unknown) => error)
    expect(failure).to.deep.include({ slug: 'overloaded', status: 503 })
    const records = await none.net.dns('good.example', 'MX', cancelIn()).catch((error: unknown) => error)
    expect(records).to.deep.include({ slug: 'overloaded', status: 503 })
    await none.close()
    await failing.close()
  })

  it('the system resolver is called for names of the operator that no name server has, one name at a time', async () => {
    const kit = await kitWith('nameserver SERVER\n', '', { allow: ['printer.local'] })
    expect(await kit.resolver.resolve('printer.local')).to.deep.equal(['10.0.0.9'])
    expect(await kit.guard.addresses('printer.local', 80, 'web')).to.deep.equal(['10.0.0.9'])
    expect((await faultOf(kit.resolver.resolve('printer.local', STRANGER))).kind).to.equal('missing')
    expect((await faultOf(kit.resolver.resolve('failing.example'))).unavailable).to.equal(true)
    expect(lookups).to.deep.equal(['printer.local', 'printer.local'])
    await kit.close()
    const fixed = outboundKit({ dns: names.address, system: { lookup: () => Promise.reject(new Error('called')) } })
    // A host of the operator is nobody else's business.
    expect(await faultOf(fixed.resolver.resolve('printer.local'))).to.include({ kind: 'missing', message: 'the host name is unknown' })
    await fixed.close()
  })

  it('names of one account in flight are 32, and another account does not wait for them', async () => {
    const kit = await kitWith('nameserver SERVER\n')
    const cancel = new Cancel(systemClock, systemClock.monotonic() + 60_000, 'account one')
    const fetches = Array.from({ length: 40 }, (_, index) => faultOf(kit.web.get(`http://d${index}.test/`, {}, cancel)))
    await until(() => kit.resolver.size === 32)
    expect(await kit.resolver.resolve('good.example', { ...STRANGER, caller: 'account two' })).to.deep.equal(['192.0.2.1'])
    expect(kit.resolver.size).to.equal(32)
    const step = cancel.step(1_000)
    expect(step.cancel.caller).to.equal('account one')
    step.done()
    cancel.cancel('client-gone')
    await Promise.all(fetches)
    expect(kit.resolver.size).to.equal(0)
    await kit.close()
  })

  it('a caller who leaves takes the question along', async () => {
    const kit = await kitWith('nameserver SERVER\n')
    const cancel = cancelIn()
    const fetching = faultOf(kit.web.get('http://silent.example/', {}, cancel))
    await until(() => kit.resolver.size === 1)
    cancel.cancel('client-gone')
    expect([(await fetching).message, kit.resolver.size]).to.deep.equal(['the fetch was stopped', 0])
    await kit.close()
  })

  it('a vendor whose name is not resolved in time is busy and not to blame, one with no name is broken', async () => {
    const kit = await kitWith('nameserver SERVER\n')
    const faultFor = (url: string) => faultOf(kit.api.request(accessTo(url), { path: '/' }, cancelIn(), { once: false }))
    expect(await faultFor('http://failing.example')).to.deep.include({ kind: 'busy', unavailable: true })
    expect(await faultFor('http://unknown.example')).to.deep.include({ kind: 'broken', unavailable: false })
    await kit.close()
  })
})

describe('outbound: what the files of the system say', () => {
  it('resolv.conf(5): three servers, the last search list, bounded options', () => {
    const conf = readResolvConf(
      '# first\n; second\nnameserver 192.0.2.1\nnameserver fe80::1%eth0\nnameserver name.example\nnameserver [::1]:5300\nnameserver 192.0.2.9\n' +
        'domain old.example\nsearch A.example b.example.\n nameserver 192.0.2.8\noptions ndots:99 timeout:0 attempts:3 rotate\n',
      'gateway.corp.example',
    )
    expect(conf).to.deep.equal({
      servers: ['192.0.2.1', 'fe80::1%eth0', '[::1]:5300'],
      search: ['a.example', 'b.example'],
      ndots: 15,
      timeoutMs: 1_000,
      attempts: 3,
    })
  })

  it('an empty resolv.conf(5) means this host, and the domain of its name', () => {
    const conf = { servers: ['127.0.0.1'], search: ['corp.example'], ndots: 1, timeoutMs: 5_000, attempts: 2 }
    expect(readResolvConf('', 'gateway.corp.example')).to.deep.equal(conf)
    expect(readResolvConf('search .\n', 'gateway.corp.example').search).to.deep.equal([])
    expect(readResolvConf('', 'gateway').search).to.deep.equal([])
  })

  it('hosts(5): all addresses of a name, whatever its case', () => {
    const hosts = readHosts('127.0.0.1\tlocalhost  VM # vm2\n\n#10.0.0.1 no\nnonsense no\n::1 vm vm\n127.0.0.1 vm\n')
    expect([...hosts]).to.deep.equal([
      ['localhost', ['127.0.0.1']],
      ['vm', ['127.0.0.1', '::1']],
    ])
  })

  it('the registered domain of a name', () => {
    const table = {
      'a.b.example.com': 'example.com',
      'A.example.co.uk.': 'example.co.uk',
      'www.abc.de': 'abc.de',
      'x.com': 'x.com',
      localhost: 'localhost',
    }
    for (const [name, domain] of Object.entries(table)) expect(registeredDomain(name)).to.equal(domain)
  })
})
