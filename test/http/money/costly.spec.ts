import { expect } from 'chai'
import { Fault } from '../../../core/sdk/index.js'
import { StoreUnavailable } from '../../../core/store/types.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { expectProblem } from '../../support/problem.js'
import { Stage } from '../../support/stage.js'

const ECHO = '/v1/test/echo'

describe('T-63 work that was ended at its limit of time or memory', () => {
  let gateway: TestGateway
  let fails: Fault | null = null
  before(async () => {
    const run = ({ text }: { text: string }) => (fails === null ? Promise.resolve({ text }) : Promise.reject(fails))
    gateway = await startGateway({ script: { 'test.echo': [{ vendor: 'one', run }] } })
  })
  after(() => gateway.close())
  const call = (key: string) => gateway.send(ECHO, { key, body: { text: 'hi' } })

  it('costs nothing, and counts against its account like a call that was given up', async () => {
    const [{ key }, { key: other }] = [await gateway.newAccount(100), await gateway.newAccount(100)]
    fails = new Fault('blocked', 'the content took too long to read', { costly: true })
    for (let count = 0; count < 20; count++) expectProblem(await call(key), 'target-blocked')
    fails = null
    expect((await call(key)).status).to.equal(200)
    fails = new Fault('blocked', 'the content took too long to read', { costly: true })
    await call(key)
    fails = null
    expectProblem(await call(key), 'rate-limited')
    expect((await call(other)).status, 'another account').to.equal(200)
  })

  it('A14 B12 counts when a call ends at its deadline, whoever let it pass', async () => {
    const stage = new Stage()
    const slow = await startGateway({ script: { 'test.echo': [stage.vendor('one')] }, env: { CAPSTAN_LIMIT_ABORTS_PER_MINUTE: '2' } })
    const brief = (key: string, headers: Record<string, string> = {}) => slow.send(ECHO, { key, headers, body: { text: 'brief' } })
    try {
      const { id, key } = await slow.newAccount(100)
      expectProblem(await brief(key), 'deadline-exceeded')
      expectProblem(await brief(key, { 'idempotency-key': 'kept' }), 'deadline-exceeded')
      expect((await slow.send(ECHO, { key, body: { text: 'hi' } })).status).to.equal(200)
      expectProblem(await brief(key), 'deadline-exceeded')
      expectProblem(await slow.send(ECHO, { key, body: { text: 'hi' } }), 'rate-limited')
      expect((await slow.money(id)).balance).to.equal(99)
    } finally {
      await slow.close()
    }
  })

  it('A14 counts nothing that a queue refused, or that the gateway could not do', async () => {
    const stage = new Stage()
    let fault: Error | null = null
    const one = stage.vendor('one')
    const busy = await startGateway({
      script: {
        'test.echo': [{ vendor: 'one', run: (given, ctx) => (fault === null ? one.run(given, ctx) : Promise.reject(fault)) }],
        echo: { work: 'code', timeoutMs: 2_000 },
      },
      env: { CAPSTAN_LIMIT_ABORTS_PER_MINUTE: '1', CAPSTAN_LIMIT_CODE_SLOTS: '1' },
    })
    try {
      const { key } = await busy.newAccount(100)
      const held = busy.send(ECHO, { key, body: { text: 'wait' } })
      await stage.until(() => stage.waiting === 1)
      const waiting = Array.from({ length: 3 }, () => busy.send(ECHO, { key, body: { text: 'hi' } }))
      for (const reply of await Promise.all(waiting)) expectProblem(reply, 'overloaded')
      stage.release()
      expect((await held).status).to.equal(200)
      fault = new StoreUnavailable('away')
      for (let count = 0; count < 3; count++) expectProblem(await busy.send(ECHO, { key, body: { text: 'hi' } }), 'store-unavailable')
      fault = null
      expect((await busy.send(ECHO, { key, body: { text: 'hi' } })).status).to.equal(200)
    } finally {
      await busy.close()
    }
  })

  it('that another provider did in its place counts for nothing', async () => {
    const refuse = () => Promise.reject(new Fault('blocked', 'too long', { costly: true }))
    const run = ({ text }: { text: string }) => Promise.resolve({ text })
    const two = await startGateway({
      script: {
        'test.echo': [
          { vendor: 'one', run: refuse },
          { vendor: 'two', run },
        ],
      },
    })
    try {
      const { key } = await two.newAccount(100)
      for (let count = 0; count < 25; count++) expect((await two.send(ECHO, { key, body: { text: 'hi' } })).status).to.equal(200)
    } finally {
      await two.close()
    }
  })
})
