import { expect } from 'chai'
import { systemClock } from '../../../core/runtime/clock.js'
import { MemoryRateLimit } from '../../../core/limits/rate.js'
import { RedisConcurrency } from '../../../core/limits/redis-concurrency.js'
import { RedisRateLimit } from '../../../core/limits/redis-rate.js'
import { startGateway, type Reply, type TestGateway } from '../../support/gateway.js'
import { Links, percentile, untilShared } from '../../support/redis.js'
import { useRedis } from '../../support/redis-suite.js'
import { Stage } from '../../support/stage.js'
import { atMost, until, waited } from '../../support/time.js'

describe('gateways that share their limits', function () {
  const { redis, links } = useRedis(this)
  const stage = new Stage()
  const gateways: TestGateway[] = []
  afterEach(async () => {
    stage.release()
    for (const gateway of gateways.splice(0)) await gateway.close()
  })

  const gatewayOn = async (url: string, most = 20): Promise<{ gateway: TestGateway; link: Awaited<ReturnType<Links['open']>> }> => {
    const link = await links.open(url)
    const rates = new RedisRateLimit({ link, clock: systemClock, local: new MemoryRateLimit(systemClock), replicas: () => 1 })
    const instance = `gateway-${gateways.length + 1}`
    const concurrency = new RedisConcurrency({ link, clock: systemClock, rates, most, replicas: () => 1, instance })
    const gateway = await startGateway({ script: { 'test.echo': [stage.vendor('one')] }, overrides: { rates, concurrency } })
    gateways.push(gateway)
    return { gateway, link }
  }
  const call = (gateway: TestGateway, key: string, text = 'hello'): Promise<Reply> =>
    gateway.send('/v1/test/echo', { method: 'POST', body: { text }, key })
  /** Commands of clients since the statistics were reset, by name. */
  const commands = async (...names: string[]): Promise<(number | undefined)[]> => {
    const text = await redis.admin.info('commandstats')
    return names.map((name) => {
      const [, calls] = new RegExp(`^cmdstat_${name}:calls=(\\d+),`, 'm').exec(text) ?? []
      return calls === undefined ? undefined : Number(calls)
    })
  }

  it('a call that succeeds waits for one command of Redis and gives its place back with another', async () => {
    const { gateway } = await gatewayOn(redis.url)
    const { key } = await gateway.newKey()
    expect((await call(gateway, key)).status).to.equal(200)
    await redis.admin.config('RESETSTAT')
    for (let count = 0; count < 5; count++) expect((await call(gateway, key)).status).to.equal(200)
    await redis.admin.ping()
    expect(await commands('evalsha', 'eval')).to.deep.equal([5, undefined])
    const [returned = 0] = await commands('zrem')
    expect(returned).to.be.within(4, 5)
  })

  it('the headers say what is left over all gateways', async () => {
    const { gateway } = await gatewayOn(redis.url)
    const { key } = await gateway.newKey({ rate_limit_per_minute: 4 })
    const seen: Reply[] = []
    for (let count = 0; count < 6; count++) seen.push(await call(gateway, key))
    expect(seen.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 429, 429])
    expect(seen.map(({ headers }) => headers['x-ratelimit-remaining'])).to.deep.equal(['3', '2', '1', '0', '0', '0'])
    expect(new Set(seen.map(({ headers }) => headers['x-ratelimit-reset'])).size).to.equal(1)
    expect(seen[5]?.json().error).to.deep.include({ retry_after_seconds: Number(seen[5]?.headers['retry-after']) })
  })

  it('calls in flight are counted over all gateways, and their places given back at their end', async () => {
    const { gateway } = await gatewayOn(redis.url, 2)
    const { key, id } = await gateway.newKey()
    const running = [call(gateway, key, 'wait'), call(gateway, key, 'wait')]
    await stage.until(() => stage.waiting === 2)
    const refused = await call(gateway, key)
    expect([refused.status, refused.json().error?.detail]).to.deep.equal([
      429,
      'This key has 2 calls running and may have 2 (concurrency limit limits.key_concurrency).',
    ])
    expect(refused.headers['x-ratelimit-remaining']).to.equal('99997')
    stage.release()
    for (const reply of await Promise.all(running)) expect(reply.status).to.equal(200)
    await until(async () => (await redis.admin.exists(`capstan:{key:${id}}:calls`)) !== 1)
  })

  it('F-12 F-13 no call fails while Redis is refused, hangs, or comes back, and the median of a call is at most 3 and 5 ms longer', async function () {
    const proxy = await links.proxy(redis)
    const { gateway, link } = await gatewayOn(proxy.url)
    const { key } = await gateway.newKey()
    const statuses = new Map<number, number>()
    const control = await startGateway({ script: { 'test.echo': [stage.vendor('one')] } })
    gateways.push(control)
    const other = await control.newKey()
    const took = async (to: TestGateway, withKey: string): Promise<number> => {
      const { own } = await waited(async () => {
        const { status } = await call(to, withKey)
        if (to === gateway) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      })
      return own
    }
    /** By how much the median of so many calls is above that of a gateway without Redis, called in turn with it. */
    const added = async (count: number): Promise<number> => {
      const [ours, theirs]: [number[], number[]] = [[], []]
      for (let turn = 0; turn < count; turn++) {
        ours.push(await took(gateway, key))
        theirs.push(await took(control, other.key))
      }
      return percentile(ours, 50) - percentile(theirs, 50)
    }
    await added(60)
    await proxy.down()
    await untilShared(link, false)
    const refused = await added(60)
    await proxy.up()
    await untilShared(link, true)
    redis.freeze()
    await added(3)
    const hung = await added(60)
    redis.thaw()
    await untilShared(link, true)
    await added(10)
    expect([...statuses]).to.deep.equal([[200, 193]])
    await atMost(this, { what: 'added to a call, Redis refused', value: refused, limit: 3 })
    await atMost(this, { what: 'added to a call, Redis hanging', value: hung, limit: 5 })
  })
})
