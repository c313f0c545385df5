import { expect } from 'chai'
import { useFakeTimers } from 'sinon'
import { RegistryHolder } from '../../../core/loader/holder.js'
import type { Registry } from '../../../core/loader/types.js'
import { plugin, type PluginContribution } from '../../../core/sdk/index.js'
import { scriptedRegistry } from '../../support/test-plugin.js'
import { saying, settle } from '../../support/unit.js'

const registry = (...contributions: PluginContribution[]): Registry => {
  const made: Registry = { ...scriptedRegistry({}), contributions, withOrders: () => made }
  return made
}
const named = (name: string, dispose: () => Promise<void>) => plugin({ name, version: '1.0.0', sdk: 2, title: name, dispose })

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

  describe('while calls run', () => {
    const events: string[] = []
    const noting = (name: string) => named(name, () => (events.push(name), Promise.resolve()))
    beforeEach(() => void events.splice(0))

    it('are disposed of when the last call that began before the reload has ended', async () => {
      const holder = new RegistryHolder(registry(noting('old')))
      const before = holder.current
      const [one, two] = [holder.begin(), holder.begin()]
      const swapped = holder.swap(registry(noting('new')))
      const later = holder.begin()
      expect([one.registry, two.registry].every((begun) => begun === before)).to.equal(true)
      expect(later.registry).to.equal(holder.current).and.not.equal(before)
      one.end()
      one.end()
      await settle()
      expect(events, 'one call still runs, whose end was not reported twice').to.deep.equal([])
      two.end()
      expect(await swapped).to.deep.equal([])
      expect(events).to.deep.equal(['old'])
      later.end()
      await settle()
      expect(events).to.deep.equal(['old'])
    })

    it('that were part of several loads are disposed of once, when no call of any of them runs', async () => {
      const [always, twice] = [noting('always'), noting('twice')]
      const holder = new RegistryHolder(registry(always, twice))
      const first = holder.begin()
      const second = holder.swap(registry(always, twice, noting('second')))
      const third = holder.swap(registry(always))
      await settle()
      expect(events, 'the first call may use what the second load has too').to.deep.equal([])
      first.end()
      await Promise.all([second, third])
      expect(events).to.have.members(['twice', 'second']).and.to.have.length(2)
    })

    it('are reported with their handlers and providers, only those that were removed, before they are disposed of', async () => {
      const [one, two] = [
        { vendor: 'one', run: saying('1') },
        { vendor: 'two', run: saying('2') },
      ]
      const both = { ...scriptedRegistry({ 'test.echo': [one, two] }), contributions: [noting('old')] }
      const ports = new Map([...both.ports].map(([id, port]) => [id, { ...port, all: port.all.slice(0, 1) }]))
      const closed: ReadonlySet<object>[] = []
      const close = (code: ReadonlySet<object>) => (events.push('close'), closed.push(code), Promise.resolve([new Error('busy')]))
      const errors = await new RegistryHolder(both).swap({ ...both, ports, contributions: [] }, close)
      expect(closed.map((code) => [...code])).to.deep.equal([[both.ports.get('test.echo')?.all[1]?.contribution]])
      expect([events, errors.map(({ message }) => message)]).to.deep.equal([['close', 'old'], ['busy']])
    })

    it('that a later reload brought back stay', async () => {
      const back = noting('back')
      const holder = new RegistryHolder(registry(back))
      const call = holder.begin()
      const swaps = [holder.swap(registry()), holder.swap(registry(back))]
      call.end()
      await Promise.all(swaps)
      expect(events).to.deep.equal([])
    })
  })
})
