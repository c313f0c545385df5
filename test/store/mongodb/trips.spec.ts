import { expect } from 'chai'
import type { Store } from '../../../core/store/types.js'
import type { MongoProxy } from '../../support/mongodb-proxy.js'
import { useMongo } from '../../support/mongodb-store.js'
import type { WireCommand } from '../../support/mongodb-wire.js'
import { answer, chargeOf, claimOf, furnish, holdOf, keyOf, NOON, releaseOf } from '../../support/store.js'

const names = (commands: readonly WireCommand[]) => commands.map(({ name, collection }) => `${name} ${collection}`)
const CHANGE = 'findAndModify accounts'
const READ = 'find accounts'

describe('round trips of the ledger on MongoDB', () => {
  const bench = useMongo()
  let store: Store
  let proxy: MongoProxy

  beforeEach(async () => {
    ;({ store, proxy } = await bench.proxied())
    await furnish(store)
  })

  it('a successful call is two: hold and charge', async () => {
    const request = holdOf()
    const commands = await proxy.watch(async () => {
      await store.ledger.hold(request)
      await store.ledger.charge(chargeOf(request.hold))
    })
    expect(names(commands)).to.deep.equal([CHANGE, CHANGE])
  })

  it('a call of a capped key is two as well, and so is one that was released', async () => {
    await store.keys.create(keyOf({ id: 'capped', credit_limit: 9000, credit_limit_per_day: 9000 }))
    const [first, second] = [holdOf({ key: 'capped', capped: true }), holdOf({ key: 'capped', capped: true })]
    const commands = await proxy.watch(async () => {
      await store.ledger.hold(first)
      await store.ledger.charge(chargeOf(first.hold, 10))
      await store.ledger.hold(second)
      await store.ledger.release(releaseOf(second.hold, { facts: null }))
    })
    expect(names(commands)).to.deep.equal([CHANGE, CHANGE, CHANGE, CHANGE])
  })

  it('a refused hold reads the account once to say why', async () => {
    const commands = await proxy.watch(() => store.ledger.hold(holdOf({ amount: 10_001 })))
    expect(names(commands)).to.deep.equal([CHANGE, READ])
  })

  it('a charge of a hold that another gateway made reads the account once more', async () => {
    const request = holdOf()
    await (await bench.gateway()).ledger.hold(request)
    const commands = await proxy.watch(() => store.ledger.charge(chargeOf(request.hold)))
    expect(names(commands)).to.deep.equal([READ, CHANGE])
  })

  it('a claim of an idempotency key is one, and two for one that is there', async () => {
    const claim = claimOf()
    const claimed = await proxy.watch(() => store.idempotency.claim(claim))
    expect(names(claimed)).to.deep.equal(['insert idempotency'])
    const running = await proxy.watch(() => store.idempotency.claim(claimOf()))
    await store.idempotency.keep({ account: 'acc', key: 'idem', attempt: 1, hold: claim.hold, response: answer(), now: NOON })
    const kept = await proxy.watch(() => store.idempotency.claim(claimOf()))
    for (const commands of [running, kept]) expect(names(commands)).to.deep.equal(['insert idempotency', 'find idempotency'])
  })

  it('an answer is kept in one, and counted by the charge; one that no charge follows is counted in a second', async () => {
    const [charged, failed] = [holdOf(), holdOf()]
    const response = answer()
    for (const { hold } of [charged, failed]) await store.idempotency.claim(claimOf({ key: hold, hold }))
    await store.ledger.hold(charged)
    const place = { account: 'acc', attempt: 1, response, now: NOON }
    const commands = await proxy.watch(async () => {
      await store.idempotency.keep({ ...place, key: charged.hold, hold: charged.hold, counted: 'by-charge' })
      await store.ledger.charge(chargeOf(charged.hold, 1000, { keptBytes: response.body.byteLength }))
    })
    expect(names(commands)).to.deep.equal(['update idempotency', CHANGE])
    const other = await proxy.watch(() => store.idempotency.keep({ ...place, key: failed.hold, hold: failed.hold }))
    expect(names(other)).to.deep.equal(['update idempotency', 'update accounts'])
    expect(await store.artifacts.used('acc')).to.equal(2 * response.body.byteLength)
  })

  it('a key is read in three, and in two when its account is known: the account always before what is believed of the key', async () => {
    const key = keyOf({ id: 'read' })
    await store.keys.create(key)
    expect(names(await proxy.watch(() => store.keys.find(key.hash)))).to.deep.equal(['find keys', READ, 'find keys'])
    expect(names(await proxy.watch(() => store.keys.find(key.hash, 'acc')))).to.deep.equal([READ, 'find keys'])
  })

  it('marking a batch of answers is one update of one document, and nothing when there is nothing', async () => {
    const requests = Array.from({ length: 12 }, () => holdOf({ amount: 10 }))
    for (const request of requests) {
      await store.ledger.hold(request)
      await store.ledger.charge(chargeOf(request.hold, 10))
    }
    const refs = requests.map(({ account, hold: ref }) => ({ account, ref }))
    const commands = await proxy.watch(() => store.ledger.delivered(refs))
    expect(names(commands)).to.deep.equal(['update gateways'])
    expect(await proxy.watch(() => store.ledger.delivered([]))).to.deep.equal([])
  })

  it('publishing costs seven commands whatever there is to be published, from what a majority has; one read when there is nothing', async () => {
    const publish = async () => await store.ledger.publish?.({ instance: 'gw1', now: NOON })
    await publish()
    for (let each = 0; each < 12; each++) {
      const request = holdOf({ amount: 10 })
      await store.ledger.hold(request)
      await store.ledger.charge(chargeOf(request.hold, 10))
    }
    const commands = await proxy.watch(publish)
    expect(names(commands)).to.have.members([
      READ,
      'insert details',
      'insert entries',
      'find gateways',
      'update usage_daily',
      'update keys',
      'update accounts',
    ])
    expect(names(commands).at(0), 'the account is read first').to.equal(READ)
    expect(commands[0]?.document.readConcern).to.deep.include({ level: 'majority' })
    expect(names(commands).at(-1), 'entries leave the account last').to.equal('update accounts')
    expect(names(await proxy.watch(publish))).to.deep.equal([READ])
  })

  it('many concurrent requests write marks at most twice: the running one, and all that came meanwhile', async () => {
    const request = holdOf()
    await store.ledger.hold(request)
    await store.ledger.charge(chargeOf(request.hold))
    const ref = { account: 'acc', ref: request.hold }
    const commands = await proxy.watch(() => Promise.all(Array.from({ length: 30 }, () => store.ledger.delivered([ref]))))
    expect(names(commands)).to.deep.equal(['update gateways'])
  })

  it('every write waits for the journal of a majority, is bounded on the server and never repeated by the driver', async () => {
    const request = holdOf()
    const commands = await proxy.watch(async () => {
      await store.ledger.hold(request)
      await store.ledger.charge(chargeOf(request.hold))
      await store.ledger.delivered([{ account: 'acc', ref: request.hold }])
      await store.idempotency.claim(claimOf())
      await store.ledger.publish?.({ instance: 'gw1', now: NOON })
      await store.settings.put('a', '1')
      await store.leases.renew('gw1', 1, 1)
      await store.leases.end('gw1')
    })
    const writes = commands.filter(({ name }) => name !== 'find' && name !== 'hello')
    expect(writes).to.have.length.above(9)
    for (const { name, collection, document } of writes) {
      expect(document.writeConcern, `${name} ${collection}`).to.deep.equal({ w: 'majority', j: true, wtimeout: 900 })
      expect(document.maxTimeMS, `${name} ${collection}`).to.equal(900)
      expect(document, 'retryable writes carry a number').not.to.have.property('txnNumber')
    }
  })

  it('the outcome of a hold is read in one causally consistent session that shows what a majority has', async () => {
    const request = holdOf()
    await store.ledger.hold(request)
    await store.ledger.charge(chargeOf(request.hold))
    await store.ledger.publish?.({ instance: 'gw1', now: NOON })
    const reads = await proxy.watch(() => store.ledger.resolve('acc', request.hold))
    expect(names(reads)).to.deep.equal([READ, 'find entries'])
    const [first, second] = reads.map(({ document }) => document)
    expect(first?.readConcern).to.deep.include({ level: 'majority' })
    expect(second?.readConcern).to.include({ level: 'majority' }).and.have.property('afterClusterTime')
    expect(second?.lsid).to.deep.equal(first?.lsid)
  })

  it('answers to hold and charge carry the money and two numbers only, never holds or entries', async () => {
    const request = holdOf()
    const commands = await proxy.watch(async () => {
      await store.ledger.hold(request)
      await store.ledger.charge(chargeOf(request.hold))
    })
    expect(commands.map(({ document }) => document.fields)).to.deep.equal([
      { bal: 1, held: 1, avail: 1, seq: 1, done: 1 },
      { bal: 1, held: 1, avail: 1, seq: 1, done: 1 },
    ])
  })
})
