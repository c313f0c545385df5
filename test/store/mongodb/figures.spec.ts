import { expect } from 'chai'
import { LedgerLoad } from '../../../scripts/ledger-load.js'
import { needsRealMongo } from '../../support/mongodb.js'
import { useMongo } from '../../support/mongodb-store.js'

const SECONDS = 5

describe('the speed of a ledger on a MongoDB server', function () {
  this.timeout(60_000)
  const bench = useMongo()
  beforeEach(function () {
    needsRealMongo(this)
  })

  it('N-25 hold and charge together take at most 15 ms at 500 calls a second, 99 of 100 times', async () => {
    const load = await LedgerLoad.on([await bench.gateway()], 8)
    await load.paced(500, SECONDS)
    expect(load.unavailable).to.equal(0)
    expect(load.latencies).to.have.length(500 * SECONDS)
    expect(load.quantile(0.99), 'ms').to.be.at.most(15)
  })

  it('N-26 the same on one account that four gateways use 1000 times a second: at most 25 ms', async () => {
    const [first, ...others] = await Promise.all([bench.gateway(), bench.gateway(), bench.gateway(), bench.gateway()])
    const load = await LedgerLoad.on([first, ...others], 1)
    await load.paced(1_000, SECONDS)
    expect(load.unavailable).to.equal(0)
    expect(load.latencies).to.have.length(1_000 * SECONDS)
    expect(load.quantile(0.99), 'ms').to.be.at.most(25)
  })
})
