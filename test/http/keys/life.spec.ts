import { expect } from 'chai'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { HandClock } from '../../support/outbound.js'
import { expectProblem } from '../../support/problem.js'

const ECHO = '/v1/test/echo'
const DAY = 86_400_000

interface Created {
  readonly id: string
  readonly key: string
  readonly [field: string]: unknown
}

describe('the life of a key', () => {
  const clock = new HandClock()
  let gateway: TestGateway
  let key: string
  before(async () => {
    clock.advance(1_000)
    gateway = await startGateway({
      overrides: { clock },
      env: { CAPSTAN_TRUSTED_PROXIES: '127.0.0.1', CAPSTAN_LIMIT_FAILED_LOGINS: '100000' },
    })
    key = (await gateway.newKey()).key
  })
  after(async () => await gateway.close())
  const call = (as: string, headers: Record<string, string> = {}, path = ECHO) =>
    gateway.send(path, { body: { text: 'hi' }, key: as, headers })
  const create = async (order: unknown, as = key) => (await gateway.send('/v1/keys', { body: order, key: as })).json<Created>()

  it('T-10 revoked it is refused at once for charged calls, twice revoked answers 200 again, and it leaves the list', async () => {
    const made = await create({})
    expect((await call(made.key)).status).to.equal(200)
    for (let round = 0; round < 2; round++) {
      const reply = await gateway.send(`/v1/keys/${made.id}`, { method: 'DELETE', key })
      expect(reply.json()).to.deep.equal({ success: true, message: `Key ${made.id} is revoked.` })
    }
    expectProblem(await call(made.key), 'invalid-api-key')
    expectProblem(await gateway.send('/v1/account', { key: made.key }), 'invalid-api-key')
    expect((await gateway.send('/v1/keys', { key })).text).not.to.contain(made.id)
  })

  it('T-10 revoked behind the cache it is refused by the hold, and nothing is charged', async () => {
    const made = await create({})
    expect((await call(made.key)).status).to.equal(200)
    const before = await gateway.money()
    await gateway.app.services.store.keys.revoke('default', made.id, clock.now())
    expectProblem(await call(made.key), 'invalid-api-key')
    expect(await gateway.money()).to.deep.equal(before)
  })

  it('T-10 shortened behind the cache and then over, it is refused by the hold, and nothing is charged', async () => {
    const made = await create({})
    expect((await call(made.key)).status).to.equal(200)
    await gateway.app.services.store.keys.expire('default', made.id, clock.now() + 1_000)
    clock.advance(1_000)
    const before = await gateway.money()
    expectProblem(await call(made.key), 'invalid-api-key')
    expect(await gateway.money()).to.deep.equal(before)
  })

  it('T-10 revoked behind the cache it gets no kept answer either', async () => {
    const made = await create({})
    const headers = { 'idempotency-key': 'kept for a revoked key' }
    expect((await call(made.key, headers)).status).to.equal(200)
    await gateway.app.services.store.keys.revoke('default', made.id, clock.now())
    clock.advance(1_000)
    expectProblem(await call(made.key, headers), 'invalid-api-key')
    expect((await call(key, headers)).headers['idempotent-replayed']).to.equal('true')
  })

  it('a cached key has the balance of now in its 402, and its 403 once the account is disabled', async () => {
    const { id, key: cached } = await gateway.newAccount(2)
    expect((await call(cached)).status).to.equal(200)
    clock.advance(6 * 3_600_000)
    const { store } = gateway.app.services
    const spent = {
      account: id,
      ref: 'elsewhere',
      kind: 'adjust',
      amount: -600,
      note: null,
      facts: null,
      owner: 'other',
      now: clock.now(),
    } as const
    await store.ledger.post(spent)
    const refused = expectProblem(await call(cached), 'insufficient-credits')
    expect(refused.metadata.credits_balance).to.equal(0.4)
    await store.accounts.patch(id, { disabled: true })
    expectProblem(await call(cached), 'key-not-allowed')
    await store.accounts.patch(id, { disabled: false })
    clock.advance(1_000)
    expectProblem(await call(cached), 'insufficient-credits')
  })

  it('with bounds it revokes itself and what it could have made, and no other', async () => {
    const bounded = await create({ scopes: ['manage', 'test.echo'] })
    const child = await create({ scopes: ['test.echo'] }, bounded.key)
    const rich = await create({})
    const revoke = (id: string) => gateway.send(`/v1/keys/${id}`, { method: 'DELETE', key: bounded.key })
    expectProblem(await revoke(rich.id), 'key-not-allowed')
    expect((await call(rich.key)).status).to.equal(200)
    for (const mine of [child, bounded]) expect((await revoke(mine.id)).status).to.equal(200)
    for (const mine of [child, bounded]) expectProblem(await call(mine.key), 'invalid-api-key')
  })

  it('T-09 a foreign key and an unknown one are the same 404', async () => {
    const other = await gateway.newAccount(1)
    const mine = await create({})
    for (const [method, end] of [
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const) {
      const foreign = expectProblem(await gateway.send(`/v1/keys/${mine.id}${end}`, { method, key: other.key }), 'not-found')
      const unknown = expectProblem(await gateway.send(`/v1/keys/key_nothing${end}`, { method, key: other.key }), 'not-found')
      expect(foreign.error?.detail).to.equal(unknown.error?.detail)
    }
    expect((await call(mine.key)).status).to.equal(200)
  })

  it('rotated it lives on for the overlap, and the new one has everything the old one had', async () => {
    const old = await create({ name: 'rotating', scopes: ['test.echo'], credit_limit: 7, rate_limit_per_minute: 77 })
    const reply = await gateway.send(`/v1/keys/${old.id}/rotate`, { body: { overlap_seconds: 60 }, key })
    const fresh = reply.json<Created>()
    expect(reply.status).to.equal(200)
    expect(fresh).to.deep.include({ name: 'rotating', scopes: ['test.echo'], credit_limit: 7, rate_limit_per_minute: 77 })
    expect(fresh.key).not.to.equal(old.key)
    for (const each of [old.key, fresh.key]) expect((await call(each)).status).to.equal(200)
    clock.advance(60_001)
    expectProblem(await call(old.key), 'invalid-api-key')
    expect((await call(fresh.key)).status).to.equal(200)
  })

  it('rotated without overlap the old one ends at once', async () => {
    const old = await create({})
    expect((await call(old.key)).status).to.equal(200)
    expect((await gateway.send(`/v1/keys/${old.id}/rotate`, { method: 'POST', key })).status).to.equal(200)
    expectProblem(await call(old.key), 'invalid-api-key')
    expectProblem(await gateway.send(`/v1/keys/${old.id}/rotate`, { method: 'POST', key }), 'not-found')
  })

  it('expires when its days are over', async () => {
    const made = await create({ expires_in_days: 1 })
    expect(Date.parse(String(made.expires_at)) - clock.now()).to.equal(DAY)
    expect((await call(made.key)).status).to.equal(200)
    clock.advance(DAY)
    expectProblem(await call(made.key), 'invalid-api-key')
    expect((await gateway.send('/v1/keys', { key })).text).not.to.contain(made.id)
  })

  it('has a daily cap that begins again with the UTC day', async () => {
    const made = await create({ credit_limit_per_day: 1 })
    expect((await call(made.key)).status).to.equal(200)
    expectProblem(await call(made.key), 'key-not-allowed')
    clock.advance(DAY)
    expect((await call(made.key)).status).to.equal(200)
  })

  it('scopes bound what it may call; * is everything and a beginning covers what begins so', async () => {
    const tests: [string[], number, number][] = [
      [['test.echo'], 200, 403],
      [['test.*'], 200, 503],
      [['*'], 200, 503],
      [['manage'], 403, 403],
    ]
    for (const [scopes, echo, send] of tests) {
      const made = await create({ scopes })
      expect((await call(made.key)).status, String(scopes)).to.equal(echo)
      expect((await call(made.key, {}, '/v1/test/send')).status, String(scopes)).to.equal(send)
      expect((await gateway.send('/v1/agent', { body: { capability: 'echo', params: { text: 'hi' } }, key: made.key })).status).to.equal(
        echo,
      )
    }
  })

  it('allowed_ips bound where it may be used; X-Forwarded-For counts from trusted proxies alone, from the right', async () => {
    const made = await create({ allowed_ips: ['203.0.113.0/24'] })
    const from = (address: string) => call(made.key, { 'x-forwarded-for': address })
    expect((await from('203.0.113.9')).status).to.equal(200)
    expect((await from('198.51.100.1, 203.0.113.9')).status).to.equal(200)
    expectProblem(await from('203.0.113.9, 198.51.100.1'), 'key-not-allowed')
    expectProblem(await from('nonsense'), 'key-not-allowed')
    expectProblem(await call(made.key), 'key-not-allowed')
    for (const path of ['/v1/account', '/v1/calls', '/v1/keys'])
      expectProblem(await gateway.send(path, { key: made.key }), 'key-not-allowed')
    expectProblem(
      await gateway.send('/v1/estimate', { body: { capability: 'echo', params: { text: 'hi' } }, key: made.key }),
      'key-not-allowed',
    )
  })

  describe('made by a key with bounds', () => {
    let bounded: Created
    before(
      async () =>
        (bounded = await create({
          scopes: ['manage', 'test.echo'],
          credit_limit: 10,
          credit_limit_per_day: 5,
          expires_in_days: 10,
          allowed_ips: ['10.0.0.0/8', '127.0.0.1'],
        })),
    )

    for (const [what, order] of [
      ['all scopes', { scopes: null }],
      ['* as scope', { scopes: ['*'] }],
      ['another scope', { scopes: ['test.send'] }],
      ['a wider scope', { scopes: ['test.*'] }],
      ['no cap', { credit_limit: null }],
      ['a higher cap', { credit_limit: 11 }],
      ['a higher daily cap', { credit_limit_per_day: 6 }],
      ['no expiry', { expires_in_days: null }],
      ['a later expiry', { expires_in_days: 11 }],
      ['any address', { allowed_ips: null }],
      ['other addresses', { allowed_ips: ['11.0.0.0/8'] }],
      ['a wider network', { allowed_ips: ['0.0.0.0/0'] }],
      ['the network around its own', { allowed_ips: ['10.0.0.0/7'] }],
      ['a higher rate', { rate_limit_per_minute: 61 }],
    ] as const)
      it(`cannot have ${what}`, async () =>
        expectProblem(await gateway.send('/v1/keys', { body: order, key: bounded.key }), 'key-not-allowed'))

    it('takes the bounds over when nothing is said, and may be narrower', async () => {
      expect(await create({}, bounded.key)).to.deep.include({
        scopes: ['manage', 'test.echo'],
        credit_limit: 10,
        credit_limit_per_day: 5,
        expires_at: bounded.expires_at,
        allowed_ips: ['10.0.0.0/8', '127.0.0.1'],
      })
      expect(
        await create({ scopes: ['test.echo'], credit_limit: 1, expires_in_days: 1, allowed_ips: ['10.1.0.0/16'] }, bounded.key),
      ).to.deep.include({ scopes: ['test.echo'], credit_limit: 1, allowed_ips: ['10.1.0.0/16'] })
    })

    it('cannot be had by rotating a key that has more', async () => {
      const rich = await create({})
      expectProblem(await gateway.send(`/v1/keys/${rich.id}/rotate`, { method: 'POST', key: bounded.key }), 'key-not-allowed')
      expect((await call(rich.key)).status).to.equal(200)
    })
  })

  it('of a disabled account it is 403 everywhere', async () => {
    const { id, key: held } = await gateway.newAccount(5)
    expect((await call(held)).status).to.equal(200)
    await gateway.admin('PATCH', `/admin/v1/accounts/${id}`, { disabled: true })
    expectProblem(await call(held), 'key-not-allowed')
    clock.advance(1_001)
    expectProblem(await gateway.send('/v1/account', { key: held }), 'key-not-allowed')
    await gateway.admin('PATCH', `/admin/v1/accounts/${id}`, { disabled: false })
    clock.advance(30_001)
    expect((await call(held)).status).to.equal(200)
  })
})
