import { expect } from 'chai'
import type { Connection } from 'mongoose'
import { buildCollections, buildModels, type Collections } from '../../../core/store/mongodb/collections.js'
import { connect, TIMEOUTS } from '../../../core/store/mongodb/connection.js'
import { makeIndexes } from '../../../core/store/mongodb/indexes.js'
import { roll, rowName, rowParts } from '../../../core/store/mongodb/rollup.js'
import { numbered, type Numbered } from '../../../core/store/mongodb/journal.js'
import { needsMongo, temporaryMongo } from '../../support/mongodb.js'
import { facts, NOON } from '../../support/store.js'

/** Charges of 10 with the numbers from `first` to `last`. */
function entries(first: number, last: number): Numbered[] {
  const place = { at: NOON, own: 'gw1', note: null, key: 'key_1', cap: null, facts: facts() }
  const out = Array.from({ length: last - first + 1 }, (_, index) => ({
    ref: `h${first + index}`,
    kind: 'charge' as const,
    amt: -10,
    ...place,
  }))
  return numbered({ seq: last, bal: 0, out })
}

describe('counting entries on MongoDB', () => {
  let connection: Connection
  let tables: Collections
  let drop: () => Promise<void>

  before(async function () {
    await needsMongo(this)
  })
  beforeEach(async () => {
    const database = await temporaryMongo()
    drop = database.drop
    connection = await connect(database.uri, TIMEOUTS)
    await makeIndexes(connection, { log: () => undefined, alive: () => Promise.resolve() })
    const manner = { tripMs: 5000, serverMs: 5000, writeConcern: { w: 'majority', j: true } } as const
    tables = buildCollections(connection, buildModels(connection), manner, true)
    const key = { name: 'k', hash: 'h', prefix: 'p', rate: 1, created_at: 1, last_used_at: null, expires_at: null, revoked_at: null }
    const limits = { scopes: null, allowed_ips: null, credit_limit: null, credit_limit_per_day: null, caps: [] }
    await tables.keys.insert({ _id: 'key_1', acct: 'acc', ...key, ...limits, used: 0, applied: 0 })
  })
  afterEach(async () => {
    await connection.destroy(true)
    await drop()
  })

  const counted = async () => {
    const [day] = await tables.usage.many({ acct: 'acc' })
    const [key] = await tables.keys.many({ acct: 'acc' })
    return { calls: Object.values(day?.rows ?? {})[0]?.calls, upTo: day?.applied, used: key?.used, keyUpTo: key?.applied }
  }

  it('L10 of ten publishers with overlapping snapshots, all behind, each entry is counted by one', async () => {
    await roll(tables, 'acc', entries(1, 3))
    await Promise.all(Array.from({ length: 10 }, (_, index) => roll(tables, 'acc', entries(2, 5 + (index % 3)))))
    expect(await counted()).to.deep.equal({ calls: 7, upTo: 7, used: 70, keyUpTo: 7 })
  })

  it('ten publishers of one new day count it once', async () => {
    await Promise.all(Array.from({ length: 10 }, () => roll(tables, 'acc', entries(1, 4))))
    expect(await counted()).to.deep.equal({ calls: 4, upTo: 4, used: 40, keyUpTo: 4 })
  })

  it('L10 a snapshot that begins with the last entry that was counted counts it no second time', async () => {
    await roll(tables, 'acc', entries(1, 3))
    await roll(tables, 'acc', entries(3, 5))
    await roll(tables, 'acc', entries(5, 5))
    expect(await counted()).to.deep.equal({ calls: 5, upTo: 5, used: 50, keyUpTo: 5 })
  })

  it('an old snapshot changes nothing, and a key that does not exist is left out', async () => {
    await roll(tables, 'acc', entries(1, 6))
    await roll(tables, 'acc', entries(2, 4))
    await roll(
      tables,
      'acc',
      entries(7, 7).map((entry) => ({ ...entry, key: 'gone' })),
    )
    expect(await counted()).to.deep.equal({ calls: 7, upTo: 7, used: 60, keyUpTo: 6 })
  })

  it('numbers entries from the end of the list, and walks back from the balance', () => {
    const place = { at: NOON, own: 'gw1', note: null, key: null, cap: null, facts: null }
    const out = [5, -3, 0].map((amt, index) => ({ ref: `r${index}`, kind: 'adjust' as const, amt, ...place }))
    expect(numbered({ seq: 9, bal: 12, out }).map(({ seq, after }) => [seq, after])).to.deep.equal([
      [7, 15],
      [8, 12],
      [9, 12],
    ])
  })

  it('the name of a row is a field name and gives endpoint and capability back', () => {
    for (const endpoint of ['/v1/search', '/v1/a b%20', '', '$x.y', '_z'])
      for (const capability of ['search.web', 'a b', '%', '$.']) {
        const name = rowName(endpoint, capability)
        expect(name).to.match(/^[^.$\0]+$/)
        expect(rowParts(name)).to.deep.equal({ endpoint, capability })
      }
  })
})
