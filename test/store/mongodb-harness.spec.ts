import { expect } from 'chai'
import { mongo } from 'mongoose'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failPoint, needsMongo, needsOwnMongo, rawMongo, temporaryMongo, withDatabase, type TemporaryMongo } from '../support/mongodb.js'
import { isWork, MongoProxy, type Fault } from '../support/mongodb-proxy.js'
import { MongoServer } from '../support/mongodb-server.js'
import { WireReader } from '../support/mongodb-wire.js'

describe('test harness for MongoDB', () => {
  let temporary: TemporaryMongo
  let proxy: MongoProxy
  let client: mongo.MongoClient

  before(async function () {
    await needsMongo(this)
  })
  beforeEach(async () => {
    temporary = await temporaryMongo()
    proxy = await MongoProxy.before(temporary.uri)
    client = new mongo.MongoClient(proxy.uri(temporary.uri), { retryWrites: false, retryReads: false })
    await (await rawMongo(temporary.uri)).collection<{ _id: string; n: number }>('counts').insertOne({ _id: 'a', n: 0 })
  })
  afterEach(async () => {
    await client.close()
    await proxy.close()
    await temporary.drop()
  })

  const raise = () =>
    client
      .db()
      .collection<{ _id: string; n: number }>('counts')
      .updateOne({ _id: 'a' }, { $inc: { n: 1 } })
  const count = async () => (await (await rawMongo(temporary.uri)).collection('counts').findOne())?.['n'] as unknown
  const arm = (fault: Fault, times = 1, skip = 0) => proxy.arm({ matches: ({ name }) => name === 'update', fault, times, skip })

  it('F-05 loses the answer of an update that was carried out, and the update of an answer that never came', async () => {
    arm('cut-reply')
    expect(await raise().catch((error: unknown) => error)).to.include({ name: 'MongoNetworkError' })
    expect(await count()).to.equal(1)
    arm('cut-request')
    expect(await raise().catch((error: unknown) => error)).to.include({ name: 'MongoNetworkError' })
    expect(await count()).to.equal(1)
    await raise()
    expect(await count()).to.equal(2)
  })

  it('hits the n-th matching command and no other, and says how often it struck', async () => {
    const disarm = arm('cut-reply', 1, 2)
    await raise()
    await client.db().command({ ping: 1 })
    await raise()
    expect(await raise().catch((error: unknown) => error)).to.include({ name: 'MongoNetworkError' })
    await raise()
    expect(disarm()).to.equal(1)
    expect(await count()).to.equal(4)
  })

  it('hands an answer to the test to deliver, and withholds one', async () => {
    const answer = new Promise<() => void>((resolve) => void arm(resolve))
    let raised = false
    const raising = raise().then(() => (raised = true))
    const deliver = await answer
    expect([await count(), raised], 'carried out, and not yet reported').to.deep.equal([1, false])
    deliver()
    await raising
    arm('hang')
    // The driver's timeoutMS is accepted and does nothing (driver 7.8).
    const impatient = new mongo.MongoClient(proxy.uri(temporary.uri), { retryWrites: false, socketTimeoutMS: 200 })
    const hanging = impatient
      .db()
      .collection('counts')
      .updateOne({}, { $inc: { n: 1 } })
    expect(await hanging.catch((error: unknown) => error)).to.include({ name: 'MongoNetworkTimeoutError' })
    await impatient.close()
    expect(await count()).to.equal(2)
  })

  it('sees the commands that pass, without what a driver says by itself', async () => {
    const seen = await proxy.watch(async () => {
      await raise()
      await client.db().command({ ping: 1 })
      await client.db().collection('counts').find({}).toArray()
    })
    expect(seen.map(({ name, collection }) => [name, collection])).to.deep.equal([
      ['update', 'counts'],
      ['find', 'counts'],
    ])
    expect(seen.every(isWork)).to.equal(true)
  })

  it('relays what is larger than one piece of a stream unchanged', async () => {
    const text = 'ä'.repeat(700_000)
    const documents = Array.from({ length: 5 }, (_, n) => ({ n, text }))
    await client.db().collection('large').insertMany(documents)
    const read = await client
      .db()
      .collection('large')
      .find({}, { sort: { n: 1 } })
      .toArray()
    expect(read.map((document): unknown[] => [document['n'], document['text'] === text])).to.deep.equal(
      [0, 1, 2, 3, 4].map((n) => [n, true]),
    )
  })

  it('cuts messages out of a stream wherever its pieces end', () => {
    const message = (id: number, size: number) => {
      const bytes = Buffer.alloc(size)
      ;[size, id, 0, 1].forEach((value, index) => bytes.writeInt32LE(value, index * 4))
      return bytes
    }
    const stream = Buffer.concat([message(1, 16), message(2, 40), message(3, 17)])
    for (let length = 1; length <= stream.length; length++) {
      const reader = new WireReader()
      const ids: number[] = []
      for (let at = 0; at < stream.length; at += length) ids.push(...reader.read(stream.subarray(at, at + length)).map(({ id }) => id))
      expect(ids, `pieces of ${length}`).to.deep.equal([1, 2, 3])
    }
    expect(() => new WireReader().read(Buffer.from('GET / HTTP/1.1'))).to.throw('none of the MongoDB protocol')
  })

  it('arms the fail points of the server: error, write concern, closed connection', async () => {
    await failPoint(temporary.uri, { commands: ['update'], errorCode: 91 })
    expect(await raise().catch((error: unknown) => error)).to.include({ code: 91 })
    await failPoint(temporary.uri, { commands: ['update'], closeConnection: true })
    expect(await raise().catch((error: unknown) => error)).to.include({ name: 'MongoNetworkError' })
    expect(await count(), 'neither was carried out').to.equal(0)
    await failPoint(temporary.uri, { commands: ['update'], writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } })
    expect(await raise().catch((error: unknown) => error)).to.include({ name: 'MongoWriteConcernError' })
    expect(await count()).to.equal(1)
  })

  it('each database is empty and its own', async () => {
    const other = await temporaryMongo()
    expect(other.uri).not.to.equal(temporary.uri)
    expect(await (await rawMongo(other.uri)).collections()).to.deep.equal([])
    await temporary.drop()
    expect(await count()).to.equal(undefined)
    await other.drop()
  })

  it('puts a database into addresses of every form', () => {
    expect(withDatabase('mongodb://a:1,b:2', 'x')).to.equal('mongodb://a:1,b:2/x')
    expect(withDatabase('mongodb://u:p@a:1/y?replicaSet=r', 'x')).to.equal('mongodb://u:p@a:1/x?replicaSet=r')
    expect(() => withDatabase('http://a/b', 'x')).to.throw('is not an address')
  })
})

