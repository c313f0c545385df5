import { expect } from 'chai'
import fc from 'fast-check'
import { auditLedger } from '../../scripts/capstan/audit/ledger.js'
import type { StoreCall } from '../../core/store/sqlite/batch.js'
import { openEngine, type Engine } from '../../core/store/sqlite/engine.js'
import { chargeOf, furnish, holdOf, NOON, releaseOf, temporaryStore, TemporaryFolder } from '../support/store.js'

const grant = (ref: string, amount: number, account = 'acc') =>
  ({ account, ref, kind: 'grant', amount, note: null, facts: null, owner: 'cli', now: NOON }) as const

const STEPS = fc.array(
  fc.record({
    by: fc.constantFrom(0, 1),
    first: fc.constantFrom('resolve', 'balance', 'none'),
    /** Commands of one commit. */
    does: fc.array(
      fc.record({
        do: fc.constantFrom('hold', 'hold', 'charge', 'charge', 'release', 'refund', 'grant', 'sweep', 'overage'),
        which: fc.nat(12),
        amount: fc.integer({ min: 1, max: 900 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  { minLength: 4, maxLength: 40 },
)

describe('ledger on SQLite, two connections on one file', () => {
  it('a grant of another process between a replay and the next call stays, and the account goes on (L3, L4)', async () => {
    const gateway = await temporaryStore()
    const tool = await temporaryStore({ file: gateway.file })
    await furnish(gateway.store, 100_000)
    const first = holdOf()
    await gateway.store.ledger.hold(first)
    await gateway.store.ledger.charge(chargeOf(first.hold))
    expect(await gateway.store.ledger.resolve('acc', first.hold)).to.include({ state: 'charged', amount: 1000 })
    expect(await tool.store.ledger.post(grant('more', 1_000_000))).to.include({ ok: true, applied: true, balance: 1_099_000 })
    const second = holdOf()
    expect(await gateway.store.ledger.hold(second)).to.include({ ok: true, balance: 1_099_000 })
    expect(await gateway.store.ledger.charge(chargeOf(second.hold))).to.include({ ok: true, balance: 1_098_000, seq: 4 })
    expect(auditLedger({ file: gateway.file, now: NOON }).problems).to.deep.equal([])
    await tool.end()
    await gateway.end()
  })

  describe('runners side by side', () => {
    let folder: TemporaryFolder
    let engines: Engine[]
    beforeEach(() => {
      folder = new TemporaryFolder()
      engines = [0, 1].map(() => openEngine({ file: folder.file(), busyMs: 100, reserveBytes: 0 }, 'shared'))
    })
    afterEach(() => {
      for (const { db } of engines) db.close()
      folder.remove()
    })

    const commandOf = (account: string, step: { do: string; which: number; amount: number }, ids: string[]): StoreCall => {
      const hold = ids[step.which % Math.max(1, ids.length)] ?? 'never'
      const place = { account, owner: 'gw1', now: NOON }
      switch (step.do) {
        case 'hold': {
          const request = holdOf({ account, amount: step.amount })
          ids.push(request.hold)
          return { name: 'hold', args: [request] }
        }
        case 'charge':
          return { name: 'charge', args: [chargeOf(hold, 1, { account })] }
        case 'release':
          return { name: 'release', args: [releaseOf(hold, { account })] }
        case 'refund':
          return { name: 'refund', args: [{ ...place, hold, reason: 'client gone' }] }
        case 'grant':
          return { name: 'post', args: [grant(`g${step.which}`, step.amount, account)] }
        case 'overage':
          return { name: 'setOverage', args: [{ ...place, limit: step.amount, ref: `o${step.which}` }] }
        default:
          return { name: 'sweep', args: [{ now: NOON, graceMs: 0, owner: 'gw1', deadOwners: [] }] }
      }
    }

    it('of 150 interleavings of reads and commits of two runners each leaves books that agree (L1 to L6, L10)', function () {
      this.timeout(60_000)
      let runs = 0
      const property = fc.property(STEPS, (steps) => {
        const [{ runner }] = engines as [Engine]
        const account = `acc${++runs}`
        runner.writes([{ name: 'accountCreate', args: [{ id: account, name: account, now: NOON }] }])
        runner.writes([{ name: 'post', args: [grant('opening', 5000, account)] }])
        const ids: string[] = []
        for (const { by, first, does } of steps) {
          const engine = engines[by]
          if (engine === undefined) throw new Error('there are two')
          const last = ids.at(-1) ?? 'never'
          if (first === 'resolve') engine.runner.reads([{ name: 'resolve', args: [account, last] }])
          if (first === 'balance') engine.runner.reads([{ name: 'balance', args: [account] }])
          const { failures } = engine.runner.writes(does.map((step) => commandOf(account, step, ids)))
          expect(failures).to.deep.equal([])
        }
        expect(auditLedger({ file: folder.file(), now: NOON }).problems).to.deep.equal([])
      })
      fc.assert(property, { numRuns: 150 })
    })

    it('a row that is not as it was read fails the commit instead of being overwritten', () => {
      const [{ runner, db }] = engines as [Engine]
      runner.writes([
        { name: 'accountCreate', args: [{ id: 'acc', name: 'First Last', now: NOON }] },
        { name: 'post', args: [grant('opening', 5000)] },
      ])
      // An example of an error that would let a remembered row outlive its transaction.
      db.exec(`create trigger meddle after insert on holds begin update accounts set bal = bal + 1 where n = new.acct; end`)
      const { failures } = runner.writes([{ name: 'hold', args: [holdOf()] }])
      expect(failures[0]?.message).to.equal('an account changed after it was read: nothing was written')
      expect(runner.reads([{ name: 'balance', args: ['acc'] }]).values[0]).to.include({ balance: 5000, held: 0, open: 0 })
    })
  })
})
