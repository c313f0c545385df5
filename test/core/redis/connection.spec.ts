import { expect } from 'chai'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { ConfigError } from '../../../core/problems/errors.js'
import { type RedisLink, script } from '../../../core/redis/types.js'
import { needsProgram } from '../../support/needs.js'
import { fakeRedis, Links, percentile, startRedis, timed, untilShared, type TestRedis } from '../../support/redis.js'
import { useRedis } from '../../support/redis-suite.js'
import { atMost, pause, turnsOf, until, waited } from '../../support/time.js'
import { errorOf, settle } from '../../support/unit.js'

const ADD = script("return redis.call('INCRBY', KEYS[1], ARGV[1])")
const FIRST = script('return {1, 2}')

const add = (link: RedisLink, key = 'count'): Promise<unknown> => link.run(ADD, [key], [1])

describe('the link to Redis', function () {
  const { redis, links } = useRedis(this)

  it('runs a script by its text once, then by its digest, and again by its text when the server lost it (F-16)', async () => {
    const link = await links.open(redis.url)
    await redis.admin.config('RESETSTAT')
    expect([await add(link), await add(link), await add(link)]).to.deep.equal([1, 2, 3])
    await redis.admin.script('FLUSH')
    expect(await add(link)).to.equal(4)
    const stats = await redis.admin.info('commandstats')
    expect(stats).to.match(/cmdstat_eval:calls=2,/)
    // Two that were found and the one that was not.
    expect(stats).to.match(/cmdstat_evalsha:calls=3,/)
    expect(link.state()).to.deep.equal({ shared: true, detail: 'answers' })
    expect(links.logs.map(({ level }) => level)).to.deep.equal(['info'])
  })

  it('every command is one round trip', async () => {
    const proxy = await links.proxy(redis)
    const link = await links.open(proxy.url)
    await add(link)
    const before = proxy.trips
    for (let count = 0; count < 10; count++) await add(link)
    expect(proxy.trips - before).to.equal(10)
  })

  it('F-12 a closed port: starts degraded with one line, answers at once, and shares when Redis comes', async () => {
    const proxy = await links.proxy(redis)
    await proxy.down()
    const link = await links.open(proxy.url)
    expect(link.state().shared).to.equal(false)
    for (let count = 0; count < 500; count++)
      expect(await turnsOf(async () => expect(await add(link)).to.equal(null)), 'a call that waits for nothing').to.equal(0)
    expect(links.logs).to.have.length(1)
    expect(links.logs[0]?.level).to.equal('warn')
    expect(links.logs[0]?.message).to.match(
      /^Redis \(CAPSTAN_REDIS\) does not answer \(.*ECONNREFUSED.*\); limits are this replica's share$/,
    )
    await proxy.up()
    await untilShared(link, true)
    expect(await add(link)).to.equal(1)
    expect(links.logs.map(({ level }) => level)).to.deep.equal(['warn', 'info'])
  })

  it('F-12 Redis that goes away is noticed at once and its return too, with one line each', async () => {
    const proxy = await links.proxy(redis)
    const link = await links.open(proxy.url)
    await proxy.down()
    await untilShared(link, false)
    for (let count = 0; count < 500; count++)
      expect(await turnsOf(async () => expect(await add(link)).to.equal(null)), 'a call that waits for nothing').to.equal(0)
    await proxy.up()
    await untilShared(link, true)
    expect(await add(link)).to.equal(1)
    expect(links.logs.map(({ level }) => level)).to.deep.equal(['info', 'warn', 'info'])
  })

  it('F-13 a server that accepts and never answers costs the start a second and calls nothing', async function () {
    const sockets: Socket[] = []
    const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    let link: RedisLink | null = null
    const start = await waited(async () => (link = await links.open(`redis://127.0.0.1:${(silent.address() as AddressInfo).port}`)))
    await atMost(this, { what: 'the start', value: start.own, limit: 1_500 })
    for (let count = 0; count < 200; count++)
      expect(await turnsOf(async () => link !== null && expect(await add(link)).to.equal(null))).to.equal(0)
    await links.close()
    for (const socket of sockets) socket.destroy()
    silent.close()
  })

  it('F-13 a server that hangs costs three calls 50 ms and then none, and is found again when it goes on', async function () {
    const link = await links.open(redis.url)
    await add(link)
    redis.freeze()
    try {
      for (let count = 0; count < 3; count++) {
        const { all, own } = await waited(async () => expect(await add(link)).to.equal(null))
        expect(all).to.be.at.least(45)
        await atMost(this, { what: 'a call', value: own, limit: 100 })
      }
      // Longer than the wait for the next try in the background, which no call waits for.
      const over = performance.now() + 1_300
      while (performance.now() < over) expect(await turnsOf(async () => expect(await add(link)).to.equal(null))).to.equal(0)
      expect(link.state().detail).to.contain('no answer within 50 ms')
    } finally {
      redis.thaw()
    }
    await untilShared(link, true)
    expect(await add(link)).to.be.a('number')
  })

  it('F-13 a reply that came while the process was busy counts as an answer', async () => {
    const link = await links.open(redis.url)
    await add(link)
    for (let count = 1; count <= 5; count++) {
      const reply = add(link)
      await new Promise(setImmediate)
      const end = performance.now() + 70
      while (performance.now() < end);
      expect(await reply).to.equal(count + 1)
    }
    expect(link.state().shared).to.equal(true)
  })

  it('F-14 a server 40 ms away works, and the breaker does not open', async function () {
    const proxy = await links.proxy(redis)
    proxy.delayMs = 40
    const link = await links.open(proxy.url)
    let changes = 0
    link.onChange(() => changes++)
    let answered = 0
    for (let count = 0; count < 40; count++) if ((await add(link)) !== null) answered++
    // A machine that is busy for 10 ms may lose one.
    await atMost(this, { what: 'calls without an answer', value: 40 - answered, limit: 2 })
    expect([link.state().shared, changes]).to.deep.equal([true, 0])
  })

  it('F-16 a server that answers errors is taken for one that is down, and found again', async () => {
    for (const text of [
      "OOM command not allowed when used memory > 'maxmemory'.",
      "READONLY You can't write against a read only replica.",
      'NOSCRIPT No matching script. Please use EVAL.',
      'LOADING Redis is loading the dataset in memory',
      'MISCONF Redis is configured to save RDB snapshots',
    ]) {
      const state = { well: true, queries: 0, probes: 0 }
      const fake = await fakeRedis(([name = '']) => {
        if (name.toLowerCase().startsWith('eval')) state.queries++
        else state.probes++
        if (name === 'ping') return '+PONG'
        return state.well ? (name === 'set' ? '+OK' : ':1') : `-${text}`
      })
      const link = await links.open(fake.url)
      expect(await add(link)).to.equal(1)
      state.well = false
      for (let count = 0; count < 3; count++) expect(await add(link), text).to.equal(null)
      expect(link.state().shared).to.equal(false)
      expect(link.state().detail).to.contain(text.slice(0, 20))
      const before = state.queries
      for (let count = 0; count < 50; count++) await add(link)
      expect(state.queries, 'nothing is sent while the breaker is open').to.equal(before)
      if (text.startsWith('OOM')) {
        const { probes } = state
        await until(() => state.probes !== probes)
        await settle(10)
        expect(link.state().shared, 'a server that is full answers a PING').to.equal(false)
      }
      state.well = true
      await untilShared(link, true)
      expect(await add(link)).to.equal(1)
      await links.close()
      await fake.close()
    }
  })

  it('N-18 a Redis that flaps every 300 ms never makes a call wait or fail', async function () {
    const proxy = await links.proxy(redis)
    const link = await links.open(proxy.url)
    const times: number[] = []
    let answered = 0
    for (let turn = 0; turn < 8; turn++) {
      const over = performance.now() + 300
      while (performance.now() < over) {
        times.push(await timed(async () => (await add(link)) !== null && answered++))
        await pause(2)
      }
      await (turn % 2 === 0 ? proxy.down() : proxy.up())
    }
    expect(answered).to.be.greaterThan(50)
    await atMost(this, { what: 'the longest call', value: percentile(times, 100), limit: 250 })
    await atMost(this, { what: 'of 100 calls the 95th', value: percentile(times, 95), limit: 10 })
    await proxy.up()
    await untilShared(link, true)
  })

  it('what is not the reply of a script is no reply', async () => {
    const link = await links.open(redis.url)
    expect(await link.run(FIRST, [], [])).to.deep.equal([1, 2])
    expect(await link.call('PTTL', 'nothing')).to.equal(-2)
  })
})

