import { expect } from 'chai'
import { capRefusal } from '../../../core/credits/ledger-service.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { expectProblem } from '../../support/problem.js'

describe('a call that the spending cap of its key refuses', () => {
  let gateway: TestGateway
  before(async () => (gateway = await startGateway()))
  after(async () => await gateway.close())
  const refused = async (order: Record<string, unknown>, calls: number) => {
    const { key } = await gateway.newKey(order)
    const call = () => gateway.send('/v1/test/echo', { method: 'POST', body: { text: 'hi', mode: 'loud' }, key })
    for (let count = 0; count < calls; count++) expect((await call()).status).to.equal(200)
    return expectProblem(await call(), 'key-not-allowed').error?.detail
  }

  it('gets the cost, what is left, what is used and that a total does not renew', async () => {
    expect(await refused({ credit_limit: 5 }, 2)).to.equal(
      'This call costs 2 credits, and the key has 1 credits left of 5 (4 used or held by running calls) in its credit_limit, which does not renew.',
    )
  })

  it('gets the time when the credits of a day renew', async () => {
    expect(await refused({ credit_limit_per_day: 3 }, 1)).to.match(
      /^This call costs 2 credits, and the key has 1 credits left of 3 \(2 used or held by running calls\) in its credit_limit_per_day, which renews at \d{4}-\d\d-\d\dT00:00Z\.$/,
    )
  })

  it('gets the next day by UTC, and the key whose cap it is', () => {
    const rooms = [{ id: 'root', total: null, day: { limit: 3000, left: 500 } }]
    expect(capRefusal(2000, { rooms, key: 'child', now: Date.UTC(2026, 0, 31, 23, 59) }).message).to.equal(
      'This call costs 2 credits, and a key that this one descends from has 0.5 credits left of 3 (2.5 used or held by running calls) in its credit_limit_per_day, which renews at 2026-02-01T00:00Z.',
    )
  })

  it('gets a message without figures when the ledger does not give them', () => {
    expect(capRefusal(2000, { rooms: [], key: 'k', now: 0 }).message).to.contain('more than the spending cap of the key had left')
  })
})
