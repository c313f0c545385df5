import { expect } from 'chai'
import type { LedgerStore } from '../../core/store/types.js'
import { needsMongo, temporaryMongo } from '../support/mongodb.js'
import { outage, type OutageReport } from '../support/outage.js'
import { mongoOutageLink, sqliteOutageLink, type OutageLink } from '../support/outage-link.js'
import { TemporaryFolder } from '../support/store.js'

const CALLS_PER_SECOND = 1_000
const AWAY_MS = 120_000

function expectUnharmed(report: OutageReport): void {
  expect(report.problems).to.deep.equal([])
  expect(report.refused).to.be.at.least(report.calls)
  expect(report.reversals).to.be.within(1, 11_000)
  expect(report.grownMiB).to.be.below(32)
  expect(report.settledSeconds).to.be.below(120)
}

describe('a ledger that is away for long under load', () => {
  const folder = new TemporaryFolder()
  after(() => folder.remove())

  it('finds every call refused, nothing that grows without bound, and each request paid for exactly when it was answered', async () => {
    const link = await sqliteOutageLink(folder.file())
    const report = await outage({ link, seconds: 15, callsPerSecond: CALLS_PER_SECOND })
    expectUnharmed(report)
    expect(report.dropped, 'more than may wait').to.be.above(0)
  }).timeout(AWAY_MS)

  it('is distinguished from one whose refunds are lost', async () => {
    const link = await sqliteOutageLink(folder.file('forgetful.db'))
    const ledger: LedgerStore = { ...link.store.ledger, refund: () => Promise.resolve({ ok: false, why: 'absent' }) }
    const forgetful: OutageLink = { ...link, store: { ...link.store, ledger } }
    const { problems } = await outage({ link: forgetful, seconds: 3, callsPerSecond: CALLS_PER_SECOND })
    expect(problems.join('\n')).to.match(/its client has to find 0, the ledger says -1000/)
  }).timeout(AWAY_MS)

  it('on MongoDB', async function () {
    await needsMongo(this)
    this.timeout(AWAY_MS)
    const { uri, drop } = await temporaryMongo()
    try {
      expectUnharmed(await outage({ link: await mongoOutageLink(uri), seconds: 20, callsPerSecond: 100 }))
    } finally {
      await drop()
    }
  })
})