describe('the credentials of Redis', function () {
  this.timeout(20_000)
  const links = new Links()
  let redis: TestRedis
  before(async function () {
    needsProgram(this, 'redis-server')
    redis = await startRedis(['--requirepass', 'right-secret'], 'right-secret')
    await redis.admin.call('ACL', 'SETUSER', 'reader', 'on', '>reader-secret', '~*', '+get', '+hello', '+auth')
  })
  after(() => redis?.close())
  afterEach(() => links.close())
  const at = (before: string, after = ''): string => `redis://${before}127.0.0.1:${redis.port}${after}`

  it('that are right work', async () => {
    expect((await links.open(at(':right-secret@'))).state().shared).to.equal(true)
    expect((await links.open(at('default:right-secret@', '/2'))).state().shared).to.equal(true)
  })

  it('that are refused stop the start with one line that names the setting and shows no password', async () => {
    for (const [before, after, says] of [
      [':wrong-secret@', '', 'WRONGPASS'],
      ['ada:wrong-secret@', '', 'WRONGPASS'],
      ['', '', 'NOAUTH'],
      [':right-secret@', '/999', 'DB index'],
      ['reader:reader-secret@', '', 'NOPERM'],
    ] as const) {
      const error = await errorOf(links.open(at(before, after)))
      expect(error, before + after).to.be.instanceOf(ConfigError)
      expect(error.message).to.match(/^CAPSTAN_REDIS: [^\n]+$/)
      expect(error.message).to.contain(says)
      expect(JSON.stringify([error.message, error.stack, links.logs])).not.to.contain('secret')
    }
  })

  it('that a server repeats in its answer are not repeated', async () => {
    const fake = await fakeRedis((words) => `-WRONGPASS ${words.join(' ')}`)
    const error = await errorOf(links.open(fake.url.replace('//', '//:canary-secret@')))
    await fake.close()
    expect(error.message).to.contain('WRONGPASS auth ***')
    expect(JSON.stringify([error.message, error.stack, links.logs])).not.to.contain('secret')
  })

  it('that are changed while it runs degrade it, in one line without them', async () => {
    const link = await links.open(at(':right-secret@'))
    await redis.admin.config('SET', 'requirepass', 'other-secret')
    await redis.admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await untilShared(link, false)
    await until(() => link.state().detail.includes('WRONGPASS'))
    expect(await add(link)).to.equal(null)
    expect(links.logs.map(({ level }) => level)).to.deep.equal(['info', 'warn'])
    expect(JSON.stringify([links.logs, link.state()])).not.to.contain('secret')
    await redis.admin.config('SET', 'requirepass', 'right-secret')
    await untilShared(link, true)
  })
})
