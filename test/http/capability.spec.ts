import { expect } from 'chai'
import { startGateway, type TestGateway } from '../support/gateway.js'

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
})
