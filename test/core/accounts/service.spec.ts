import { expect } from 'chai'
import { KeyService } from '../../../core/accounts/service.js'
import type { KeyOrder } from '../../../core/accounts/key.js'
import { Problem } from '../../../core/problems/problem.js'
import type { KeyRecord, KeyStore, NewKey } from '../../../core/store/types.js'
import { HandClock } from '../../support/outbound.js'
import { keyOf } from '../../support/store.js'
import { errorOf } from '../../support/unit.js'

/** A key service on a store in memory that records the arguments for each key. */
function parts(most = 10_000) {
  const keys = new Map<string, KeyRecord>()
  const options: unknown[] = []
  let refusal: 'too-many' | 'too-many-capped' | null = null
  const store = {
    create: (key: NewKey, given: unknown) => {
      options.push(given)
      if (refusal !== null) return Promise.resolve({ ok: false, why: refusal })
      keys.set(key.id, { ...key, caps: key.caps ?? [], last_used_at: null, revoked_at: null, credits_used: 0 })
      return Promise.resolve({ ok: true })
    },
    get: (account: string, id: string) => {
      const key = keys.get(id)
      return Promise.resolve(key?.account === account ? key : null)
    },
    list: (_account: string, { limit, offset }: { limit: number; offset: number }) =>
      Promise.resolve({ keys: [...keys.values()].slice(offset, offset + limit), total: keys.size }),
    revoke: (_account: string, id: string, now: number) => {
      const key = keys.get(id)
      if (key !== undefined) keys.set(id, { ...key, revoked_at: key.revoked_at ?? now })
      return Promise.resolve(keys.get(id) ?? null)
    },
    expire: (_account: string, id: string) => Promise.resolve(keys.get(id) ?? null),
  } as unknown as KeyStore
  const service = new KeyService(store, new HandClock(), { scopes: () => ['test.echo', 'test.send'], most })
  const make = async (order: KeyOrder, by: KeyRecord | null = null): Promise<KeyRecord> => {
    const { id } = await service.create('acc', order, by)
    const made = keys.get(id)
    if (made === undefined) throw new Error('the key was not kept')
    return made
  }
  return { service, keys, options, make, refuse: (why: typeof refusal) => void (refusal = why) }
}

async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const error = await errorOf(work)
  if (error instanceof Problem) return error
  throw error
}

describe('caps of a family of keys', () => {
  it('a key with a limit has a cap of its own, and every key spends on all caps of the key that made it', async () => {
    const { make } = parts()
    const owner = await make({ name: 'owner' })
    expect(owner.caps).to.deep.equal([])
    const contractor = await make({ name: 'contractor', credit_limit: 4 }, owner)
    expect(contractor.caps).to.deep.equal([contractor.id])
    const twin = await make({ name: 'twin', credit_limit: 4 }, contractor)
    expect(twin.caps).to.deep.equal([twin.id, contractor.id])
    const silent = await make({ name: 'nothing said' }, contractor)
    expect([silent.credit_limit, silent.caps]).to.deep.equal([4_000, [silent.id, contractor.id]])
    const daily = await make({ name: 'daily', credit_limit_per_day: 1 }, twin)
    expect(daily.caps).to.deep.equal([daily.id, twin.id, contractor.id])
  })

  it('a rotated key goes on spending on the counters of the old one, and takes its place among the keys of the account', async () => {
    const { service, keys, make, options } = parts(7)
    const contractor = await make({ name: 'contractor', credit_limit: 4 })
    const child = await make({ name: 'child', credit_limit: 3 }, contractor)
    const first = await service.rotate('acc', child.id, 0, child)
    expect(keys.get(first.id)?.caps).to.deep.equal([child.id, contractor.id])
    const second = await service.rotate('acc', first.id, 0, keys.get(first.id) ?? null)
    expect(keys.get(second.id)?.caps).to.deep.equal([child.id, contractor.id])
    expect(options.slice(-2)).to.deep.equal([
      { most: 7, replaces: child.id },
      { most: 7, replaces: first.id },
    ])
  })

  it('at most eight levels', async () => {
    const { make } = parts()
    let last = await make({ name: 'k', credit_limit: 5 })
    for (let depth = 2; depth <= 8; depth++) last = await make({ name: 'k', credit_limit: 5 }, last)
    expect(last.caps).to.have.length(8)
    const refused = await problemOf(make({ name: 'k', credit_limit: 5 }, last))
    expect(refused.slug).to.equal('validation-failed')
    expect(refused.options.validation?.[0]?.loc).to.deep.equal(['body', 'credit_limit'])
  })
})

