import { expect } from 'chai'
import { ALL_KEYS, artifactOf, furnish, keyOf, NOON } from '../../support/store.js'
import type { Fixture } from './fixture.js'

/** Accounts, keys, leases, settings, artifacts: plain records. */
export function recordCases(fixture: Fixture): void {
  const store = () => fixture.store

  describe('accounts', () => {
    it('are made once: the second maker gets the first one', async () => {
      const made = await Promise.all(['First Last', 'Other Name'].map((name) => store().accounts.create({ id: 'acc', name, now: NOON })))
      expect(made[1]).to.deep.equal(made[0])
      expect(made[0]).to.include({
        id: 'acc',
        balance: 0,
        held: 0,
        available: 0,
        overage: 0,
        open: 0,
        disabled: false,
        max_open: null,
        auth: 0,
      })
    })

    it('are found by id and name, and listed in pages', async () => {
      for (const id of ['a', 'b', 'c']) await store().accounts.create({ id, name: `name ${id}`, now: NOON })
      expect((await store().accounts.get('b'))?.name).to.equal('name b')
      expect((await store().accounts.byName('name c'))?.id).to.equal('c')
      expect(await store().accounts.get('d')).to.equal(null)
      expect(await store().accounts.byName('b')).to.equal(null)
      expect((await store().accounts.list({ limit: 2, offset: 1 })).map((account) => account.id)).to.deep.equal(['b', 'c'])
    })

    it('are changed field by field; what a cached key says of its account raises the epoch', async () => {
      await store().accounts.create({ id: 'acc', name: 'First Last', now: NOON })
      expect(await store().accounts.patch('acc', { max_open: 5 })).to.include({ max_open: 5, name: 'First Last', auth: 1 })
      expect(await store().accounts.patch('acc', { name: 'New', max_open: null })).to.include({ max_open: null, name: 'New', auth: 2 })
      expect(await store().accounts.patch('acc', { disabled: true })).to.include({ disabled: true, auth: 3 })
      expect(await store().accounts.patch('acc', { disabled: true })).to.include({ auth: 3 })
      expect(await store().accounts.patch('nobody', { name: 'x' })).to.equal(null)
    })
  })

  describe('keys', () => {
    beforeEach(() => furnish(store(), 0))
    const keys = () => store().keys

    it('are found by hash with their account, whatever their state', async () => {
      const key = keyOf({
        id: 'k',
        scopes: ['search.*'],
        allowed_ips: ['192.0.2.1'],
        credit_limit: 5,
        credit_limit_per_day: 2,
        expires_at: NOON - 1,
      })
      await keys().create(key)
      const found = await keys().find(key.hash)
      expect(found?.key).to.deep.equal(key)
      expect(found?.account.id).to.equal('acc')
      expect(await keys().find('no such hash')).to.equal(null)
    })

    it('made twice with one id are one key: a repeated creation is no error', async () => {
      expect(await keys().create(keyOf({ id: 'k' }))).to.deep.equal({ ok: true })
      expect(await keys().create(keyOf({ id: 'k' }))).to.deep.equal({ ok: true })
      expect((await keys().list('acc', ALL_KEYS)).total).to.equal(2)
      expect(await keys().create(keyOf({ account: 'nobody', id: 'x' }))).to.deep.equal({ ok: false, why: 'absent' })
    })

    it('of another account are not found', async () => {
      await furnish(store(), 0, 'other')
      expect(await keys().get('other', 'key_1')).to.equal(null)
      expect(await keys().revoke('other', 'key_1', NOON)).to.equal(null)
      expect(await keys().expire('other', 'key_1', NOON)).to.equal(null)
      expect((await keys().get('acc', 'key_1'))?.revoked_at).to.equal(null)
    })

    it('are listed while active, oldest first', async () => {
      await keys().create(keyOf({ id: 'young', created_at: NOON + 2 }))
      await keys().create(keyOf({ id: 'old', created_at: NOON - 2 }))
      await keys().create(keyOf({ id: 'gone', created_at: NOON - 3, expires_at: NOON }))
      await keys().create(keyOf({ id: 'revoked', created_at: NOON - 4 }))
      await keys().revoke('acc', 'revoked', NOON)
      expect((await keys().list('acc', ALL_KEYS)).keys.map((key) => key.id)).to.deep.equal(['old', 'key_1', 'young'])
    })

    it('T-10 revoking raises the epoch once, and again changes nothing', async () => {
      expect(await keys().revoke('acc', 'key_1', NOON)).to.include({ revoked_at: NOON })
      expect(await keys().revoke('acc', 'key_1', NOON + 5)).to.include({ revoked_at: NOON })
      expect((await store().accounts.get('acc'))?.auth).to.equal(1)
      expect(await keys().revoke('acc', 'no such key', NOON)).to.equal(null)
    })

    it('T-10 shortening a life raises the epoch; a life is never made longer', async () => {
      expect(await keys().expire('acc', 'key_1', NOON + 60)).to.include({ expires_at: NOON + 60 })
      expect(await keys().expire('acc', 'key_1', NOON + 90)).to.include({ expires_at: NOON + 60 })
      expect((await store().accounts.get('acc'))?.auth).to.equal(1)
    })

    it('remember when they were last used, never an earlier time', async () => {
      await keys().touch([
        { id: 'key_1', at: NOON + 9 },
        { id: 'no such key', at: NOON },
      ])
      await keys().touch([{ id: 'key_1', at: NOON + 3 }])
      expect((await keys().get('acc', 'key_1'))?.last_used_at).to.equal(NOON + 9)
    })

    it('are listed in pages, with the number of all', async () => {
      for (let count = 0; count < 7; count++) await keys().create(keyOf({ id: `k${count}`, created_at: NOON + 1 + count }))
      const page = (limit: number, offset: number) => keys().list('acc', { now: NOON, limit, offset })
      expect((await page(3, 0)).keys.map(({ id }) => id)).to.deep.equal(['key_1', 'k0', 'k1'])
      expect((await page(3, 6)).keys.map(({ id }) => id)).to.deep.equal(['k5', 'k6'])
      expect((await page(3, 6)).total).to.equal(8)
      expect(await page(3, 8)).to.deep.equal({ keys: [], total: 8 })
      expect(await keys().list('nobody', ALL_KEYS)).to.deep.equal({ keys: [], total: 0 })
    })

    it('active ones are at most as many as requested; revoked, expired and replaced ones do not count', async () => {
      const create = (id: string, options: object = {}) => keys().create(keyOf({ id }), { most: 3, ...options })
      expect([await create('a'), await create('b')]).to.deep.equal([{ ok: true }, { ok: true }])
      expect(await create('c')).to.deep.equal({ ok: false, why: 'too-many' })
      expect(await create('b'), 'again changes nothing').to.deep.equal({ ok: true })
      expect(await keys().get('acc', 'c')).to.equal(null)
      expect(await create('a2', { replaces: 'a' }), 'a rotation with an overlap').to.deep.equal({ ok: true })
      expect(await create('c')).to.deep.equal({ ok: false, why: 'too-many' })
      expect((await keys().list('acc', ALL_KEYS)).total).to.equal(4)
      await keys().revoke('acc', 'a', NOON)
      expect(await create('c'), 'it did not count before').to.deep.equal({ ok: false, why: 'too-many' })
      await keys().revoke('acc', 'b', NOON)
      expect(await create('c')).to.deep.equal({ ok: true })
      await keys().expire('acc', 'c', NOON)
      expect(await create('d')).to.deep.equal({ ok: true })
      expect(await create('e')).to.deep.equal({ ok: false, why: 'too-many' })
    })

    it('of one account are counted apart from those of another', async () => {
      await furnish(store(), 0, 'other')
      expect(await keys().create(keyOf({ id: 'a' }), { most: 2 })).to.deep.equal({ ok: true })
      expect(await keys().create(keyOf({ id: 'x', account: 'other' }), { most: 2 })).to.deep.equal({ ok: true })
    })

    it('remember the caps they spend on', async () => {
      const capped = { credit_limit: 5, credit_limit_per_day: null }
      await keys().create(keyOf({ id: 'root', ...capped }))
      const child = keyOf({ id: 'child', ...capped, caps: ['child', 'root'] })
      expect(await keys().create(child)).to.deep.equal({ ok: true })
      expect(await keys().create(keyOf({ id: 'plain child', caps: ['child', 'root'] }))).to.deep.equal({ ok: true })
      expect(await keys().create(keyOf({ id: 'rotated', ...capped, caps: ['root'] }), { replaces: 'root' })).to.deep.equal({ ok: true })
      expect((await keys().find(child.hash))?.key).to.deep.equal(child)
      const listed = (await keys().list('acc', ALL_KEYS)).keys.map(({ id, caps }) => [id, caps])
      expect(Object.fromEntries(listed)).to.deep.equal({
        ...{ key_1: [], root: ['root'], child: ['child', 'root'], 'plain child': ['child', 'root'], rotated: ['root'] },
      })
    })

    it('with caps are at most 200 an account', async () => {
      for (let count = 0; count < 200; count++) await keys().create(keyOf({ id: `c${count}`, credit_limit: 1 }))
      expect(await keys().create(keyOf({ id: 'more', credit_limit_per_day: 1 }))).to.deep.equal({ ok: false, why: 'too-many-capped' })
      expect(await keys().create(keyOf({ id: 'plain' }))).to.deep.equal({ ok: true })
      await keys().revoke('acc', 'c7', NOON)
      expect(await keys().create(keyOf({ id: 'more', credit_limit_per_day: 1 }))).to.deep.equal({ ok: true })
    })
  })

  it('leases live until they run out, and end at once when ended', async () => {
    const { leases } = store()
    await leases.renew('a', NOON, 20_000)
    await leases.renew('b', NOON, 20_000)
    await leases.renew('a', NOON + 5000, 20_000)
    expect(await leases.live(NOON + 19_999)).to.deep.equal(['a', 'b'])
    expect(await leases.live(NOON + 20_000)).to.deep.equal(['a'])
    expect(await leases.dead(NOON + 20_000)).to.deep.equal(['b'])
    await leases.end('a')
    expect(await leases.live(NOON)).to.deep.equal(['b'])
  })

  describe('settings', () => {
    const settings = () => store().settings

    it('are put, read, listed by prefix and deleted', async () => {
      await settings().put('waterfall.a', '1')
      await settings().put('waterfall.b', '2')
      await settings().put('waterfall%', '3')
      await settings().put('waterfall.a', '4')
      expect(await settings().get('waterfall.a')).to.equal('4')
      expect(await settings().get('waterfall')).to.equal(null)
      expect(await settings().list('waterfall.')).to.deep.equal([
        { name: 'waterfall.a', value: '4' },
        { name: 'waterfall.b', value: '2' },
      ])
      expect(await settings().delete('waterfall.a')).to.equal(true)
      expect(await settings().delete('waterfall.a')).to.equal(false)
    })

    it('are put by the first of many at once, and all get its value', async () => {
      const values = await Promise.all(Array.from({ length: 10 }, (_, index) => settings().putIfAbsent('secret', `s${index}`)))
      expect(new Set(values).size).to.equal(1)
      expect(await settings().get('secret')).to.equal(values[0])
    })

    it('have a version that rises with every change and only then', async () => {
      const seen = [await settings().version()]
      const changes = [() => settings().put('a', '1'), () => settings().putIfAbsent('b', '1'), () => settings().delete('a')]
      for (const change of changes) {
        await change()
        seen.push(await settings().version())
      }
      expect(new Set(seen).size).to.equal(4)
      await settings().putIfAbsent('b', '2')
      await settings().delete('a')
      expect(await settings().version()).to.equal(seen.at(-1))
    })

    it('keep the log of operators, newest first', async () => {
      for (const action of ['first', 'second', 'third'])
        await settings().audit({ at: NOON, actor: 'First Last', action, target: 'acc', detail: { n: 1 } })
      const log = await settings().auditLog({ limit: 2, offset: 0 })
      expect(log.map((entry) => entry.action)).to.deep.equal(['third', 'second'])
      expect(log[0]).to.deep.equal({ at: NOON, actor: 'First Last', action: 'third', target: 'acc', detail: { n: 1 } })
      expect(await settings().auditLog({ limit: 2, offset: 2 })).to.have.length(1)
    })
  })

  describe('artifacts', () => {
    beforeEach(() => furnish(store(), 0))
    const artifacts = () => store().artifacts

    it('reserve room up to the quota, also when many come at once', async () => {
      const results = await Promise.all(Array.from({ length: 20 }, () => artifacts().reserve(artifactOf(), 1000)))
      expect(results.filter(Boolean)).to.have.length(10)
      expect(await artifacts().used('acc')).to.equal(1000)
    })

    it('grow while they are written, never past the quota, also when many grow at once', async () => {
      const both = [artifactOf({ size: 0 }), artifactOf({ size: 0 })]
      for (const artifact of both) await artifacts().reserve(artifact, 1000)
      const grown = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          artifacts().grow({ id: both[n % 2]?.id ?? '', account: 'acc', bytes: 70, quota: 1000, now: NOON }),
        ),
      )
      expect(grown.filter(Boolean)).to.have.length(14)
      expect(await artifacts().used('acc')).to.equal(980)
      const sizes = await Promise.all(both.map(async ({ id }) => (await artifacts().get(id))?.size ?? 0))
      expect(sizes.reduce((sum, size) => sum + size, 0)).to.equal(980)
      for (const { id } of both) await artifacts().settle(id, 10)
      expect(await artifacts().used('acc')).to.equal(20)
      for (const { id } of both) await artifacts().remove(id)
      expect(await artifacts().used('acc')).to.equal(0)
    })

    it('that are gone, or of another account, do not grow and take no room', async () => {
      const artifact = artifactOf({ size: 5 })
      await artifacts().reserve(artifact, 1000)
      const growth = { id: artifact.id, account: 'acc', bytes: 10, quota: 1000, now: NOON }
      expect(await artifacts().grow({ ...growth, account: 'nobody' })).to.equal(false)
      expect(await artifacts().grow({ ...growth, id: 'gone' })).to.equal(false)
      expect(await artifacts().used('acc')).to.equal(5)
      expect((await artifacts().get(artifact.id))?.size).to.equal(5)
    })

    it('settle at their true size and give their room back', async () => {
      const artifact = artifactOf()
      await artifacts().reserve(artifact, 1000)
      await artifacts().settle(artifact.id, 40)
      expect(await artifacts().get(artifact.id)).to.deep.equal({ ...artifact, size: 40 })
      expect(await artifacts().used('acc')).to.equal(40)
      await artifacts().remove(artifact.id)
      await artifacts().remove(artifact.id)
      expect(await artifacts().used('acc')).to.equal(0)
      expect(await artifacts().get(artifact.id)).to.equal(null)
    })

    it('are listed when they have expired, oldest first', async () => {
      const [first, second] = [artifactOf({ expires_at: NOON + 1 }), artifactOf({ expires_at: NOON })]
      for (const artifact of [first, second, artifactOf({ expires_at: NOON + 2 })]) await artifacts().reserve(artifact, 1000)
      expect((await artifacts().expired(NOON + 1, 10)).map((found) => found.id)).to.deep.equal([second.id, first.id])
      expect(await artifacts().expired(NOON + 1, 1)).to.have.length(1)
    })

    it('of an unknown account have no room', async () => {
      expect(await artifacts().reserve(artifactOf({ account: 'nobody' }), 1000)).to.equal(false)
      expect(await artifacts().used('nobody')).to.equal(0)
    })
  })
}
