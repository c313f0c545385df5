import { expect } from 'chai'
import { Fault } from '../../../core/sdk/index.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { expectProblem } from '../../support/problem.js'

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