describe('the rate of a key that another key makes', () => {
  const bounds: [string, Partial<KeyRecord>][] = [
    ['scopes', { scopes: ['manage', 'test.echo'] }],
    ['a cap', { credit_limit: 10_000, caps: ['k'] }],
    ['a daily cap', { credit_limit_per_day: 10_000, caps: ['k'] }],
    ['addresses', { allowed_ips: ['10.0.0.0/16'] }],
    ['an expiry', { expires_at: Date.UTC(2030, 0, 1) }],
  ]
  for (const [what, bound] of bounds)
    it(`is at most its own where the maker is bounded by ${what}`, async () => {
      const { make } = parts()
      const slow = keyOf({ id: 'k', rate_limit_per_minute: 30, ...bound })
      const fast = keyOf({ id: 'k', rate_limit_per_minute: 300, ...bound })
      expect((await make({ name: '' }, slow)).rate_limit_per_minute).to.equal(30)
      expect((await make({ name: '' }, fast)).rate_limit_per_minute).to.equal(60)
      expect((await make({ name: '', rate_limit_per_minute: 300 }, fast)).rate_limit_per_minute).to.equal(300)
      const refused = await problemOf(make({ name: '', rate_limit_per_minute: 301 }, fast))
      expect([refused.slug, refused.message.includes('(rate_limit_per_minute)')]).to.deep.equal(['key-not-allowed', true])
    })

  it('is any where the maker may do everything, or is the operator', async () => {
    const { make } = parts()
    for (const maker of [null, keyOf({ rate_limit_per_minute: 1 }), keyOf({ rate_limit_per_minute: 1, scopes: ['test.echo', '*'] })]) {
      expect((await make({ name: '' }, maker)).rate_limit_per_minute).to.equal(60)
      expect((await make({ name: '', rate_limit_per_minute: 100_000 }, maker)).rate_limit_per_minute).to.equal(100_000)
    }
  })
})

describe('the addresses of a key that another key makes', () => {
  it('are no wider than its own: of 10.0.0.0/16 neither 10.0.0.0/8 nor a neighbour, of an IPv6 network alike', async () => {
    const { make } = parts()
    const tests: [string[], string[], boolean][] = [
      [['10.0.0.0/16'], ['10.0.0.0/8'], false],
      [['10.0.0.0/16'], ['10.0.0.0/15'], false],
      [['10.0.0.0/16'], ['10.1.0.0/16'], false],
      [['10.0.0.0/16'], ['10.0.0.0/16'], true],
      [['10.0.0.0/16'], ['10.0.7.0/24', '10.0.0.1'], true],
      [['10.0.0.0/16'], ['10.0.7.0/24', '10.1.0.1'], false],
      [['10.0.0.1'], ['10.0.0.0/31'], false],
      [['10.0.0.1'], ['10.0.0.1/32'], true],
      [['2001:db8::/48'], ['2001:db8::/32'], false],
      [['2001:db8::/48'], ['2001:db8:0:1::/64'], true],
      [['2001:db8::/48'], ['0.0.0.0/0'], false],
      [['10.0.0.0/16', '192.0.2.0/24'], ['192.0.2.128/25'], true],
    ]
    for (const [mine, wanted, fine] of tests) {
      const made = make({ name: '', allowed_ips: wanted }, keyOf({ allowed_ips: mine }))
      if (fine) expect((await made).allowed_ips).to.deep.equal(wanted)
      else expect((await problemOf(made)).message, `${String(mine)} ${String(wanted)}`).to.contain('(allowed_ips)')
    }
  })
})

describe('keys that revoke and rotate keys', () => {
  it('revoke themselves and what they could have made, and nothing else', async () => {
    const { service, keys, make } = parts()
    const owner = await make({ name: 'owner' })
    const contractor = await make({ name: 'contractor', credit_limit: 4 }, owner)
    const sibling = await make({ name: 'sibling', credit_limit: 4 }, owner)
    const child = await make({ name: 'child', credit_limit: 1 }, contractor)
    for (const other of [owner, sibling]) {
      expect((await problemOf(service.revoke('acc', other.id, contractor))).slug).to.equal('key-not-allowed')
      expect((await problemOf(service.rotate('acc', other.id, 0, contractor))).slug).to.equal('key-not-allowed')
    }
    expect([...keys.values()].every(({ revoked_at }) => revoked_at === null)).to.equal(true)
    for (const mine of [child, contractor]) for (let round = 0; round < 2; round++) await service.revoke('acc', mine.id, contractor)
    await service.revoke('acc', sibling.id, owner)
    await service.revoke('acc', owner.id, null)
    expect([...keys.values()].every(({ revoked_at }) => revoked_at !== null)).to.equal(true)
    expect((await problemOf(service.revoke('acc', 'key_nothing', contractor))).slug).to.equal('not-found')
    expect((await problemOf(service.revoke('other', owner.id, contractor))).slug).to.equal('not-found')
  })

  it('leave a key alone that may be used more often than they could have allowed', async () => {
    const { service, make } = parts()
    const fast = await make({ name: 'fast', scopes: ['test.echo'], rate_limit_per_minute: 100 })
    const slow = await make({ name: 'slow', scopes: ['manage', 'test.*'], rate_limit_per_minute: 99 })
    const refused = await problemOf(service.revoke('acc', fast.id, slow))
    expect(refused.message).to.contain('(rate_limit_per_minute)')
  })
})

describe('the number of keys', () => {
  it('of an account is bounded by limits.keys, and the refusal names it', async () => {
    const { make, options, refuse } = parts(12)
    await make({ name: '' })
    expect(options).to.deep.equal([{ most: 12 }])
    refuse('too-many')
    const refused = await problemOf(make({ name: '' }))
    expect([refused.slug, refused.message.includes('12 active keys already (limits.keys)')]).to.deep.equal(['validation-failed', true])
  })

  it('is said with each page', async () => {
    const { service, make } = parts()
    for (let count = 0; count < 5; count++) await make({ name: `k${count}` })
    const page = await service.list('acc', { limit: 2, offset: 3 })
    expect([page.total, page.keys.map(({ name }) => name)]).to.deep.equal([5, ['k3', 'k4']])
  })
})
