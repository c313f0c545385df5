import { expect } from 'chai'
import type { Registry } from '../../../core/loader/types.js'
import { leftOut } from '../../../core/loader/order.js'
import { load, PluginFolder, type FakeConfig } from '../../support/loader.js'
import { contract, index } from '../../support/loader-texts.js'

const port = 'weather.observe'
const env = { SKIES_API_KEY: 'k' }
const programs = (): string => '/usr/bin/true'
const ids = (registry: Registry): string[] => registry.ports.get(port)?.providers.map(({ vendor }) => vendor.id) ?? []
const order = async (config: FakeConfig): Promise<string[]> => ids(await load({ config: { env, ...config }, programs }))

describe('the order of a waterfall', () => {
  it('is by rank, then id, by default; vendors that must be named are left out', async () => {
    expect(await order({})).to.deep.equal(['skies', 'barometer'])
  })

  it('begins with the default list, and others follow', async () => {
    expect(await order({ defaults: { [port]: ['barometer'] } })).to.deep.equal(['barometer', 'skies'])
    expect(await order({ defaults: { [port]: ['stranger'] } })).to.deep.equal(['stranger', 'skies', 'barometer'])
  })

  for (const source of ['variable', 'file'] as const) {
    it(`is the list of the ${source}, whole`, async () => {
      expect(await order({ orders: { [port]: { order: ['barometer'], source } }, defaults: { [port]: ['skies'] } })).to.deep.equal([
        'barometer',
      ])
      expect(await order({ orders: { [port]: { order: ['stranger', 'nobody', 'skies'], source } } })).to.deep.equal(['stranger', 'skies'])
    })

    it(`is the default order without those a list of the ${source} only leaves out`, async () => {
      expect(await order({ orders: { [port]: { order: ['-skies'], source } } })).to.deep.equal(['barometer'])
      expect(
        await order({ orders: { [port]: { order: ['-skies'], source } }, defaults: { [port]: ['stranger', 'barometer'] } }),
      ).to.deep.equal(['stranger', 'barometer'])
    })
  }

  const given: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['at the end', ['barometer', '...'], ['barometer', 'skies']],
    ['at the beginning', ['...', 'skies'], ['barometer', 'skies']],
    ['between two', ['stranger', '...', 'barometer'], ['stranger', 'skies', 'barometer']],
    ['without the one with a leading -', ['...', '-skies'], ['barometer']],
    ['with nobody left', ['skies', '...', 'barometer'], ['skies', 'barometer']],
    ['alone, without those that must be named', ['...'], ['skies', 'barometer']],
    ['named and left out beside it', ['stranger', '...', '-barometer'], ['stranger', 'skies']],
  ]
  for (const [title, order_, wanted] of given)
    it(`... means the vendors that are not named: ${title}`, async () => {
      expect(await order({ orders: { [port]: { order: order_, source: 'file' } } })).to.deep.equal(wanted)
    })

  it('... keeps the default order of the vendors that it means', async () => {
    const orders = { [port]: { order: ['...', 'stranger'], source: 'file' as const } }
    expect(await order({ orders, defaults: { [port]: ['barometer', 'skies'] } })).to.deep.equal(['barometer', 'skies', 'stranger'])
  })

  it('says what an order leaves out', async () => {
    const registry = await load({ config: { env, orders: { [port]: { order: ['barometer'], source: 'variable' } } }, programs })
    expect(leftOut(registry)).to.deep.equal([{ port, vendors: ['skies'] }])
    expect(leftOut(registry.withOrders(new Map([[port, ['barometer', '...']]])))).to.deep.equal([])
    expect(leftOut(await load({ config: { env }, programs })), 'a vendor that must be named is not left out').to.deep.equal([])
  })

  it('keeps those left out in sight', async () => {
    const registry = await load({ config: { env, orders: { [port]: { order: ['barometer'], source: 'variable' } } }, programs })
    expect(registry.ports.get(port)?.all.map(({ vendor, optedOut, state }) => [vendor.id, optedOut, state])).to.deep.equal([
      ['barometer', false, 'live'],
      ['skies', false, 'live'],
      ['stranger', true, 'dormant'],
    ])
  })

  it('changes by withOrders, which beats the configuration, and the version with it', async () => {
    const registry = await load({ config: { env, orders: { [port]: { order: ['barometer'], source: 'variable' } } }, programs })
    const changed = registry.withOrders(new Map([[port, ['stranger', 'barometer']]]))
    expect(ids(changed)).to.deep.equal(['stranger', 'barometer'])
    expect(changed.ports.get(port)?.providers[0]).to.deep.include({ state: 'live', reason: null, optedOut: false })
    expect(ids(changed.withOrders(new Map()))).to.deep.equal(['barometer'])
    expect(changed.version).not.to.equal(registry.version)
    expect(changed.withOrders(new Map()).version).to.equal(registry.version)
    expect(registry.version).to.match(/^[0-9a-f]{12}$/)
  })
})

describe('liveness', () => {
  it('requires one live provider of one port', async () => {
    expect((await load()).liveness('greet')).to.deep.include({ live: true, reason: null })
    expect((await load({ config: { env } })).liveness('weather.now')).to.deep.include({ live: true, reason: null })
  })

  it('names what would make a capability live', async () => {
    expect((await load()).liveness('weather.now')).to.deep.include({
      live: false,
      reason:
        'weather.observe: set SKIES_API_KEY (or vendors.skies.api_key); or install barometer (Debian package barometer-tools) or set CAPSTAN_PROGRAM_BAROMETER; or name stranger in CAPSTAN_WATERFALL_WEATHER_OBSERVE (or waterfall.weather.observe) to use it',
    })
  })

  it('names the waterfall when it leaves out who could answer', async () => {
    const registry = await load({ config: { env, orders: { [port]: { order: ['barometer'], source: 'file' } } } })
    expect(registry.liveness('weather.now').reason).to.contain('or name one of skies in CAPSTAN_WATERFALL_WEATHER_OBSERVE')
  })

  it('says no for what nobody declares', async () => {
    expect((await load()).liveness('nothing')).to.deep.include({ live: false, reason: 'no plugin declares nothing' })
    const folder = await PluginFolder.make()
    try {
      await folder.write('thing', { 'index.js': index('thing'), 'contract.js': contract() })
      const registry = await load({ firstParty: folder.path })
      expect(registry.liveness('thing')).to.deep.include({ live: false, reason: 'no plugin serves thing' })
    } finally {
      await folder.remove()
    }
  })
})
