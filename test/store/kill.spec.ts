import { expect } from 'chai'
import { killTest } from '../support/store-kill.js'
import { raceTest } from '../support/store-race.js'
import { needsMongo, temporaryMongo, type TemporaryMongo } from '../support/mongodb.js'
import { TemporaryFolder } from '../support/store.js'

/** What every store must show, whose gateway is killed again and again. */
async function survives(setting: string, cycles: number): Promise<void> {
  const report = await killTest({ setting, cycles, enough: ({ charges, refunded }) => charges > 20 && refunded > 0 })
  const zero = { drift: 0, duplicateCharges: 0, chargedButNotDelivered: 0, lost: 0, deliveredAndRefunded: 0, stillHeld: 0 }
  expect(report).to.deep.include({ ...zero, problems: [] })
  expect(report.charges, 'the gateways did work').to.be.greaterThan(20)
  expect(report.refunded, 'some kill came between charge and delivery').to.be.greaterThan(0)
}

describe('ledger on MongoDB, several processes', () => {
  let place: TemporaryMongo
  before(async function () {
    await needsMongo(this)
    place = await temporaryMongo()
  })
  after(() => place?.drop())

  it('F-05 N-04 kill -9 of a gateway at any moment: nothing acknowledged is lost, nothing charged twice, no charge without an answer', async function () {
    this.timeout(300_000)
    await survives(`${place.uri}&socketTimeoutMS=20000`, Number(process.env.CAPSTAN_KILL_CYCLES ?? 6))
  })
})

describe('ledger on SQLite, several processes', () => {
  let folder: TemporaryFolder
  beforeEach(() => {
    folder = new TemporaryFolder()
  })
  afterEach(() => folder.remove())

  it('F-09 N-04 kill -9 at any moment: nothing acknowledged is lost, nothing charged twice, no charge without an answer', async function () {
    this.timeout(300_000)
    await survives(`sqlite:${folder.file()}`, Number(process.env.CAPSTAN_KILL_CYCLES ?? 12))
  })

  for (const processes of [1, 2]) {
    it(`T-61 N-03 500 holds at once with money for 10, by ${processes} process(es): exactly 10 succeed in each round`, async function () {
      this.timeout(60_000)
      const report = await raceTest({ file: folder.file(), rounds: 5, calls: 500, paid: 10, processes })
      expect(report).to.deep.equal({ rounds: 5, exact: 5, ok: 50, insufficient: 2450, other: 0, problems: [] })
    })
  }
})
