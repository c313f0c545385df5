import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { auditLedger } from '../../scripts/capstan/audit/ledger.js'
import type { Entry, Store } from '../../core/store/types.js'
import { openSqliteStore } from '../../core/store/sqlite/store.js'
import { MONGODB, SQLITE } from '../support/store-benches.js'
import { ALL_KEYS, chargeOf, DAY, facts, furnish, holdOf, NOON, releaseOf, TemporaryFolder } from '../support/store.js'

const CALLS = fc.array(
  fc.record({
    /** When it is, from the time before which entries are trimmed. */
    ago: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -2 * DAY, max: 3 * DAY })),
    does: fc.constantFrom('charge', 'charge', 'refund', 'release', 'grant'),
    amount: fc.integer({ min: 0, max: 50 }),
    scrape: fc.boolean(),
    account: fc.constantFrom('acc', 'other'),
  }),
  { minLength: 1, maxLength: 25 },
)

/** Everything but facts that an account's journal says, and what its money is. */
const money = async (store: Store) => ({
  accounts: await Promise.all(['acc', 'other'].map((account) => store.ledger.balance(account))),
  entries: (await store.ledger.entries({ limit: 1000 })).map((entry) => ({ ...entry, facts: null })),
  keys: await store.keys.list('acc', ALL_KEYS),
  usage: await store.history.usage({ sinceDay: '2026-01-01' }),
})

const trimAll = async (store: Store, before: number): Promise<number> => {
  let sum = 0
  for (let count = 1; count > 0; sum += count) count = await store.ledger.trim({ before })
  return sum
}

/** The suite of the ledger runs three times as many journals (`npm run test:long`). */
const TIMES = process.env['CAPSTAN_TEST_LONG'] === 'all' ? 3 : 1

for (const { bench, runs } of [
  { bench: SQLITE, runs: 20 * TIMES },
  { bench: MONGODB, runs: 3 * TIMES },
])
  describe(`retention on ${bench.name}`, function () {
    this.timeout(60_000)
    before(async function () {
      await bench.needs(this)
    })

    for (const inOrder of [true, false])
      it(`of ${runs} random journals, times ${inOrder ? 'in' : 'out of'} order, exactly the older entries forget their calls; money, usage and audit stay (L3, L4, L10)`, async () => {
        const property = fc.asyncProperty(CALLS, async (unsorted) => {
          const calls = inOrder ? unsorted.toSorted((a, b) => a.ago - b.ago) : unsorted
          const opened = await bench.open()
          const { store } = opened
          try {
            for (const account of ['acc', 'other']) await furnish(store, 10_000, account)
            for (const [index, { ago, does, amount, scrape, account }] of calls.entries()) {
              const now = NOON + ago
              if (does === 'grant') {
                const grant = { account, ref: `g${index}`, kind: 'grant', amount, note: null, facts: null, owner: 'cli', now } as const
                await store.ledger.post(grant)
                continue
              }
              const { hold } = await furnishHold(store, account, now)
              const what = facts(scrape ? { endpoint: '/v1/scrape', capability: 'pages.scrape' } : {})
              if (does === 'release') await store.ledger.release(releaseOf(hold, { account, now, facts: { ...what, error: 'transient' } }))
              else await store.ledger.charge(chargeOf(hold, amount, { account, now, facts: what }))
              if (does === 'refund') await store.ledger.refund({ account, hold, reason: 'client gone', owner: 'gw1', now })
              await store.ledger.delivered([{ account, ref: hold }])
            }
            await store.ledger.delivered(['acc', 'other'].map((account) => ({ account, ref: 'none' })))
            const before = await money(store)
            const detailed = (await store.ledger.entries({ limit: 1000 })).filter(({ facts: said }) => said !== null)
            expect(await trimAll(store, NOON)).to.equal(detailed.filter(({ at }) => at < NOON).length)
            const left = (await store.ledger.entries({ limit: 1000 })).filter(({ facts: said }) => said !== null)
            expect(left).to.deep.equal(detailed.filter(({ at }) => at >= NOON))
            expect(await money(store)).to.deep.equal(before)
            expect(await opened.audit(NOON + 4 * DAY)).to.deep.equal([])
            if (inOrder) await expectListed(store, left)
          } finally {
            await opened.end()
          }
        })
        await fc.assert(property, { numRuns: runs })
      })
  })

async function furnishHold(store: Store, account: string, now: number) {
  const request = holdOf({ account, now, deadline: now + 60_000, amount: 50, maxOpen: 1000 })
  expect((await store.ledger.hold(request)).ok).to.equal(true)
  return request
}

