import { expect } from 'chai'
import sinon from 'sinon'
import { makeKey } from '../../core/accounts/layout.js'
import { Problem } from '../../core/problems/problem.js'
import { startGateway, type Reply, type TestGateway } from '../support/gateway.js'
import { expectProblem } from '../support/problem.js'
import { Stage } from '../support/stage.js'

const ECHO = '/v1/test/echo'
const numbers = ({ headers }: Reply): { limit: number; remaining: number; reset: number } => ({
  limit: Number(headers['x-ratelimit-limit']),
  remaining: Number(headers['x-ratelimit-remaining']),
  reset: Number(headers['x-ratelimit-reset']),
})

describe('limits', () => {
  const stage = new Stage()
  let gateway: TestGateway
  let key: string
  before(async () => {
    gateway = await startGateway({
      script: { 'test.echo': [stage.vendor('one')] },
      env: {
        CAPSTAN_LIMIT_ADDRESS_PER_MINUTE: '40',
        CAPSTAN_TRUSTED_PROXIES: '127.0.0.1',
        CAPSTAN_LIMIT_KEY_CONCURRENCY: '3',
        CAPSTAN_LIMIT_ACCOUNT_CONCURRENCY: '4',
      },
    })
    key = (await gateway.newKey()).key
  })
  after(async () => await gateway.close())
  afterEach(() => sinon.restore())
  const from = (address: string, as: string | null, path = '/v1/account') =>
    gateway.send(path, { key: as, headers: { 'x-forwarded-for': address } })

  describe('requests a minute', () => {
    it('Remaining falls by one a request, Reset does not change and is at most 61 s away, the next is 429', async () => {
      const { key: slow } = await gateway.newKey({ rate_limit_per_minute: 5 })
      const seen = []
      for (let round = 0; round < 5; round++) seen.push(numbers(await gateway.send('/v1/account', { key: slow })))
      expect(seen.map(({ remaining }) => remaining)).to.deep.equal([4, 3, 2, 1, 0])
      expect(new Set(seen.map(({ limit }) => limit))).to.deep.equal(new Set([5]))
      expect(new Set(seen.map(({ reset }) => reset)).size).to.equal(1)
      const now = Date.now() / 1000
      expect(seen[0]?.reset).to.be.within(Math.floor(now), now + 61)
      const refused = await gateway.send('/v1/account', { key: slow })
      expectProblem(refused, 'rate-limited')
      expect(numbers(refused)).to.deep.equal({ limit: 5, remaining: 0, reset: seen[0]?.reset })
      expect(Number(refused.headers['retry-after'])).to.be.within(1, 60)
    })

    it('a request at Reset is accepted, and begins a new window', async () => {
      const fake = sinon.useFakeTimers({ now: Date.now(), toFake: ['Date'] })
      const { key: slow } = await gateway.newKey({ rate_limit_per_minute: 1 })
      const { reset } = numbers(await gateway.send('/v1/account', { key: slow }))
      const refused = await gateway.send('/v1/account', { key: slow })
      expect(refused.status).to.equal(429)
      fake.tick(Number(refused.headers['retry-after']) * 1000)
      expect(Date.now() / 1000).to.be.at.most(reset + 1)
      expect((await gateway.send('/v1/account', { key: slow })).status).to.equal(200)
    })

    it('every authenticated request counts once whatever its status; refused keys do not', async () => {
      const { key: counted } = await gateway.newKey({ rate_limit_per_minute: 100 })
      const sent: [string, Parameters<TestGateway['send']>[1], number][] = [
        [ECHO, { body: { text: 'hi' } }, 200],
        [ECHO, { body: {} }, 422],
        [ECHO, { body: '{' }, 400],
        [ECHO, { body: 'x', headers: { 'content-type': 'text/plain' } }, 415],
        [ECHO, { body: { text: 'broken' } }, 502],
        ['/v1/agent', { body: { capability: 'echo', params: { text: 'hi' } } }, 200],
        ['/v1/keys/none', { method: 'DELETE' }, 404],
      ]
      for (const [index, [path, options, status]] of sent.entries()) {
        const reply = await gateway.send(path, { ...options, key: counted })
        expect(reply.status, reply.text).to.equal(status)
        expect(numbers(reply)).to.include({ limit: 100, remaining: 99 - index })
      }
      for (const [path, method] of [
        ['/v1/nothing', 'GET'],
        [ECHO, 'GET'],
      ] as const)
        expect(numbers(await gateway.send(path, { method, key: counted })).limit).to.equal(40)
      expect(numbers(await gateway.send('/v1/account', { key: counted })).remaining).to.equal(92)
    })

    it('replays count', async () => {
      const { key: counted } = await gateway.newKey({ rate_limit_per_minute: 100 })
      for (const left of [99, 98])
        expect(
          numbers(await gateway.send(ECHO, { body: { text: 'replayed' }, key: counted, headers: { 'idempotency-key': 'counted' } }))
            .remaining,
        ).to.equal(left)
    })

    it('429 does not touch the ledger', async () => {
      const { key: slow } = await gateway.newKey({ rate_limit_per_minute: 1 })
      await gateway.send('/v1/account', { key: slow })
      const hold = sinon.spy(gateway.app.services.store.ledger, 'hold')
      expectProblem(await gateway.send(ECHO, { body: { text: 'hi' }, key: slow }), 'rate-limited')
      expect(hold.callCount).to.equal(0)
    })

    it('open routes have the limit of the address, each IPv4 address and each IPv6 /64 its own', async () => {
      const seen = []
      for (let round = 0; round < 41; round++) seen.push(await from('203.0.113.1', null, '/v1/tools'))
      expect(numbers(seen[0] as Reply)).to.include({ limit: 40, remaining: 39 })
      expect(seen.slice(0, 40).every(({ status }) => status === 200)).to.equal(true)
      expectProblem(seen[40] as Reply, 'rate-limited')
      expect((await from('203.0.113.2', null, '/v1/tools')).status).to.equal(200)
      for (let round = 0; round < 40; round++) await from(`2001:db8:7:7::${round + 1}`, null, '/v1/tools')
      expectProblem(await from('2001:db8:7:7:ffff::1', null, '/v1/tools'), 'rate-limited')
      expect((await from('2001:db8:7:8::1', null, '/v1/tools')).status, 'another network').to.equal(200)
      expect((await from('203.0.113.1', null, '/healthz')).status, 'probes are not limited').to.equal(200)
      expect((await from('203.0.113.1', key)).status, 'keys have their own limit').to.equal(200)
    })
  })

  describe('calls at once', () => {
    const fill = async (count: number, as: string): Promise<Promise<Reply>[]> => {
      const running = Array.from({ length: count }, () => gateway.send(ECHO, { body: { text: 'wait' }, key: as }))
      await stage.until(() => stage.waiting >= count)
      return running
    }

    it('of a key: one more is 429, free, and says concurrency; afterwards there is room', async () => {
      const running = await fill(3, key)
      const envelope = expectProblem(await gateway.send(ECHO, { body: { text: 'hi' }, key }), 'too-many-in-flight')
      expect(envelope.error?.detail).to.contain('concurrency')
      expect((await gateway.send('/v1/account', { key })).status, 'reads go on').to.equal(200)
      stage.release()
      expect((await Promise.all(running)).map(({ status }) => status)).to.deep.equal([200, 200, 200])
      expect((await gateway.send(ECHO, { body: { text: 'hi' }, key })).status).to.equal(200)
    })

    it('of an account over all its keys: one more is 429', async () => {
      const { key: other } = await gateway.newKey()
      const first = await fill(3, key)
      const second = gateway.send(ECHO, { body: { text: 'wait' }, key: other })
      await stage.until(() => stage.waiting === 4)
      expect(expectProblem(await gateway.send(ECHO, { body: { text: 'hi' }, key: other }), 'too-many-in-flight').error?.detail).to.contain(
        'account',
      )
      stage.release()
      await Promise.all([...first, second])
      expect(await gateway.money()).to.include({ held: 0 })
    })
  })

  describe('failed logins of an address', () => {
    it('T-05 after twenty, unknown and malformed keys are 429; a key that worked from there still works; others are not touched', async () => {
      const address = '198.51.100.7'
      const { key: known } = await gateway.newKey()
      const { key: fresh } = await gateway.newKey()
      expect((await from(address, known)).status).to.equal(200)
      for (let round = 0; round < 20; round++)
        expectProblem(await from(address, round % 2 === 0 ? makeKey() : 'cap_malformed'), 'invalid-api-key')
      expectProblem(await from(address, makeKey()), 'rate-limited')
      expectProblem(await from(address, 'cap_malformed'), 'rate-limited')
      expectProblem(await from(address, fresh), 'rate-limited')
      expect((await from(address, known)).status).to.equal(200)
      expect((await from('198.51.100.8', fresh)).status).to.equal(200)
    })

    it('counts IPv6 by /64, and the operator keeps a token that worked', async () => {
      const admin = (address: string, token: string) => from(address, token, '/admin/v1/accounts')
      expect((await admin('2001:db8:1:2::1', gateway.adminToken)).status).to.equal(200)
      for (let round = 0; round < 20; round++)
        expectProblem(await admin(`2001:db8:1:2::${round + 2}`, `guess ${round}`.replace(' ', '')), 'invalid-api-key')
      expectProblem(await admin('2001:db8:1:2:ffff::1', 'another'), 'rate-limited')
      expect((await admin('2001:db8:1:2::1', gateway.adminToken)).status).to.equal(200)
      expectProblem(await admin('2001:db8:1:3::1', 'another'), 'invalid-api-key')
    })

    it('one sentence for malformed, unknown, revoked and expired keys; a missing one, and what is no key, has its own', async () => {
      const revoked = await gateway.newKey()
      await gateway.send(`/v1/keys/${revoked.id}`, { method: 'DELETE', key })
      const details = new Set<string | undefined>()
      for (const each of ['cap_x', makeKey().slice(0, -1), makeKey(), revoked.key])
        details.add(expectProblem(await from('192.0.2.1', each), 'invalid-api-key').error?.detail)
      expect(details.size).to.equal(1)
      expect(expectProblem(await from('192.0.2.1', 'x'), 'invalid-api-key').error?.detail).to.match(
        /^This is not an API key: keys begin with cap_/,
      )
      for (const authorization of ['', 'Basic abc', 'Bearer', 'Bearer a b', key])
        expectProblem(await gateway.send('/v1/account', { key: null, headers: { authorization } }), 'authentication-required')
      for (const authorization of [`bearer ${key}`, `BEARER  ${key}`])
        expect((await gateway.send('/v1/account', { key: null, headers: { authorization } })).status).to.equal(200)
    })
  })

  it('a limit that the container lists is passed by each paid call of an account, before its body is read, and by nothing free', async () => {
    const passed: string[] = []
    const refuse = (account: string): void => {
      passed.push(account)
      if (passed.length > 2) throw new Problem('rate-limited', 'Three are too many.', { retryAfterSeconds: 9 })
    }
    const limited = await startGateway({ overrides: { accountLimits: [{ refuse }] } })
    try {
      expect((await limited.post(ECHO, { text: 'hi' })).status).to.equal(200)
      expect((await limited.get('/v1/account')).status).to.equal(200)
      expect((await limited.post('/v1/agent', { capability: 'echo', params: { text: 'hi' } })).status).to.equal(200)
      const refused = await limited.post(ECHO, '{')
      expect(expectProblem(refused, 'rate-limited').error?.detail).to.contain('Three are too many.')
      expect(refused.headers['retry-after']).to.equal('9')
      expect(passed).to.deep.equal(['default', 'default', 'default'])
      expect(await limited.money()).to.include({ held: 0 })
    } finally {
      await limited.close()
    }
  })

  it('the order of checks: route, key, rate, concurrency, media type, size, JSON, validation, scope, idempotency, money', async () => {
    const poor = await gateway.newAccount(0)
    const narrow = await gateway.newKey({ scopes: ['manage'] }, poor.id)
    const wide = await gateway.newKey({}, poor.id)
    const { key: once } = await gateway.newKey({ rate_limit_per_minute: 1, scopes: ['manage'] }, poor.id)
    await gateway.send('/v1/account', { key: once })
    const text = { 'content-type': 'text/plain', 'idempotency-key': 'x'.repeat(300) }
    const bad = { 'idempotency-key': 'x'.repeat(300) }
    const large = 'x'.repeat(1024 * 1024 + 1)
    const steps: [string, string | null, unknown, Record<string, string>, Parameters<typeof expectProblem>[1]][] = [
      ['/v1/test/nothing', null, large, text, 'not-found'],
      [ECHO, null, large, text, 'authentication-required'],
      [ECHO, 'cap_wrong', large, text, 'invalid-api-key'],
      [ECHO, once, large, text, 'rate-limited'],
      [ECHO, narrow.key, large, text, 'unsupported-media-type'],
      [ECHO, narrow.key, large, bad, 'payload-too-large'],
      [ECHO, narrow.key, '{', bad, 'malformed-request'],
      [ECHO, narrow.key, {}, bad, 'validation-failed'],
      [ECHO, narrow.key, { text: 'hi' }, bad, 'key-not-allowed'],
      [ECHO, wide.key, { text: 'hi' }, bad, 'malformed-request'],
      [ECHO, wide.key, { text: 'hi' }, {}, 'insufficient-credits'],
    ]
    for (const [path, as, body, headers, slug] of steps) expectProblem(await gateway.send(path, { body, key: as, headers }), slug)
  })
})
