import { expect } from 'chai'
import type { PostRequest, Store } from '../../../core/store/types.js'
import { rawMongo } from '../../support/mongodb.js'
import { useMongo } from '../../support/mongodb-store.js'
import type { WireCommand } from '../../support/mongodb-wire.js'
import { chargeOf, furnish, holdOf, NOON } from '../../support/store.js'

const isStep = ({ name, collection }: WireCommand): boolean => name === 'findAndModify' && collection === 'accounts'

describe('posting by reference on MongoDB', () => {
  const bench = useMongo()
  const timeouts = { tripMs: 20_000, serverMs: 20_000 }
  let store: Store

  beforeEach(async () => {
    store = await bench.gateway({ timeouts })
    await furnish(store, 1_000_000)
  })

  const grant = (ref: string, change: Partial<PostRequest> = {}): PostRequest => {
    return { account: 'acc', ref, kind: 'grant', amount: 5, note: null, facts: null, owner: 'cli', now: NOON, ...change }
  }
  const call = async (by: Store, owner: string) => {
    const request = holdOf({ owner, amount: 10 })
    await by.ledger.hold(request)
    await by.ledger.charge(chargeOf(request.hold, 10, { owner }))
    return request.hold
  }

  it('grants and refunds come through beside eight callers that never pause', async () => {
    const operator = await bench.gateway({ timeouts })
    const charges = await Promise.all(Array.from({ length: 5 }, () => call(store, 'gw1')))
    let stopped = false
    let calls = 0
    const callers = Array.from({ length: 8 }, async () => {
      while (!stopped) {
        await call(store, 'gw1')
        calls += 1
      }
    })
    const answers = []
    for (const [at, hold] of charges.entries()) {
      answers.push(await operator.ledger.post(grant(`order ${at}`)))
      answers.push(await operator.ledger.refund({ account: 'acc', hold, reason: 'operator', owner: 'cli', now: NOON }))
    }
    stopped = true
    await Promise.all(callers)
    expect(answers.map((answer) => answer.ok && answer.applied)).to.deep.equal(answers.map(() => true))
    expect((await store.ledger.balance('acc'))?.balance).to.equal(1_000_000 + 25 - 10 * calls)
    expect(await bench.audit()).to.deep.equal([])
  }).timeout(60_000)

  it('an entry made between read and step is no reason to read again, another post is', async () => {
    const { store: slow, proxy } = await bench.proxied({ timeouts })
    const between = async (work: () => Promise<unknown>): Promise<number> => {
      let done: Promise<unknown> = Promise.resolve()
      const matches = ({ name, collection }: WireCommand) => name === 'find' && collection === 'entries'
      proxy.arm({ matches, fault: (deliver) => void (done = work().then(deliver)) })
      const commands = await proxy.watch(() => slow.ledger.post(grant(`posted ${Math.random()}`)))
      await done
      return commands.filter(isStep).length
    }
    expect(await between(() => call(store, 'gw1'))).to.equal(1)
    expect(await between(() => store.ledger.post(grant('another')))).to.equal(2)
  })

  it('L6 the same reference sent by ten workers of two gateways at once is posted once', async () => {
    const workers = [store, await bench.gateway({ timeouts })]
    const results = await Promise.all(Array.from({ length: 10 }, async (_, at) => await workers[at % 2]?.ledger.post(grant('once'))))
    expect(results.filter((result) => result?.ok === true && result.applied)).to.have.length(1)
    expect((await store.ledger.balance('acc'))?.balance).to.equal(1_000_005)
  })

  it('a charge that was given back is resolved as refunded, published or not', async () => {
    const hold = await call(store, 'gw1')
    expect(await store.ledger.resolve('acc', hold)).to.include({ state: 'charged', amount: 10 })
    await store.ledger.publish?.({ instance: 'gw1', now: NOON })
    await store.ledger.refund({ account: 'acc', hold, reason: 'void', owner: 'gw1', now: NOON })
    expect(await store.ledger.resolve('acc', hold)).to.include({ state: 'refunded', amount: 10 })
    await store.ledger.publish?.({ instance: 'gw1', now: NOON })
    expect(await store.ledger.resolve('acc', hold)).to.include({ state: 'refunded', amount: 10 })
  })

  it('an entry that has the number and reference of another, but not its kind and amount, is not taken for it', async () => {
    const hold = await call(store, 'gw1')
    const entries = (await rawMongo(bench.uri)).collection('entries')
    await entries.insertOne({
      acct: 'acc',
      seq: 2,
      ref: hold,
      kind: 'release',
      amt: 0,
      after: 1_000_000,
      at: NOON,
      own: 'gw1',
      delivered: null,
    })
    const { aside } = await store.ledger.sweep({ now: NOON, graceMs: 0, owner: 'gw1', deadOwners: [] })
    expect(aside.map(({ account }) => account)).to.deep.equal(['acc'])
    expect((await bench.documents('accounts'))[0]?.out, 'nothing is taken off').to.have.length(2)
  })
})
