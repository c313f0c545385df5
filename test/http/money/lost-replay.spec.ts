import { expect } from 'chai'
import fc from 'fast-check'
import { StoreUnavailable, type LedgerStore, type Store } from '../../../core/store/types.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { HandClock } from '../../support/outbound.js'
import { temporaryStore } from '../../support/store.js'

/** What happens to one command on its way: carried out and answered, lost before, or lost after it was carried out. */
type Fate = 'ok' | 'before' | 'after'
const COMMANDS = ['charge', 'release', 'refund', 'post', 'resolve'] as const
const ECHO = '/v1/test/echo'

describe('an answer kept under an Idempotency-Key, on a ledger that loses replies', () => {
  const clock = new HandClock()
  let fates: Fate[] = []
  let store: Store
  let end: () => Promise<void>
  let gateway: TestGateway
  let fast = ''
  let last = 0

  before(async () => {
    ;({ store, end } = await temporaryStore())
    gateway = await startGateway({ overrides: { clock, store: { ...store, ledger: lossy(store.ledger) } } })
    fast = (await gateway.newKey()).key
  })
  after(async () => {
    await gateway.close()
    await end()
  })

  /** Each lost reply costs the time of the whole retry, so that the next try is the last. */
  function lossy(ledger: LedgerStore): LedgerStore {
    const wire =
      <A extends unknown[], R>(command: (...given: A) => Promise<R>) =>
      async (...given: A): Promise<R> => {
        const fate = fates.shift() ?? 'ok'
        if (fate !== 'before') {
          const result = await command(...given)
          if (fate === 'ok') return result
        }
        clock.advance(600)
        throw new StoreUnavailable('lost')
      }
    const resolve: LedgerStore['resolve'] = async (account, hold) => {
      const found = await ledger.resolve(account, hold)
      const refs = (await ledger.entries({ account, limit: 1000 })).map(({ ref }) => ref)
      return found.state === 'charged' && refs.includes(`rf:${hold}`) ? { ...found, state: 'refunded' } : found
    }
    const commands = { ...ledger, resolve }
    const through: Record<string, unknown> = Object.fromEntries(
      COMMANDS.map((name) => [name, wire((...given: never[]) => (commands[name] as (...all: never[]) => Promise<unknown>)(...given))]),
    )
    return new Proxy(ledger, { get: (target, name) => through[String(name)] ?? (Reflect.get(target, name) as unknown) })
  }

  const call = async (key: string): Promise<number> =>
    (await gateway.send(ECHO, { body: { text: 'hi' }, key: fast, headers: { 'idempotency-key': key } })).status

  /** Charges of the account since a number of entries, less refunds. */
  async function chargesKept(account: string, from: number): Promise<number> {
    const entries = (await store.ledger.entries({ account, limit: 1000, afterSeq: from })).filter(({ facts }) => facts !== null)
    return entries.filter(({ kind }) => kind === 'charge').length - entries.filter(({ kind }) => kind === 'refund').length
  }

  const drain = async (): Promise<void> => {
    fates = []
    const { ledger } = gateway.app.services
    for (let round = 0; ledger.undoing > 0; round++) {
      if (round > 1_000) throw new Error('a hold is never undone')
      clock.advance(5_000)
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }

  it('L6 L8 a 2xx, replayed or not, means exactly one charge that is not refunded, whatever was lost', async () => {
    const fate = fc.constantFrom<Fate>('ok', 'before', 'after', 'after')
    await fc.assert(
      fc.asyncProperty(fc.array(fate, { maxLength: 9 }), fc.integer({ min: 2, max: 4 }), async (script, calls) => {
        await store.ledger.post(topUp(++last))
        const from = (await store.ledger.balance('default'))?.seq ?? 0
        fates = [...script]
        const statuses: number[] = []
        for (let count = 0; count < calls; count++) statuses.push(await call(`lost-${last}`))
        await drain()
        const kept = await chargesKept('default', from)
        if (statuses.includes(200)) expect(kept, statuses.join()).to.equal(1)
        else expect(kept, statuses.join()).to.be.within(0, 1)
      }),
      { numRuns: 40 },
    )
  }).timeout(60_000)

  it('L8 is charged anew when its charge was given back, also when the late charge was given back as well', async () => {
    await store.ledger.post(topUp(++last))
    expect(await call('twice')).to.equal(200)
    const before = (await gateway.money()).balance
    const { ref } = (await store.ledger.entries({ account: 'default', limit: 1000 })).findLast(({ kind }) => kind === 'charge') ?? {
      ref: '',
    }
    for (const hold of [ref, `late:${ref}`, `late2:${ref}`]) {
      await store.ledger.refund({ account: 'default', hold, reason: 'test', owner: 'sweeper', now: clock.now() })
      expect((await gateway.money()).balance).to.equal(before + 1)
      expect(await call('twice')).to.equal(200)
      expect((await gateway.money()).balance).to.equal(before)
      expect(await call('twice'), 'paid is paid').to.equal(200)
      expect((await gateway.money()).balance).to.equal(before)
    }
  })

  it('L8 is not answered while its charge may still be given back', async () => {
    await store.ledger.post(topUp(++last))
    const before = (await gateway.money()).balance
    // The charge is carried out, its replies are lost, and so are those of undoing it.
    fates = ['after', 'after', 'before', 'before', 'before', 'before']
    expect(await call('busy')).to.equal(503)
    expect((await gateway.money()).balance).to.equal(before - 1)
    fates = ['before', 'before', 'before', 'before']
    expect(await call('busy')).to.equal(503)
    await drain()
    expect((await gateway.money()).balance).to.equal(before)
    expect(await call('busy')).to.equal(200)
    expect((await gateway.money()).balance).to.equal(before - 1)
  })
})

function topUp(count: number) {
  return {
    account: 'default',
    ref: `top up ${count}`,
    kind: 'grant',
    amount: 10_000,
    note: null,
    facts: null,
    owner: 'test',
    now: Date.now(),
  } as const
}
