import { expect } from 'chai'
import mongoose, { type Connection } from 'mongoose'
import { buildModels } from '../../../core/store/mongodb/collections.js'
import { Table } from '../../../core/store/mongodb/table.js'
import { useMongo } from '../../support/mongodb-store.js'
import { errorOf } from '../../support/unit.js'

describe('the schemas of the ledger on MongoDB', () => {
  const bench = useMongo()
  let connection: Connection
  let artifacts: Table<object>

  beforeEach(async () => {
    connection = await mongoose.createConnection(bench.uri).asPromise()
    const writeConcern = { w: 1, j: true } as const
    artifacts = new Table(buildModels(connection).artifacts, { tripMs: 20_000, serverMs: 20_000, writeConcern })
  })
  afterEach(() => connection.close())

  const good = { _id: 'a', acct: 'acc', name: 'n', content_type: 't', size: 1, created_at: 1, expires_at: 2 }
  const bad: Record<string, object> = {
    'an unknown field': { ...good, colour: 'red' },
    'a field too few': { ...good, size: undefined },
    'a number as text': { ...good, size: '1' },
    'text as a number': { ...good, name: 7 },
    'an operator for text': { ...good, acct: { $gt: '' } },
    'a list for text': { ...good, acct: ['acc'] },
  }

  for (const [what, document] of Object.entries(bad))
    it(`refuse ${what} in new documents, one or several, and in updates`, async () => {
      expect(await errorOf(artifacts.insert(document))).to.be.instanceOf(RangeError)
      // What is copied may have fields of a later version.
      if (what !== 'an unknown field')
        expect(await errorOf(artifacts.insertNew([{ ...good, _id: 'b' }, document]))).to.be.instanceOf(RangeError)
      expect(await bench.documents('artifacts'), 'nothing is written').to.deep.equal([])
      if (what === 'a field too few') return
      await artifacts.insert(good)
      const [changed] = Object.entries(document).filter(([field, value]) => !Object.is(Reflect.get(good, field), value))
      if (changed === undefined) throw new Error('the document is good')
      expect(await errorOf(artifacts.update({ _id: 'a' }, { $set: Object.fromEntries([changed]) }))).to.be.instanceOf(RangeError)
      expect(await bench.documents('artifacts')).to.deep.equal([good])
    })

  it('take what fits as it is, without fields that it has not', async () => {
    expect(await artifacts.insertNew([good, { ...good, _id: 'b' }])).to.deep.equal([])
    expect(await artifacts.insertNew([good, { ...good, _id: 'c', name: '' }])).to.deep.equal([0])
    expect((await bench.documents('artifacts')).map(({ _id }) => _id)).to.have.members(['a', 'b', 'c'])
    expect(await artifacts.insert({ ...good, _id: 'd', name: '' }), 'an empty text is a text').to.equal(true)
    expect((await bench.documents('artifacts')).find(({ _id }) => _id === 'a')).to.deep.equal(good)
  })
})
