import { expect } from 'chai'
import { useFakeTimers } from 'sinon'
import { RegistryHolder } from '../../../core/loader/holder.js'
import type { Registry } from '../../../core/loader/port.js'
import { plugin, type PluginContribution } from '../../../core/sdk/index.js'
import { scriptedRegistry } from '../../support/test-plugin.js'

const registry = (...contributions: PluginContribution[]): Registry => {
  const made: Registry = { ...scriptedRegistry({}), contributions, withOrders: () => made }
  return made
}
const named = (name: string, dispose: () => Promise<void>) => plugin({ name, version: '1.0.0', sdk: 1, title: name, dispose })

describe('plugins that a reload let go', () => {
  it('have five seconds to dispose of themselves; the errors name those that failed or did not end', async () => {
    const timers = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const gone: string[] = []
      const fine = named('fine', () => (gone.push('fine'), Promise.resolve()))
      const stuck = named('stuck', () => new Promise(() => undefined))
      const rude = named('rude', () => {
        throw new TypeError('no such handle')
      })
      const swapped = new RegistryHolder(registry(fine, stuck, rude)).swap(registry())
      await timers.tickAsync(5_000)
      const [late, thrown, ...more] = await swapped
      expect(String(late)).to.match(/dispose\(\) of plugin stuck: .* within 5000 ms/)
      expect(String(thrown)).to.equal('Error: dispose() of plugin rude: no such handle')
      expect([more, gone]).to.deep.equal([[], ['fine']])
    } finally {
      timers.restore()
    }
  })
})
