import { expect } from 'chai'
import { startGateway, type Reply, type TestGateway } from '../support/gateway.js'
import { HandClock } from '../support/outbound.js'
import { expectProblem } from '../support/problem.js'
import { useRedis } from '../support/redis-suite.js'

const numbers = ({ headers }: Reply): { remaining: number; reset: number } => ({
  remaining: Number(headers['x-ratelimit-remaining']),
  reset: Number(headers['x-ratelimit-reset']),
})

describe('limits that refill evenly (limits.smooth)', () => {
  const clock = new HandClock()
  let gateway: TestGateway
  before(async () => {
    const env = { CAPSTAN_LIMIT_SMOOTH: 'true', CAPSTAN_LIMIT_ADDRESS_PER_MINUTE: '3' }
    gateway = await startGateway({ env, overrides: { clock } })
  })
  after(async () => await gateway.close())

  for (const [what, path, body] of [
    ['a read', '/v1/account', undefined],
    ['a call', '/v1/test/echo', { text: 'hello' }],
  ] as const)
    it(`the headers of ${what} are true: Remaining falls by one, and after Retry-After the next request is admitted`, async () => {
      const { key } = await gateway.newKey({ rate_limit_per_minute: 4 })
      const ask = (): Promise<Reply> => gateway.send(path, { key, ...(body === undefined ? {} : { body }) })
      const start = Math.ceil(clock.now() / 1000)
      const seen: Reply[] = []
      for (let count = 0; count < 4; count++) seen.push(await ask())
      expect(seen.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200])
      expect(seen.map(numbers)).to.deep.equal([3, 2, 1, 0].map((remaining) => ({ remaining, reset: start + 15 * (4 - remaining) })))
      clock.advance(4_500)
      const refused = await ask()
      const { error } = expectProblem(refused, 'rate-limited')
      expect([refused.headers['retry-after'], error?.retry_after_seconds]).to.deep.equal(['11', 11])
      expect(numbers(refused)).to.deep.equal({ remaining: 0, reset: start + 60 })
      clock.advance(10_000)
      expectProblem(await ask(), 'rate-limited')
      clock.advance(1_000)
      const next = await ask()
      expect([next.status, numbers(next).remaining]).to.deep.equal([200, 0])
      clock.advance(numbers(next).reset * 1000 - clock.now())
      expect(numbers(await ask()), 'all of it at Reset').to.include({ remaining: 3 })
    })

  it('addresses have such a limit, too', async () => {
    const ask = (): Promise<Reply> => gateway.send('/v1/tools', { key: null })
    clock.advance(60_000)
    for (const remaining of [2, 1, 0]) expect(numbers(await ask())).to.include({ remaining })
    expect(expectProblem(await ask(), 'rate-limited').error?.retry_after_seconds).to.equal(20)
    clock.advance(20_000)
    expect((await ask()).status).to.equal(200)
  })
})

describe('limits that refill evenly over gateways', function () {
  const { redis } = useRedis(this)

  it('are taken from Redis, and windows are not', async () => {
    const env = { CAPSTAN_LIMIT_SMOOTH: 'true', CAPSTAN_REDIS: redis.url }
    // By a clock that stands still no answer of Redis is too late, however busy the machine is.
    const gateway = await startGateway({ env, overrides: { clock: new HandClock() } })
    try {
      const { key, id } = await gateway.newKey({ rate_limit_per_minute: 2 })
      const seen: Reply[] = []
      for (const path of ['/v1/account', '/v1/test/echo', '/v1/account'])
        seen.push(await gateway.send(path, { key, ...(path.endsWith('echo') ? { body: { text: 'hello' } } : {}) }))
      expect(seen.map(({ status }) => status)).to.deep.equal([200, 200, 429])
      expect(Number(seen[2]?.headers['retry-after'])).to.be.within(25, 30)
      await gateway.send('/v1/tools', { key: null })
      const names = await redis.admin.keys('capstan:*:smooth')
      expect(names.sort()).to.deep.equal(['capstan:{ip:127.0.0.1}:smooth', `capstan:{key:${id}}:smooth`])
      expect(await redis.admin.keys('capstan:*:rate')).to.deep.equal([])
    } finally {
      await gateway.close()
    }
  })
})
