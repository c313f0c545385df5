import { expect } from 'chai'
import fc from 'fast-check'
import { AccountDesk } from '../../core/credits/account-desk.js'
import { firstRun } from '../../core/first-run.js'
import { ulid } from '../../core/id.js'
import { KeyService } from '../../core/keys/service.js'
import { scrubEnvironment } from '../../core/scrub.js'
import { vendor } from '../../core/sdk/index.js'
import type { Store } from '../../core/store/port.js'
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

describe('the first start', () => {
  let store: Store
  let end: () => Promise<void>
  beforeEach(async () => void ({ store, end } = await temporaryStore()))
  afterEach(() => end())
  const clock = new HandClock()
  const start = (instance: string) => {
    const keys = new KeyService(store.keys, clock, { scopes: () => [], changed: () => undefined })
    return firstRun(store, clock, { desk: new AccountDesk(store, clock), keys, instance })
  }

  it('makes one account with its credits and one key, and says the key once', async () => {
    const made = await start('gw1')
    expect(made?.account).to.equal('default')
    expect(made?.key).to.match(/^cap_/)
    expect((await store.ledger.balance('default'))?.balance).to.equal(1_000_000)
    expect(await start('gw2')).to.equal(null)
    expect(await store.keys.list('default', clock.now())).to.have.length(1)
  })

  it('of several gateways at once one makes the key, and the credits are given once', async () => {
    const made = await Promise.all(['gw1', 'gw2', 'gw3'].map(start))
    expect(made.filter((one) => one !== null)).to.have.length(1)
    expect((await store.ledger.balance('default'))?.balance).to.equal(1_000_000)
  })

  it('is made up for when the gateway that began it died', async () => {
    await store.settings.putIfAbsent('first-run', 'dead')
    expect(await start('gw2')).to.equal(null)
    expect((await store.ledger.balance('default'))?.balance).to.equal(1_000_000)
  })

  it('leaves a store alone that has accounts of its own', async () => {
    await store.accounts.create({ id: 'mine', name: 'Mine', now: 1 })
    expect(await start('gw1')).to.equal(null)
    expect(await store.accounts.get('default')).to.equal(null)
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
