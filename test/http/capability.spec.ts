import { expect } from 'chai'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { expectProblem } from '../support/problem.js'

describe('a paid call', () => {
  let gateway: TestGateway
  before(async () => (gateway = await startGateway()))
  after(async () => await gateway.close())

  it('answers the envelope, charges its price and says so in body and header', async () => {
    const reply = await gateway.post('/v1/test/echo', { text: 'hi', mode: 'loud' })
    expect(reply.status).to.equal(200)
    const envelope = reply.json()
    expect(envelope).to.include({ success: true, error: null, credits_used: 2 })
    expect(envelope.data).to.deep.equal({ text: 'hi' })
    expect(envelope.metadata).to.include({ provider_used: 'one', mode_used: 'loud', credits_balance: 998 })
    expect(reply.headers).to.include({ 'x-credits-used': '2', 'x-credits-balance': '998', 'x-ratelimit-limit': '60' })
  })

  it('holds no credits for a capability that nobody serves, and leaves no trace in the ledger', async () => {
    const nobody = await startGateway({
      script: { 'test.echo': [{ vendor: 'one', run: () => Promise.resolve(null), state: 'dormant', reason: 'no key' }] },
    })
    try {
      const entries = async () => (await nobody.app.services.store.ledger.entries({ limit: 100 })).length
      const before = await entries()
      for (const headers of [{}, { 'idempotency-key': 'once' }] as const)
        expectProblem(await nobody.post('/v1/test/echo', { text: 'hi' }, headers), 'capability-unavailable')
      expect(await entries()).to.equal(before)
    } finally {
      await nobody.close()
    }
  })

  it('takes null for an optional field as absent, on its own path and by name', async () => {
    const params = { text: 'hi', mode: null, times: null }
    for (const reply of [
      await gateway.post('/v1/test/echo', params),
      await gateway.post('/v1/agent', { capability: 'test.echo', params }),
    ]) {
      expect(reply.status).to.equal(200)
      expect(reply.json().metadata).to.include({ mode_used: 'plain' })
    }
    expect(expectProblem(await gateway.post('/v1/test/echo', { text: null }), 'validation-failed').error?.detail).to.contain(
      'text: must be a text',
    )
  })
})
