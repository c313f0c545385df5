import { expect } from 'chai'
import fc from 'fast-check'
import { AccountService } from '../../core/credits/account-service.js'
import { firstStart } from '../../core/lifecycle/first-start.js'
import { ulid } from '../../core/runtime/id.js'
import { AdminToken } from '../../core/accounts/admin-token.js'
import { hashKey } from '../../core/accounts/layout.js'
import { KeyService } from '../../core/accounts/service.js'
import { scrubEnvironment } from '../../core/lifecycle/scrub.js'
import { vendor } from '../../core/sdk/index.js'
import type { Store } from '../../core/store/types.js'
import { HandClock } from '../support/outbound.js'
import { temporaryStore } from '../support/store.js'
import { scriptedRegistry } from '../support/test-plugin.js'

describe('ids', () => {
  it("are 26 digits of Crockford's alphabet", () => {
    for (let count = 0; count < 500; count++) expect(ulid(Date.now())).to.match(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    expect(ulid(1469918176385).slice(0, 10)).to.equal('01ARYZ6S41')
  })

  it('sort by their time', () => {
    const time = fc.nat({ max: 2 ** 48 - 1 })
    fc.assert(fc.property(time, time, (one, two) => one === two || ulid(one) < ulid(two) === one < two))
  })

  it('are never the same, and every random digit takes every value', () => {
    const ids = Array.from({ length: 20_000 }, () => ulid(1))
    expect(new Set(ids).size).to.equal(ids.length)
    for (let digit = 10; digit < 26; digit++) expect(new Set(ids.map((id) => id[digit])).size, `digit ${digit}`).to.equal(32)
  })
})

/** A store whose gateway dies after so many commands. */
function dyingAfter(store: Store, commands: number): Store {
  let left = commands
  const dying = <T extends object>(part: T): T =>
    new Proxy(part, {
      get: (target, name) => {
        const command = Reflect.get(target, name) as (...given: unknown[]) => unknown
        return (...given: unknown[]) => (left-- > 0 ? command.apply(target, given) : Promise.reject(new Error('killed')))
      },
    })
  const { ledger, accounts, keys, settings } = store
  return { ...store, ledger: dying(ledger), accounts: dying(accounts), keys: dying(keys), settings: dying(settings) }
}

describe('the first start', () => {
  let store: Store
  let end: () => Promise<void>
  beforeEach(async () => void ({ store, end } = await temporaryStore()))
  afterEach(() => end())
  const clock = new HandClock()
  const begin = async (instance: string, on = store) => {
    const keys = new KeyService(on.keys, clock, { scopes: () => [], most: 10 })
    const token = await AdminToken.open(null, on.settings)
    const made = await firstStart(on, clock, { accounts: new AccountService(on, clock), keys, adminToken: token, instance })
    return { ...made, token }
  }
  /** A start that prints what it made. */
  const start = async (instance: string, on = store) => {
    const { firstRun, shown } = await begin(instance, on)
    await shown()
    return firstRun
  }
  const isValid = async (key = '') => (await store.keys.find(hashKey(key)))?.key.revoked_at === null
  /** The store as replicas see it, with these of them alive. */
  const sharedBy = async (...instances: string[]): Promise<Store> => {
    for (const instance of instances) await store.leases.renew(instance, clock.now(), 20_000)
    return { ...store, shared: true }
  }
  /** What must be so whatever happened before. */
  const expectMade = async () => {
    expect((await store.ledger.balance('default'))?.balance).to.equal(1_000_000)
    expect((await store.keys.list('default', { now: clock.now(), limit: 10, offset: 0 })).keys).to.have.length(1)
  }

  it('makes one account with its credits and one key, and says the key once', async () => {
    const made = await start('gw1')
    expect(made?.account).to.equal('default')
    expect(made?.key).to.match(/^cap_/)
    expect((await store.ledger.balance('default'))?.balance).to.equal(1_000_000)
    expect(await start('gw2')).to.equal(null)
    expect((await store.keys.list('default', { now: clock.now(), limit: 10, offset: 0 })).keys).to.have.length(1)
  })

  it('of several gateways at once one makes the key, and the credits are given once', async () => {
    const all = ['gw1', 'gw2', 'gw3']
    const on = await sharedBy(...all)
    const made = await Promise.all(all.map((instance) => start(instance, on)))
    expect(made.filter((one) => one !== null)).to.have.length(1)
    await expectMade()
  })

  it('is ended by one of those that come after when the gateways that began it died', async () => {
    await store.settings.putIfAbsent('first-run', 'dead')
    await store.settings.putIfAbsent('first-run after dead', 'dead as well')
    const on = await sharedBy('gw1', 'gw2')
    const made = await Promise.all(['gw1', 'gw2'].map((instance) => start(instance, on)))
    expect(made.filter((one) => one !== null)).to.have.length(1)
    await expectMade()
  })

  it('that is not printed is made anew by the next: another key, which revokes the one before, another token, and no second credits', async () => {
    const lost = await begin('gw1')
    const next = await begin('gw2')
    expect([await isValid(lost.firstRun?.key), await isValid(next.firstRun?.key)]).to.deep.equal([false, true])
    expect(next.token.matches(lost.adminToken ?? '')).to.equal(false)
    expect(next.token.matches(next.adminToken ?? '')).to.equal(true)
    await expectMade()
    await next.shown()
    expect(await begin('gw3')).to.include({ firstRun: null, adminToken: null })
    expect(await isValid(next.firstRun?.key)).to.equal(true)
  })

  it('that was printed by a gateway that died at once stays valid when its key is in use', async () => {
    const printed = await begin('gw1')
    const [key] = (await store.keys.list('default', { now: clock.now(), limit: 10, offset: 0 })).keys
    await store.keys.touch([{ id: key?.id ?? '', at: clock.now() }])
    expect((await begin('gw2')).firstRun).to.equal(null)
    expect(await isValid(printed.firstRun?.key)).to.equal(true)
  })

  it('leaves the keys alone that an operator made before it was printed', async () => {
    const lost = await begin('gw1')
    const keys = new KeyService(store.keys, clock, { scopes: () => [], most: 10 })
    const { key } = await keys.create('default', { name: 'of the operator' }, null)
    await start('gw2')
    expect([await isValid(key), await isValid(lost.firstRun?.key)]).to.deep.equal([true, false])
  })

  it('of several gateways at once one makes the admin token, and the others take it too', async () => {
    const all = ['gw1', 'gw2', 'gw3']
    const on = await sharedBy(...all)
    const starts = await Promise.all(all.map((instance) => begin(instance, on)))
    const [text = '', ...more] = starts.flatMap(({ adminToken }) => adminToken ?? [])
    expect(more).to.deep.equal([])
    for (const { token } of starts) {
      await token.read()
      expect(token.matches(text)).to.equal(true)
    }
  })

  it('while the gateway that made it lives, no other one makes it anew', async () => {
    const on = await sharedBy('gw1', 'gw2')
    const made = await begin('gw1', on)
    expect(await begin('gw2', on)).to.include({ firstRun: null, adminToken: null })
    expect(await isValid(made.firstRun?.key)).to.equal(true)
  })

  it('that dies before any of its commands costs nobody the first key: the next start shows one', async () => {
    let cut = 0
    for (let whole = false; !whole; cut++) {
      await end()
      ;({ store, end } = await temporaryStore())
      whole = (await begin('gw1', dyingAfter(store, cut)).catch(() => null)) !== null
      expect(await start('gw2'), `cut at command ${cut}`).not.to.equal(null)
      await expectMade()
    }
    expect(cut).to.be.greaterThan(5)
  })

  it('leaves a store alone that has accounts of its own', async () => {
    await store.accounts.create({ id: 'mine', name: 'Mine', now: 1 })
    expect(await start('gw1')).to.equal(null)
    expect(await store.accounts.get('default')).to.equal(null)
  })
})

describe('the admin token', () => {
  it('is made once, by whom no token is configured, and opens nothing before', async () => {
    const { store, end } = await temporaryStore()
    const token = await AdminToken.open(null, store.settings)
    expect([token.matches(''), token.matches('adm_')]).to.deep.equal([false, false])
    const elected = () => Promise.resolve(true)
    const made = (await token.make(elected)) ?? ''
    expect([made.slice(0, 4), token.matches(made), token.matches(`${made}x`)]).to.deep.equal(['adm_', true, false])
    await token.shown()
    const other = await AdminToken.open(null, store.settings)
    expect([await other.make(elected), other.matches(made)]).to.deep.equal([null, true])
    const configured = await AdminToken.open('of the operator', store.settings)
    expect([await configured.make(elected), configured.matches('of the operator'), configured.matches(made)]).to.deep.equal([
      null,
      true,
      false,
    ])
    await end()
  })
})

describe('scrubbing the environment', () => {
  it('T-67 takes every declared secret and the admin token away, and nothing else', () => {
    const names = ['UNIT_KEY', 'UNIT_OPTIONAL', 'CAPSTAN_ADMIN_TOKEN', 'UNIT_OTHER']
    for (const name of names) process.env[name] = 'canary'
    try {
      const registry = {
        ...scriptedRegistry({}),
        vendors: [
          vendor({ id: 'a', title: 'A', secrets: { api_key: 'UNIT_KEY' }, optionalSecrets: { more: 'UNIT_OPTIONAL' } }),
          vendor({ id: 'b', title: 'B' }),
        ],
      }
      scrubEnvironment(registry)
      expect(names.map((name) => process.env[name])).to.deep.equal([undefined, undefined, undefined, 'canary'])
    } finally {
      for (const name of names) Reflect.deleteProperty(process.env, name)
    }
  })
})
