import { expect } from 'chai'
import { DEFINITIONS } from '../../../core/container.js'
import { ServiceContainer, type Definitions } from '../../../core/lifecycle/service-container.js'
import { errorOf } from '../../support/unit.js'

interface Kitchen {
  readonly name: string
  readonly fridge: { readonly name: string }
  readonly stove: { readonly fridge: Kitchen['fridge'] }
  readonly cook: { readonly stove: Kitchen['stove'] }
  readonly waiter: { readonly cook: Kitchen['cook'] }
}

const NAMES = ['fridge', 'stove', 'cook', 'waiter'] as const

/** Definitions that note what happens; `failing`: the service whose opening or start rejects. */
function kitchen(failing: 'stove' | 'cook' | null = null): { events: string[]; definitions: Definitions<Kitchen, 'name'> } {
  const events: string[] = []
  const event = (what: string): void => void events.push(what)
  const attempt = (what: 'stove' | 'cook'): Promise<void> =>
    failing === what ? Promise.reject(new Error(`no ${what}`)) : Promise.resolve()
  const definitions: Definitions<Kitchen, 'name'> = {
    fridge: {
      make: ({ name }) => (event('make fridge'), { name }),
      stop: () => event('stop fridge'),
      close: () => event('close fridge'),
    },
    stove: {
      open: async ({ fridge }) => (event('open stove'), await attempt('stove'), { fridge }),
      close: () => event('close stove'),
      closeWith: 'fridge',
    },
    cook: {
      make: ({ stove }) => (event('make cook'), { stove }),
      start: () => (event('start cook'), attempt('cook')),
      stop: () => event('stop cook'),
      close: () => Promise.resolve().then(() => event('close cook')),
    },
    waiter: ({ cook }) => (event('make waiter'), { cook }),
  }
  return { events, definitions }
}

describe('a container of services', () => {
  it('opens services in order, makes all, starts them in order, and closes them in reverse', async () => {
    const { events, definitions } = kitchen()
    const container = new ServiceContainer(definitions, { name: 'one' })
    expect(events, 'nothing happens before the start').to.deep.equal([])
    await container.start()
    expect(events.splice(0)).to.deep.equal(['make fridge', 'open stove', 'make cook', 'make waiter', 'start cook'])
    container.stop()
    expect(events.splice(0)).to.deep.equal(['stop fridge', 'stop cook'])
    await container.close(() => expect.fail('nothing is logged'))
    expect(events).to.deep.equal(['close cook', 'close fridge', 'close stove'])
  })

  it('makes a service once, at its first use, from those it needs', () => {
    const { events, definitions } = kitchen()
    const { services } = new ServiceContainer(definitions, { name: 'one', stove: { fridge: { name: 'none' } } })
    expect(services.waiter.cook).to.equal(services.cook)
    expect(services.cook.stove.fridge.name).to.equal('none')
    expect(events).to.deep.equal(['make cook', 'make waiter'])
  })

  it('makes services from one that replaces another, which is then not made, and leaves other containers as they are', async () => {
    const { events, definitions } = kitchen()
    const stove = { fridge: { name: 'borrowed' } }
    const replaced = new ServiceContainer(definitions, { name: 'one', stove })
    const other = new ServiceContainer(definitions, { name: 'two' })
    await replaced.start()
    expect(events).to.not.include('open stove')
    await other.start()
    expect(replaced.services.waiter.cook.stove).to.equal(stove)
    expect(other.services.waiter.cook.stove.fridge).to.deep.equal({ name: 'two' })
    events.length = 0
    await replaced.close(() => undefined)
    expect(events, 'a replaced service is closed as well').to.include('close stove')
  })

  it('takes null for a service, whether given, opened or made, and makes it once', async () => {
    let made = 0
    const definitions: Definitions<{ given: null; opened: null; made: null }, 'given'> = {
      opened: { open: () => Promise.resolve(null) },
      made: ({ given, opened }) => (made++, given ?? opened),
    }
    const container = new ServiceContainer(definitions, { given: null })
    await container.start()
    expect({ ...container.services, made }).to.deep.equal({ given: null, opened: null, made: 1 })
    expect(container.services.made).to.equal(null)
  })

  it('closes what was made when the start fails, and nothing else', async () => {
    for (const [failing, closed] of [
      ['stove', ['close fridge']],
      ['cook', ['close cook', 'close fridge', 'close stove']],
    ] as const) {
      const { events, definitions } = kitchen(failing)
      const container = new ServiceContainer(definitions, { name: 'one' })
      expect((await errorOf(container.start())).message).to.equal(`no ${failing}`)
      events.length = 0
      container.stop()
      await container.close(() => undefined)
      expect(events.filter((event) => event.startsWith('close'))).to.deep.equal(closed)
      expect(events.includes('stop cook'), failing).to.equal(failing === 'cook')
    }
  })

  it('logs a service that cannot be closed and closes the others', async () => {
    const { events, definitions } = kitchen()
    const cook = { make: ({ stove }: Kitchen) => ({ stove }), close: () => expect.fail('stuck') }
    const container = new ServiceContainer<Kitchen, 'name'>({ ...definitions, cook }, { name: 'one' })
    await container.start()
    const logged: unknown[] = []
    await container.close((event, _message, fields) => void logged.push([event, fields?.['step']]))
    expect(logged).to.deep.equal([['stop-step-failed', 'cook']])
    expect(events).to.include.members(['close fridge', 'close stove'])
  })

  it('names a service that is used before it is open, and gives none when it is closed', async () => {
    const { definitions } = kitchen()
    const container = new ServiceContainer(definitions, { name: 'one' })
    expect(() => container.services.cook).to.throw(/"stove"/)
    await container.close(() => undefined)
    for (const name of NAMES) expect(() => container.services[name], name).to.throw(/disposed/)
  })
})

describe('the services of a gateway', () => {
  it('close those that calls use first, then what writes of them, their lease, the store and telemetry last', () => {
    const closing = Object.entries(DEFINITIONS).flatMap(([name, definition]) => {
      if (typeof definition === 'function' || !('close' in definition)) return []
      return 'closeWith' in definition ? [`${name} with ${String(definition.closeWith)}`] : [name]
    })
    expect(closing.reverse()).to.deep.equal([
      'cleanUps',
      'uploads',
      'refunds',
      ...['deliveries with keyUses', 'refusals with keyUses', 'keyUses'],
      'reversals',
      'publishing',
      'retention',
      'sweeper',
      'lease',
      'vendorProbes',
      'resources',
      'redis',
      ...['largeBodies', 'encoder', 'workers', 'holder'].map((name) => `${name} with sandbox`),
      'sandbox',
      'outbound',
      'store',
      'telemetry',
    ])
  })
})
