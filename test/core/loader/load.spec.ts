import { expect } from 'chai'
import { load, PluginFolder } from '../../support/loader.js'
import { contract, index } from '../../support/loader-texts.js'

describe('loadPlugins', () => {
  it('registers what each export is', async () => {
    const registry = await load()
    expect([...registry.ports.keys()]).to.deep.equal(['greet', 'weather.observe', 'weather.now'])
    expect([...registry.capabilities.keys()]).to.deep.equal(['greet', 'weather.now'])
    expect(registry.capabilities.get('weather.now')?.handler?.of).to.equal('weather.now')
    expect(registry.capabilities.get('greet')?.handler).to.equal(null)
    expect(registry.ports.get('weather.observe')?.all.map(({ vendor }) => vendor.id)).to.deep.equal(['barometer', 'skies', 'stranger'])
    expect(registry.plugins.map(({ name, party, state }) => [name, party, state])).to.deep.equal([
      ['greeting', 'first', 'live'],
      ['weather', 'first', 'live'],
    ])
    expect(registry.vendors.map(({ id }) => id)).to.deep.equal(['words', 'barometer', 'skies', 'stranger'])
    expect(registry.byPath.get('/v1/greet')?.capability.id).to.equal('greet')
  })

  it('registers once what an index exports again', async () => {
    const folder = await PluginFolder.make()
    try {
      await folder.write('thing', { 'index.js': `${index('thing')}export * from './contract.js'`, 'contract.js': contract() })
      expect([...(await load({ firstParty: folder.path })).capabilities.keys()]).to.deep.equal(['thing'])
    } finally {
      await folder.remove()
    }
  })

  it('takes a capability under its id, the spellings of its id, its path and its aliases', async () => {
    const { names } = await load()
    for (const name of ['weather.now', 'weather_now', 'weather-now', 'weather/now', '/v1/weather/now', 'weather'])
      expect(names.get(name), name).to.equal('weather.now')
    expect(names.get('weather.later')).to.equal(undefined)
  })

  it('closes inputs at the top and below, and leaves outputs lenient', async () => {
    const loaded = (await load()).capabilities.get('weather.now')
    expect(loaded?.input.check({ place: 'x', extra: 1 })).to.equal(false)
    expect(loaded?.input.check({ place: 'x', near: { lat: 1, lon: 2, alt: 3 } })).to.equal(false)
    expect(loaded?.input.check({ place: 'x', near: { lat: 1, lon: 2 } })).to.equal(true)
    expect(loaded?.output.check({ text: 'x', extra: 1 })).to.equal(true)
    expect(loaded?.capability.input).to.have.property('additionalProperties', false)
  })

  it('quotes in thousandths, with the prices of the operator over those of the plugin', async () => {
    const own = (await load()).capabilities.get('weather.now')
    expect([own?.quote({ place: 'x', mode: 'short' }), own?.quote({ place: 'x', mode: 'long' })]).to.deep.equal([1000, 2500])
    const set = (await load({ config: { prices: { 'weather.now': { long: 0.001 } } } })).capabilities.get('weather.now')
    expect([set?.quote({ place: 'x', mode: 'short' }), set?.quote({ place: 'x', mode: 'long' })]).to.deep.equal([1000, 1])
    expect(set?.prices).to.deep.equal({ short: 1, long: 0.001 })
    expect(set?.timeoutMs({ place: 'x' })).to.equal(30_000)
  })
})
