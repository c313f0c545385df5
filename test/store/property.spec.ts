import { expect } from 'chai'
import fc from 'fast-check'
import { MONGODB, SQLITE } from '../support/store-benches.js'
import { NOON } from '../support/store.js'
import { SEQUENCES, SequenceRun } from './sequences.js'

/** Set CAPSTAN_PROPERTY_RUNS=1000 for the long form: that many on SQLite, a fifth of it on MongoDB (its test server is slow). */
const wanted = Number(process.env.CAPSTAN_PROPERTY_RUNS ?? (process.env.CAPSTAN_TEST_LONG === 'all' ? 300 : 0))
const AMOUNTS = [
  { bench: SQLITE, runs: wanted || 100, msPerRun: 300 },
  { bench: MONGODB, runs: Math.ceil(wanted / 5) || 7, msPerRun: 6000 },
]

for (const { bench, runs, msPerRun } of AMOUNTS)
  describe(`N-10 ledger on ${bench.name}, sequences of commands against the reference`, function () {
    this.timeout(60_000 + runs * msPerRun)

    before(async function () {
      await bench.needs(this)
    })

    it(`${runs} sequences of up to 100 steps give the same answers, balances, journals and histories (L1 to L6, L10)`, async () => {
      const property = fc.asyncProperty(SEQUENCES, async (commands) => {
        const opened = await bench.open()
        try {
          const run = new SequenceRun(opened.store, 'acc')
          await run.furnish()
          for (const command of commands) await run.step(command)
          await run.end()
          expect(await opened.audit(NOON)).to.deep.equal([])
        } finally {
          await opened.end()
        }
      })
      // Shrinking ends in time to be printed.
      await fc.assert(property, { numRuns: runs, interruptAfterTimeLimit: 30_000 + runs * msPerRun, markInterruptAsFailure: true })
    })
  })
