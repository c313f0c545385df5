import { expect } from 'chai'
import { isWork } from '../support/mongodb-proxy.js'
import { call, Site, type Replica } from '../support/replicas.js'
import { atMost, later } from '../support/time.js'

const LATE_MS = 200
/** F-04: two round trips of the call; with a third it would be more. */
const MOST_MS = 2.5 * LATE_MS

describe('F-04 a MongoDB server that is 200 ms away', function () {
  this.timeout(60_000)
  const site = new Site()
  let replica: Replica
  let key: string
  before(async function () {
    await site.open(this)
    await site.empty()
    ;[replica] = (await site.start(1, { mongoProxy: true })) as [Replica]
    key = (await replica.newKey()).key
  })
  after(async () => {
    await site.end()
    await site.close()
  })

  /** The quickest of several calls, one after another: what a busy machine adds is not the subject. */
  const quickest = async (): Promise<number> => {
    let least = Infinity
    for (let count = 0; count < 8; count++) {
      const began = performance.now()
      expect((await call(replica, key)).status).to.equal(200)
      least = Math.min(least, performance.now() - began)
    }
    return least
  }

  it('adds its two round trips to a call and no more, and of many calls at once none fails', async function () {
    const near = await quickest()
    const disarm = replica.mongo().arm({ matches: isWork, fault: (deliver) => later(LATE_MS, deliver), times: Infinity })
    const far = await quickest()
    const many = await Promise.all(Array.from({ length: 20 }, () => call(replica, key)))
    expect(disarm(), 'commands that came late').to.be.at.least(2 * (8 + 20))
    expect(far).to.be.at.least(2 * LATE_MS)
    await atMost(this, { what: 'added to a call', value: far - near, limit: MOST_MS })
    expect(many.map(({ status }) => status)).to.deep.equal(Array.from({ length: 20 }, () => 200))
  })
})
