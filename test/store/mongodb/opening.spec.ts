import { expect } from 'chai'
import { auditMongo } from '../../../scripts/capstan/audit/mongodb.js'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { mongo } from 'mongoose'
import { useFakeTimers } from 'sinon'
import { once } from 'node:events'
import { makeIndexes } from '../../../core/store/mongodb/indexes.js'
import { openMongoStore } from '../../../core/store/mongodb/store.js'
import { redacted, refusal, shownPlace } from '../../../core/store/mongodb/connection.js'
import { MoveRefused } from '../../../scripts/capstan/move/refused.js'
import { MoveTarget } from '../../../scripts/capstan/move/target.js'
import { unnamedDatabase } from '../../../core/runtime/unnamed-database.js'
import { topologyOf } from '../../../core/store/mongodb/topology.js'
import { StoreRefused, StoreUnavailable } from '../../../core/store/types.js'
import { failPoint, needsOwnMongo, rawMongo } from '../../support/mongodb.js'
import { MongoServer } from '../../support/mongodb-server.js'
import { useMongo } from '../../support/mongodb-store.js'
import { furnish, TemporaryFolder } from '../../support/store.js'
import { errorOf } from '../../support/unit.js'
import { atMost, waited } from '../../support/time.js'

const refused = async (options: Parameters<typeof openMongoStore>[0]): Promise<Error> => {
  const outcome: unknown = await openMongoStore(options).then(
    async (store) => {
      await store.close()
      return new Error('it was opened')
    },
    (error: unknown) => error,
  )
  if (!(outcome instanceof Error)) throw new Error(`rejected with ${String(outcome)}`)
  return outcome
}

/** For refusals that the server itself must answer, however busy the machine is. */
const patient = (uri: string) => `${uri}&serverSelectionTimeoutMS=10000&socketTimeoutMS=10000`