async function expectListed(store: Store, left: readonly Entry[]): Promise<void> {
  for (const account of ['acc', 'other'])
    for (const filter of [{}, { endpoint: '/v1/scrape' }]) {
      const calls = left.filter(({ kind, facts: said, account: of }) => {
        const isCall = of === account && (kind === 'charge' || kind === 'release')
        return isCall && (!('endpoint' in filter) || said?.endpoint === filter.endpoint)
      })
      const { rows, total } = await store.history.calls({ account, limit: 100, offset: 0, ...filter })
      expect(rows.map(({ id }) => id)).to.deep.equal(calls.map(({ ref }) => ref).toReversed())
      expect(total).to.equal(calls.length)
    }
}

describe('retention in the file of the embedded ledger', () => {
  let folder: TemporaryFolder
  beforeEach(() => {
    folder = new TemporaryFolder()
  })
  afterEach(() => folder.remove())

  const open = () => openSqliteStore({ file: folder.file(), thread: 'same' })
  const call = async (store: Store, request_id: string, at = NOON) => {
    const { hold } = await furnishHold(store, 'acc', at)
    await store.ledger.charge(chargeOf(hold, 1, { now: at, facts: facts({ request_id }) }))
    await store.ledger.delivered([{ account: 'acc', ref: hold }])
  }

  it('takes five hundred entries at once, the oldest first, and half-way lists none of them', async () => {
    const store = await open()
    await furnish(store)
    for (let count = 0; count < 520; count++) await call(store, 'r', NOON + count)
    expect(await store.ledger.trim({ before: NOON + DAY })).to.equal(500)
    const detailed = (await store.ledger.entries({ limit: 1000 })).filter((entry) => entry.facts !== null)
    expect(detailed.map(({ at }) => at)).to.deep.equal(Array.from({ length: 20 }, (_, index) => NOON + 500 + index))
    expect(await store.history.calls({ account: 'acc', limit: 9, offset: 0 })).to.deep.equal({ rows: [], total: 0 })
    expect(auditLedger({ file: folder.file(), now: NOON + DAY }).problems).to.deep.equal([])
    expect(await store.ledger.trim({ before: NOON + DAY })).to.equal(20)
    await store.close()
  })

  it('calls with a time that lies ahead do not keep older ones behind them from being trimmed', async () => {
    const store = await open()
    await furnish(store, 100_000)
    const batch = (count: number, at: number) => Promise.all(Array.from({ length: count }, () => call(store, 'r', at)))
    await batch(30, NOON)
    for (let round = 0; round < 7; round++) await batch(300, NOON + 400 * DAY)
    await batch(90, NOON + 1)
    await batch(300, NOON + 2 * DAY)
    expect(await trimAll(store, NOON + DAY)).to.equal(120)
    expect(await trimAll(store, NOON + 3 * DAY)).to.equal(300)
    expect(await trimAll(store, NOON + 401 * DAY)).to.equal(2100)
    await store.close()
    expect(auditLedger({ file: folder.file(), now: NOON + 401 * DAY }).problems).to.deep.equal([])
  })

  it('what was forgotten is not in the file any more', async () => {
    const store = await open()
    await furnish(store)
    for (let count = 0; count < 40; count++) await call(store, `canary-${count}`)
    await call(store, 'young', NOON + 1)
    expect(await trimAll(store, NOON + 1)).to.equal(40)
    await store.close()
    const file = readFileSync(folder.file())
    expect(file.includes('canary'), 'facts of trimmed entries').to.equal(false)
    expect(file.includes('young'), 'facts of the others').to.equal(true)
  })

  it('nobody changes or deletes an entry, or details of a time that is not to be trimmed', async () => {
    const store = await open()
    await furnish(store)
    await call(store, 'old', NOON - 1)
    await call(store, 'young')
    await store.ledger.trim({ before: NOON })
    await store.close()
    const hand = new DatabaseSync(folder.file())
    for (const change of [
      'series = null, nth = null',
      'failed = 1',
      `digest = ''`,
      'amt = -2',
      'after = 1',
      'key = null',
      'at = 1',
      'id = 77',
    ])
      expect(() => hand.exec(`update entries set ${change}`), change).to.throw('entries never change')
    expect(() => hand.exec('delete from entries where seq = 2')).to.throw('entries are never deleted')
    expect(() => hand.exec(`update calls set facts = '{}'`)).to.throw('details of calls never change')
    expect(() => hand.exec('delete from calls')).to.throw('details of calls are kept until they are trimmed')
    hand.close()
  })
})
