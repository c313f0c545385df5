import { expect } from 'chai'
import { request } from 'node:http'
import { PollingVendor, type JobReply } from '../../core/sdk/testkit/polling-vendor.js'
import { DONE, jobProvider, RUNNING } from '../support/job-vendor.js'
import { startGateway, type TestGateway } from '../support/gateway.js'

describe('jobs of a vendor, through the whole gateway', () => {
  const closing: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  async function started(replies: readonly JobReply[], about: Parameters<typeof jobProvider>[1] = {}) {
    const vendor = await PollingVendor.start(...replies)
    closing.push(() => vendor.close())
    const gateway = await startGateway({ script: { more: [jobProvider(vendor.url, about)] } })
    let closed: Promise<void> | null = null
    const close = (): Promise<void> => (closed ??= gateway.close())
    closing.push(close)
    return { vendor, gateway, close }
  }
  /** A caller that disconnects when the test says so. */
  const caller = ({ url, key }: TestGateway): (() => void) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const sent = request(`${url}/v1/test/echo`, { method: 'POST', headers }).on('error', () => undefined)
    sent.end(JSON.stringify({ text: 'hello' }))
    return () => void sent.destroy()
  }

  it('are waited for, and the answer is charged', async () => {
    const { vendor, gateway } = await started([DONE])
    const { balance } = await gateway.money()
    const reply = await gateway.post('/v1/test/echo', { text: 'hello' })
    expect([reply.status, reply.json().data]).to.deep.equal([200, { text: 'from the job' }])
    expect((await gateway.money()).balance).to.equal(balance - 1)
    expect(vendor.methods).to.deep.equal(['POST', 'GET'])
  })

  it('are cancelled at the vendor when the caller hangs up, uncharged', async () => {
    const { vendor, gateway } = await started([RUNNING])
    const before = await gateway.money()
    const leave = caller(gateway)
    await vendor.came('GET')
    leave()
    await vendor.came('DELETE')
    await gateway.app.services.running.idle()
    expect(await gateway.money()).to.deep.equal(before)
  })

  it('are cancelled before a gateway that stops has closed', async () => {
    const { vendor, gateway, close } = await started([RUNNING])
    caller(gateway)
    await vendor.came('GET')
    await close()
    expect(vendor.methods).to.deep.equal(['POST', 'GET', 'DELETE'])
  })

  it('of a vendor with a pace are begun no faster: beyond it the gateway is overloaded, and the vendor is not suspended', async () => {
    const { vendor, gateway } = await started([DONE], { pace: { requests: 2, perMs: 600_000 } })
    expect((await gateway.post('/v1/test/echo', { text: 'one' })).status).to.equal(200)
    for (let count = 0; count < 3; count++) {
      const reply = await gateway.post('/v1/test/echo', { text: 'two' })
      expect(reply.status).to.equal(503)
      expect(reply.text).to.contain('overloaded')
    }
    expect(vendor.methods).to.deep.equal(['POST', 'GET'])
  })
})