describe('opening a ledger on MongoDB', () => {
  const bench = useMongo()

  beforeEach(async () => {})

  it('while indexes are built it is said every ten seconds of which collection; there is no limit but the server being gone', async () => {
    const timers = useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const said: unknown[] = []
      let built: () => void = () => undefined
      let alive = true
      const slow = new Promise<void>((resolve) => (built = resolve))
      const createIndexes = (name: string) => () => (name === 'entries' ? slow : Promise.resolve())
      const connection = { collection: (name: string) => ({ createIndexes: createIndexes(name) }) } as never
      const log = (event: string, message: string, fields: object = {}) => void said.push([event, message, fields])
      const ping = () => (alive ? Promise.resolve() : Promise.reject(new StoreUnavailable('gone')))
      const making = makeIndexes(connection, { log, alive: ping })
      await timers.tickAsync(30_000)
      expect(said).to.deep.equal(
        Array.from({ length: 3 }, () => ['indexes-building', 'indexes of a collection are being built', { collection: 'entries' }]),
      )
      built()
      await making
      const lost = makeIndexes({ collection: () => ({ createIndexes: () => new Promise(() => undefined) }) } as never, { log, alive: ping })
      const outcome = errorOf(lost)
      alive = false
      await timers.tickAsync(10_000)
      expect(await outcome).to.include({ name: 'StoreUnavailable' })
    } finally {
      timers.restore()
    }
  })

  it('says in one line what the server is and what it promises', async () => {
    const line = await (await bench.gateway()).describe()
    expect(line).to.match(
      /^MongoDB \S+ at mongodb:\/\/\S+: (replica set \S+, .*w:majority, j:true|a single server, .*w:1, j:true).*retryWrites=false\)$/,
    )
  })

  for (const [name, change, why] of [
    [
      'a later version of the schema',
      { $set: { schema: 99 } },
      /has schema version 99, this version of capstan supports \d+: update capstan; nothing was changed$/,
    ],
    [
      'a schema from before the first release',
      { $unset: { schema: 1 } },
      /has the schema of a version before the first release, .* supports \d+: name another database; nothing was changed$/,
    ],
  ] as const)
    it(`a ledger with ${name} is refused and left as it is`, async () => {
      await furnish(await bench.gateway())
      const db = await rawMongo(bench.uri)
      await db.collection<{ _id: string }>('settings').updateOne({ _id: 'settings' }, change)
      await db.collection('entries').dropIndexes()
      const before = await db.collection('settings').find().toArray()
      const error = await refused({ uri: patient(bench.uri) })
      expect(error).to.be.instanceOf(StoreRefused)
      expect(error.message).to.match(why).and.not.include('\n')
      expect(await db.collection('settings').find().toArray()).to.deep.equal(before)
      expect(await db.collection('entries').indexes(), 'no index was made').to.have.length(1)
    })

  it('F-07 a single server: every write waits for its journal, and the line says that one disk holds it all', async function () {
    const server = await MongoServer.start({ program: needsOwnMongo(this), standalone: true })
    try {
      const store = await openMongoStore({ uri: server.uri('capstan') })
      await furnish(store)
      expect(await store.describe()).to.include('a single server, every change in its journal before it is acknowledged (w:1, j:true)')
      await store.close()
    } finally {
      await server.end()
    }
  }).timeout(30_000)

  it('an address that names no database means one called capstan, and the line says so', async function () {
    const server = await MongoServer.start({ program: needsOwnMongo(this) })
    try {
      const store = await openMongoStore({ uri: server.uri('') })
      await furnish(store)
      expect(await store.describe()).to.include(`at mongodb://127.0.0.1:${server.port}/capstan: `)
      await store.close()
      expect(await auditMongo({ uri: server.uri('') }), 'the auditor checks there too').to.deep.include({ ok: true, accounts: 1 })
      const target = new MoveTarget(server.uri(''))
      expect(await errorOf(target.check()), 'and so does a move, which wants it empty').to.be.instanceOf(MoveRefused)
      await target.close()
      expect(await (await rawMongo(server.uri('capstan'))).collection('accounts').countDocuments()).to.equal(1)
    } finally {
      await server.end()
    }
  }).timeout(30_000)

  it('of addresses with and without a database', () => {
    for (const [uri, unnamed, shown] of [
      ['mongodb://a', 'capstan', 'mongodb://a/capstan'],
      ['mongodb://a/', 'capstan', 'mongodb://a/capstan'],
      ['mongodb://a:1,b:2/?replicaSet=rs0', 'capstan', 'mongodb://a:1,b:2/capstan'],
      ['mongodb://first:s3cret@a?tlsCAFile=/x/y', 'capstan', 'mongodb://first:***@a/capstan'],
      ['mongodb://first:s3%2Fcret@a/x?authSource=admin', undefined, 'mongodb://first:***@a/x'],
      ['mongodb+srv://a.example.com/test', undefined, 'mongodb+srv://a.example.com/test'],
    ] as const) {
      expect(unnamedDatabase(uri), uri).to.equal(unnamed)
      expect(shownPlace(uri), uri).to.equal(shown)
    }
  })

  it('ten gateways at once open an empty database', async () => {
    const stores = await Promise.all(Array.from({ length: 10 }, () => bench.gateway()))
    const made = await Promise.all(stores.map((store) => store.accounts.create({ id: 'acc', name: 'First Last', now: 1 })))
    expect(new Set(made.map((account) => JSON.stringify(account))).size).to.equal(1)
    const names = (await (await rawMongo(bench.uri)).collection('entries').indexes())
      .filter(({ unique }) => unique === true)
      .map(({ key }) => Object.keys(key as object))
    expect(names).to.deep.include.members([
      ['acct', 'seq'],
      ['acct', 'ref'],
    ])
  })

  it('F-01 T-72 a server that is not there is unavailable within a second, with its address and without its password', async function () {
    const { result: error, own } = await waited(() => refused({ uri: 'mongodb://first:s3cret@127.0.0.1:1/capstan?authSource=admin' }))
    await atMost(this, { what: 'the answer', value: own, limit: 1200 })
    expect(error).to.include({ name: 'StoreUnavailable' })
    expect(error.message).to.include('mongodb://first:***@127.0.0.1:1/capstan').and.not.include('s3cret')
  })

  it('F-03 a server that accepts and never answers is unavailable within 1.2 s', async function () {
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { own } = await waited(async () => {
      const error = await refused({ uri: `mongodb://127.0.0.1:${(silent.address() as AddressInfo).port}/capstan` })
      expect(error).to.include({ name: 'StoreUnavailable' })
    })
    silent.close()
    await atMost(this, { what: 'the answer', value: own, limit: 1200 })
  })

  for (const uri of [
    'mongodb://',
    'mongodb://a:b:c',
    'mongodb://host/x?nonsense=1',
    'mongodb://first:s3cret@host@other/x',
    'mongodb://host/x?tls=perhaps',
  ])
    it(`refuses the address ${uri} with one line that names the setting`, async () => {
      const error = await refused({ uri })
      expect(error).to.include({ name: 'StoreRefused' })
      expect(error.message)
        .to.match(/^the store setting \(CAPSTAN_STORE\) names /)
        .and.not.include('\n')
        .and.not.include('s3cret')
    })

  it('T-72 refuses a wrong password without repeating it', async () => {
    const uri = bench.uri.replace('mongodb://', 'mongodb://first:s3cret@').replace('?', '?authSource=admin&')
    const error = await refused({ uri })
    expect(error).to.include({ name: 'StoreRefused' })
    expect(error.message).to.include('does not accept its user and password').and.not.include('s3cret').and.not.include('\n')
  })

  it('refuses a user who may not make indexes', async function () {
    needsOwnMongo(this)
    const disarm = await failPoint(bench.uri, { commands: ['createIndexes'], errorCode: 13, times: 20 })
    const error = await refused({ uri: patient(bench.uri) })
    await disarm()
    expect(error).to.include({ name: 'StoreRefused' })
    expect(error.message).to.include('the user may not read and write there')
  })

  it('opens for a user who may not read the state of the server', async function () {
    needsOwnMongo(this)
    const disarm = await failPoint(bench.uri, { commands: ['serverStatus'], errorCode: 13 })
    await (await bench.gateway()).ping()
    await disarm()
  })

  it('refuses indexes of the same name that somebody else made', async () => {
    await (await rawMongo(bench.uri)).collection('entries').createIndex({ acct: 1, seq: 1 })
    const error = await refused({ uri: patient(bench.uri) })
    expect(error).to.include({ name: 'StoreRefused' })
    expect(error.message).to.include('the collection entries has other indexes')
  })

  it('refuses a clock that is more than ten seconds from the one of the server, either way', async () => {
    for (const apart of [12_000, -12_000]) {
      const error = await refused({ uri: patient(bench.uri), clock: { now: () => Date.now() + apart } })
      expect(error).to.include({ name: 'StoreRefused' })
      expect(error.message).to.match(/the clocks of this machine and of the MongoDB server are 1[12] s apart/)
    }
    await (await bench.gateway({ clock: { now: () => Date.now() + 8000 } })).ping()
  })

  it('has no backup of its own and names the tool that has', async () => {
    const store = await bench.gateway()
    const error: unknown = await store.backup('/tmp/never').catch((thrown: unknown) => thrown)
    expect(error).to.include({ name: 'StoreRefused' })
    expect((error as Error).message)
      .to.include('mongodump')
      .and.not.include('\n')
  })

  it('distinguishes replica sets, sharded clusters and single servers, and refuses one that keeps nothing', () => {
    const answers = { build: { version: '7.0.1' }, status: null, before: 0, after: 1 }
    expect(topologyOf({ ...answers, hello: { setName: 'rs0' } })).to.deep.equal({ set: 'rs0', version: '7.0.1' })
    expect(topologyOf({ ...answers, hello: { msg: 'isdbgrid' } })).to.deep.equal({ set: 'sharded cluster', version: '7.0.1' })
    expect(topologyOf({ ...answers, hello: {}, status: { storageEngine: { persistent: true } } })).to.include({ set: null })
    expect(() => topologyOf({ ...answers, hello: {}, status: { storageEngine: { persistent: false } } })).to.throw(
      StoreRefused,
      'in memory only',
    )
  })

  it('refuses a server that has no journal to wait for', () => {
    const said = new mongo.MongoServerError({ code: 2, message: "cannot use 'j' option when a host does not have journaling enabled" })
    const error = refusal(new StoreUnavailable('MongoDB', { cause: said }), 'mongodb://a/x')
    expect(error).to.be.instanceOf(StoreRefused)
    expect(error.message).to.include('the server keeps no journal')
  })

  it('takes a server that is out of reach for nothing else because of its name', () => {
    const said = new Error('connect ECONNREFUSED concert.example.com:27017')
    expect(refusal(said, 'mongodb://concert.example.com/x')).to.be.instanceOf(StoreUnavailable)
  })

  it('refuses a certificate that nobody vouches for', async () => {
    const folder = new TemporaryFolder()
    const [key, cert] = [folder.file('key.pem'), folder.file('cert.pem')]
    const subject = ['-subj', '/CN=127.0.0.1', '-days', '2', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
    execFileSync('openssl', ['req', '-x509', '-nodes', ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    const server = createTls({ key: readFileSync(key), cert: readFileSync(cert) }, () => undefined).listen(0, '127.0.0.1')
    server.on('tlsClientError', () => undefined)
    await once(server, 'listening')
    const error = await refused({ uri: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}/x?tls=true` })
    server.close()
    folder.remove()
    expect(error).to.include({ name: 'StoreRefused' })
    expect(error.message).to.include('the encrypted connection failed (self-signed certificate)')
  })

  it('shows an address without password and options, whatever it is', () => {
    expect(redacted('mongodb://first:s3cret@a,b:1/x?authSource=admin')).to.equal('mongodb://first:***@a,b:1/x')
    expect(redacted('mongodb+srv://first:p%40ss@c.example.com')).to.equal('mongodb+srv://first:***@c.example.com')
    expect(redacted('mongodb://a/x')).to.equal('mongodb://a/x')
    for (const text of ['', 'mongodb:/first:s3cret@a', 'mongodb://first:s3@cret@a/x', 'first:s3cret@a'])
      expect(redacted(text), text).not.to.include('cret')
  })
})
