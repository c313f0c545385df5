import { expect } from 'chai'
import fc from 'fast-check'
import { AccountService } from '../../core/credits/account-service.js'
import { firstRun } from '../../core/first-run.js'
import { ulid } from '../../core/id.js'
import { AdminToken } from '../../core/keys/admin-token.js'
import { KeyService } from '../../core/keys/service.js'
import { scrubEnvironment } from '../../core/scrub.js'
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
  const start = (instance: string, on = store) => {
    const keys = new KeyService(on.keys, clock, { scopes: () => [], most: 10 })
    return firstRun(on, clock, { accounts: new AccountService(on, clock), keys, instance })
  }
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

  it('that dies before any of its commands costs nobody the first key: the next start shows one', async () => {
    let cut = 0
    for (let whole = false; !whole; cut++) {
      await end()
      ;({ store, end } = await temporaryStore())
      const died = start('gw1', dyingAfter(store, cut))
      whole = (await died.catch(() => null)) !== null
      const next = await start('gw2')
      expect(next === null, `cut at command ${cut}`).to.equal(whole)
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
  it('is made once, and shown by the start that made it at whichever of its tries', async () => {
    const { store, end } = await temporaryStore()
    const fresh = AdminToken.fresh()
    const tries = [await AdminToken.open(null, store.settings, fresh), await AdminToken.open(null, store.settings, fresh)]
    expect(tries.map(({ made }) => made)).to.deep.equal([fresh, fresh])
    const other = await AdminToken.open(null, store.settings)
    expect(other.made).to.equal(null)
    expect([other.token.matches(fresh), other.token.matches(AdminToken.fresh())]).to.deep.equal([true, false])
    const configured = await AdminToken.open('of the operator', store.settings)
    expect([configured.made, configured.token.matches('of the operator'), configured.token.matches(fresh)]).to.deep.equal([
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