describe('test harness for MongoDB, a server of its own', function () {
  this.timeout(30_000)

  it('answers as a replica set of one or as a single server, and leaves nothing behind', async function () {
    const program = needsOwnMongo(this)
    for (const standalone of [true, false]) {
      const server = await MongoServer.start({ program, standalone })
      const client = new mongo.MongoClient(server.uri('x'))
      expect('setName' in (await client.db().command({ hello: 1 }))).to.equal(!standalone)
      await client.close()
      await server.end()
      expect(() => process.kill(server.pid, 0)).to.throw('ESRCH')
    }
  })

  it('F-07 keeps what it acknowledged over a crash, at the same address', async function () {
    const program = needsOwnMongo(this)
    const folder = mkdtempSync(join(tmpdir(), 'capstan-mongodb-'))
    const first = await MongoServer.start({ program, folder })
    const client = new mongo.MongoClient(first.uri('x'), { writeConcern: { w: 'majority', journal: true } })
    await client
      .db()
      .collection('kept')
      .insertMany(Array.from({ length: 100 }, (_, n) => ({ n })))
    await first.end()
    const second = await MongoServer.start({ program, folder, port: first.port })
    expect(await client.db().collection('kept').countDocuments()).to.equal(100)
    await client.close()
    await second.end()
    rmSync(folder, { recursive: true })
  })

  it('a program that is no server is reported as such, with its output', async () => {
    const error: unknown = await MongoServer.start({ program: '/bin/false' }).catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(Error).with.property('message').that.includes('ended with 1 before it listened')
  })
})
