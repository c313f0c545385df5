import { expect } from 'chai'
import type { Store } from '../../../core/store/types.js'
import { useMongo } from '../../support/mongodb-store.js'
import { DAY, furnish, NOON } from '../../support/store.js'

const ROW = { account: 'acc', day: '2026-01-31', endpoint: '/v1/search', capability: 'search.web', status: 402 }
const TODAY = Math.floor(NOON / DAY)

describe('refused calls on MongoDB', () => {
  const bench = useMongo()
  let store: Store

  beforeEach(async () => {
    store = await bench.gateway()
    await furnish(store)
  })

  const calls = async () => (await store.history.usage({ sinceDay: '2020-01-01' })).map((row) => row.calls)

  it('however many instances count them, a day, place and status is one document; a repeated or late message changes nothing', async () => {
    const instances = Array.from({ length: 12 }, (_, index) => `gw.${index}`)
    const gateways = [store, await bench.gateway(), await bench.gateway()]
    for (const count of [3, 5, 4])
      await Promise.all(
        instances.map((instance, index) => (gateways[index % 3] ?? store).history.refused([{ ...ROW, instance, count: count + index }])),
      )
    await store.history.refused([{ ...ROW, status: 429, instance: 'gw.0', count: 7 }])
    const documents = await bench.documents('refused')
    expect(documents.map(({ status }) => status)).to.have.members([402, 429])
    expect(documents.find(({ status }) => status === 402)).to.deep.include({ acct: 'acc', day: TODAY })
    expect(await calls()).to.deep.equal([12 * 5 + 66 + 7])
  })

  it('are forgotten 400 days after what is trimmed, a day at a time, the oldest first', async () => {
    for (const ago of [0, 400, 401, 402]) {
      const day = new Date(NOON - ago * DAY).toISOString().slice(0, 10)
      for (const status of [402, 429]) await store.history.refused([{ ...ROW, day, status, instance: 'gw1', count: 1 }])
    }
    const days = async () => [...new Set((await bench.documents('refused')).map(({ day }) => TODAY - Number(day)))]
    expect(await store.ledger.trim({ before: NOON })).to.equal(2)
    expect(await days()).to.have.members([0, 400, 401])
    expect(await store.ledger.trim({ before: NOON })).to.equal(2)
    expect(await store.ledger.trim({ before: NOON })).to.equal(0)
    expect(await days()).to.have.members([0, 400])
  })
})
