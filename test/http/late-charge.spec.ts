import { expect } from 'chai'
import { fingerprint } from '../../core/calls/idempotency/fingerprint.js'
import { Cancel } from '../../core/runtime/cancel.js'
import { systemClock } from '../../core/runtime/clock.js'
import type { Facts } from '../../core/store/types.js'
import { startGateway, type TestGateway } from '../support/gateway.js'

const PATH = '/v1/test/echo'
const BODY = { text: 'kept' }
const FACTS: Facts = {
  endpoint: PATH,
  capability: 'test.echo',
  mode: 'plain',
  product: 'agent',
  key_id: 'key',
  request_id: 'req',
  status: 200,
  ms: 1,
  provider_used: 'one',
  providers_tried: ['one'],
  error: null,
}

describe('an answer that was kept while its gateway died before the charge', () => {
  let gateway: TestGateway
  before(async () => (gateway = await startGateway()))
  after(async () => await gateway.close())

  /** Leaves what a gateway leaves that dies between keeping the answer and charging, after a sweeper released its hold. */
  async function leave(key: string): Promise<void> {
    const { idempotency, ledger, ledgerStore } = gateway.app.services
    const caller = await gateway.app.services.authenticator.authenticate(`Bearer ${gateway.key}`, '127.0.0.1', 'charged')
    const hold = ledger.newHold()
    const cancel = new Cancel(systemClock, Infinity)
    const order = {
      account: caller.account.id,
      key,
      fingerprint: fingerprint('POST', PATH, BODY),
      hold,
      limitMs: 5_000,
      once: false,
      cancel,
    }
    const claimed = await idempotency.claim(order)
    if (!('claim' in claimed)) throw new Error('the key was not free')
    await ledger.hold(caller, { amount: 1_000, capability: 'test.echo', limitMs: 5_000, hold }, () => Promise.resolve(caller))
    const answer = { status: 200, body: Buffer.from('{"kept":true}'), headers: {}, amount: 1_000, facts: FACTS }
    const kept = await idempotency.keep(claimed.claim, answer, { cancel })
    expect(kept).to.deep.equal({ bytes: 13 })
    idempotency.ended(claimed.claim)
    await ledgerStore.release({ account: caller.account.id, hold, owner: 'sweeper', reason: 'overdue', facts: null, now: Date.now() })
  }

  it('T-62 is charged once when many request it at once, and answered byte for byte', async () => {
    await leave('late-1')
    const before = await gateway.money()
    const replies = await Promise.all(Array.from({ length: 8 }, () => gateway.post(PATH, BODY, { 'idempotency-key': 'late-1' })))
    for (const reply of replies) {
      expect(reply.text).to.equal('{"kept":true}')
      expect(reply.headers).to.include({ 'idempotent-replayed': 'true', 'x-credits-used': '1' })
    }
    expect((await gateway.money()).balance).to.equal(before.balance - 1)
  })

  it('L8 stays paid for after its gateway ended and the key is forgotten: whoever got it by a replay has got it', async () => {
    await leave('late-2')
    const before = await gateway.money()
    expect((await gateway.post(PATH, BODY, { 'idempotency-key': 'late-2' })).status).to.equal(200)
    const { deliveries, instance, store } = gateway.app.services
    await deliveries.flush()
    const later = Date.now() + 7 * 86_400_000
    // Twice: the first sweep forgets the key, and with it the reason to spare its charge.
    for (let sweep = 0; sweep < 2; sweep++)
      await store.ledger.sweep({ now: later, graceMs: 0, owner: 'another gateway', deadOwners: [instance] })
    expect((await gateway.money()).balance).to.equal(before.balance - 1)
  })
})
