import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wellFormed } from '../../../core/accounts/layout.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { expectHeaders, expectProblem } from '../../support/problem.js'

interface Created {
  readonly id: string
  readonly key: string
  readonly expires_at: string | null
  readonly [field: string]: unknown
}

describe('POST and GET /v1/keys', () => {
  let gateway: TestGateway
  let key: string
  before(async () => {
    gateway = await startGateway()
    key = (await gateway.newKey()).key
  })
  after(async () => await gateway.close())
  const create = (body: unknown, as = key) => gateway.send('/v1/keys', { method: 'POST', key: as, ...(body === undefined ? {} : { body }) })

  it('answers the specified fields with an empty body as {}', async () => {
    const reply = await create(undefined)
    expect(reply.status).to.equal(200)
    expectHeaders(reply)
    const made = reply.json<Created>()
    expect(made).to.include({
      name: '',
      rate_limit_per_minute: 60,
      expires_at: null,
      scopes: null,
      credit_limit: null,
      credit_limit_per_day: null,
      allowed_ips: null,
    })
    expect(made.id).to.match(/^key_/)
    expect(new Date(String(made.created_at)).toISOString()).to.equal(made.created_at)
    expect(made.key_prefix).to.equal(made.key.slice(0, 12))
    expect(made).not.to.have.property('success')
  })

  it('T-05 keys are cap_, 43 base62 digits and 6 of checksum; a mistyped character is noticed offline', async () => {
    const made = (await create({ name: 'Ada Example' })).json<Created>()
    expect(made.key).to.match(/^cap_[0-9A-Za-z]{49}$/)
    expect(wellFormed(made.key)).to.equal(true)
    for (let at = 4; at < made.key.length; at += 7) {
      const wrong = made.key[at] === 'x' ? 'y' : 'x'
      expect(wellFormed(made.key.slice(0, at) + wrong + made.key.slice(at + 1))).to.equal(false)
    }
    const find = sinonless(gateway)
    expectProblem(
      await gateway.send('/v1/account', { key: `${made.key.slice(0, -1)}${made.key.endsWith('x') ? 'y' : 'x'}` }),
      'invalid-api-key',
    )
    expect(find.calls()).to.equal(0)
    find.restore()
  })

  it('T-07 T-08 no file of the gateway holds a key, and no list shows it again', async () => {
    const made = (await create({ name: 'secret' })).json<Created>()
    await gateway.send('/v1/account', { key: made.key })
    for (const file of await readdir(gateway.folder)) {
      const bytes = await readFile(join(gateway.folder, file)).catch(() => Buffer.alloc(0))
      expect(bytes.includes(made.key), file).to.equal(false)
    }
    const list = await gateway.send('/v1/keys', { key })
    expect(list.text).not.to.contain(made.key)
    expect(list.text).not.to.contain(createHash('sha256').update(made.key).digest('hex'))
  })

  it('the list has the active keys, oldest first, with what they have spent', async () => {
    const { key: spender, id } = (await create({ name: 'spender', credit_limit: 5, scopes: ['test.*'] })).json<Created>()
    await gateway.send('/v1/test/echo', { body: { text: 'hi', mode: 'loud' }, key: spender })
    const { keys } = (await gateway.send('/v1/keys', { key })).json<{ keys: Created[] }>()
    const item = keys.find((entry) => entry.id === id)
    expect(Object.keys(item ?? {})).to.include.members([
      'id',
      'name',
      'key_prefix',
      'rate_limit_per_minute',
      'created_at',
      'last_used_at',
      'expires_at',
      'scopes',
      'credit_limit',
      'credit_limit_per_day',
      'credits_used',
    ])
    expect(item).to.deep.include({ name: 'spender', credit_limit: 5, credits_used: 2, scopes: ['test.*'] })
    expect(keys.map(({ created_at }) => String(created_at))).to.deep.equal(keys.map(({ created_at }) => String(created_at)).sort())
  })

  it('the list comes in pages of at most a thousand, with the number of all, here and for the operator', async () => {
    const { id, key: own } = await gateway.newAccount(1)
    for (let count = 0; count < 4; count++) await gateway.newKey({ name: `k${count}` }, id)
    interface Page {
      readonly keys: Created[]
      readonly total: number
    }
    for (const request of [
      async (query: string) => (await gateway.send(`/v1/keys${query}`, { key: own })).json<Page>(),
      async (query: string) => (await gateway.admin('GET', `/admin/v1/accounts/${id}/keys${query}`)).json<Page>(),
    ]) {
      const all = await request('')
      expect([all.keys.length, all.total]).to.deep.equal([5, 5])
      const page = await request('?limit=2&offset=3')
      expect([page.keys.map((entry) => entry.id), page.total]).to.deep.equal([all.keys.slice(3).map((entry) => entry.id), 5])
    }
    for (const query of ['?limit=0', '?limit=1001', '?offset=-1', '?limit=x'])
      expectProblem(await gateway.send(`/v1/keys${query}`, { key: own }), 'validation-failed')
  })

  it('last_used_at follows the use', async () => {
    const { key: used, id } = (await create({ name: 'used' })).json<Created>()
    await gateway.send('/v1/account', { key: used })
    await gateway.app.services.keyUses.flush()
    const { keys } = (await gateway.send('/v1/keys', { key })).json<{ keys: Created[] }>()
    expect(Date.now() - Date.parse(String(keys.find((entry) => entry.id === id)?.last_used_at))).to.be.below(5_000)
  })

  const bad: [string, unknown, (string | number)[]][] = [
    ['zero requests', { rate_limit_per_minute: 0 }, ['rate_limit_per_minute']],
    ['a negative limit', { rate_limit_per_minute: -1 }, ['rate_limit_per_minute']],
    ['a fractional limit', { rate_limit_per_minute: 1.5 }, ['rate_limit_per_minute']],
    ['a limit as text', { rate_limit_per_minute: '60' }, ['rate_limit_per_minute']],
    ['a limit beyond 100,000', { rate_limit_per_minute: 100_001 }, ['rate_limit_per_minute']],
    ['a name over 100 characters', { name: 'x'.repeat(101) }, ['name']],
    ['a name that is no text', { name: { $gt: '' } }, ['name']],
    ['an unknown scope', { scopes: ['test.echo', 'test.nothing'] }, ['scopes', 1]],
    ['a beginning of no scope', { scopes: ['nothing*'] }, ['scopes', 0]],
    ['an expiry of zero days', { expires_in_days: 0 }, ['expires_in_days']],
    ['a negative expiry', { expires_in_days: -3 }, ['expires_in_days']],
    ['a cap finer than a thousandth', { credit_limit: 0.0001 }, ['credit_limit']],
    ['a negative cap', { credit_limit_per_day: -1 }, ['credit_limit_per_day']],
    ['no address at all', { allowed_ips: [] }, ['allowed_ips']],
    ['an address that is none', { allowed_ips: ['10.0.0.0/8', '10.0.0.256'] }, ['allowed_ips', 1]],
    ['an unknown field', { admin: true }, ['admin']],
  ]
  for (const [what, body, loc] of bad) {
    it(`refuses ${what} with its place`, async () => {
      const { detail } = expectProblem(await create(body), 'validation-failed')
      expect(detail?.map((item) => item.loc)).to.deep.include(['body', ...loc])
    })
  }

  it('names every fault at once', async () => {
    const { detail } = expectProblem(await create({ name: 1, rate_limit_per_minute: 0, extra: 1 }), 'validation-failed')
    expect(detail?.map(({ loc }) => loc[1])).to.have.members(['name', 'rate_limit_per_minute', 'extra'])
  })

  it('takes odd but good values: part of a day, every limit at its edge', async () => {
    for (const body of [
      { expires_in_days: 0.3333333 },
      { rate_limit_per_minute: 1 },
      { rate_limit_per_minute: 100_000 },
      { name: 'x'.repeat(100) },
      { credit_limit: 0.001 },
      { scopes: ['*'] },
      { scopes: ['manage'] },
      { scopes: ['man*'] },
      { allowed_ips: ['2001:db8::/32', '10.0.0.1'] },
    ]) {
      const reply = await create(body)
      expect(reply.status, JSON.stringify(body) + reply.text).to.equal(200)
    }
  })

  it('management wants the manage scope', async () => {
    const { key: narrow } = await gateway.newKey({ scopes: ['test.echo'] })
    for (const [method, path] of [
      ['GET', '/v1/keys'],
      ['POST', '/v1/keys'],
      ['DELETE', '/v1/keys/x'],
      ['POST', '/v1/keys/x/rotate'],
    ] as const)
      expectProblem(await gateway.send(path, { method, key: narrow }), 'key-not-allowed')
  })

  it('T-11 without a key it is closed', async () => {
    for (const [method, path] of [
      ['GET', '/v1/keys'],
      ['POST', '/v1/keys'],
      ['DELETE', '/v1/keys/x'],
      ['GET', '/v1/account'],
      ['GET', '/v1/calls'],
      ['GET', '/v1/calls/stats'],
      ['POST', '/v1/estimate'],
      ['POST', '/v1/agent'],
    ] as const)
      expectProblem(await gateway.send(path, { method, key: null }), 'authentication-required')
  })
})

/** Counts lookups of keys in the store. */
function sinonless(gateway: TestGateway): { calls: () => number; restore: () => void } {
  const { keys } = gateway.app.services.store
  const find = keys.find.bind(keys)
  let calls = 0
  keys.find = (hash) => {
    calls++
    return find(hash)
  }
  return { calls: () => calls, restore: () => void (keys.find = find) }
}
