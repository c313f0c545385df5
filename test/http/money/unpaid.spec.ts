import { expect } from 'chai'
import { request } from 'node:http'
import { connect } from 'node:net'
import { StoreUnavailable } from '../../../core/store/types.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { expectProblem } from '../../support/problem.js'
import { Stage } from '../../support/stage.js'
import { Fault, type Behaviour } from '../../support/test-plugin.js'
import { until } from '../../support/time.js'

const ECHO = '/v1/test/echo'
const TOKENS = 600

describe('A6 what vendors charge for in calls that are not charged', function () {
  this.timeout(20_000)
  const stage = new Stage()
  let ends: Behaviour = ({ text }) => Promise.resolve({ text })
  let gateway: TestGateway
  before(async () => {
    const staged = stage.vendor('staged')
    const run: Behaviour = async (input, context) => {
      context.tokens({ model: 'm', input: TOKENS - 1, output: 1 })
      return await (input.text.includes('wait') || input.text === 'wide' ? staged.run : ends)(input, context)
    }
    gateway = await startGateway({
      script: { 'test.echo': [{ vendor: 'one', run }] },
      env: { CAPSTAN_LIMIT_UNPAID_TOKENS: String(2 * TOKENS), CAPSTAN_LIMIT_ABORTS_PER_MINUTE: '1000' },
    })
  })
  after(async () => await gateway.close())
  beforeEach(() => void (ends = ({ text }) => Promise.resolve({ text })))
  const call = (key: string, text = 'hi') => gateway.send(ECHO, { key, body: { text } })
  const fail = (): Behaviour => () => Promise.reject(new Fault('missing', 'Nothing fits.'))
  const refused = async (key: string): Promise<void> => {
    const reply = await call(key)
    const { error } = expectProblem(reply, 'rate-limited')
    expect(error?.detail).to.contain('limits.unpaid_tokens')
    expect(Number(reply.headers['retry-after'])).to.be.within(1, 60)
  }

  it('is refused beyond its limit with 429 that names the setting, for every key of the account and through every entrance', async () => {
    const { id, key } = await gateway.newAccount(100)
    const { key: second } = await gateway.newKey({}, id)
    ends = fail()
    for (let count = 0; count < 3; count++) expectProblem(await call(key), 'no-result')
    await refused(key)
    await refused(second)
    expectProblem(await gateway.send('/v1/agent', { key, body: { capability: 'test.echo', params: { text: 'hi' } } }), 'rate-limited')
    expect((await gateway.money(id)).balance).to.equal(100)
    const { key: other } = await gateway.newAccount(100)
    ends = ({ text }) => Promise.resolve({ text })
    expect((await call(other)).status, 'another account').to.equal(200)
  })

  it('counts nothing for calls that were charged', async () => {
    const { key } = await gateway.newAccount(100)
    for (let count = 0; count < 6; count++) expect((await call(key)).status).to.equal(200)
  })

  it('counts for a caller who left before the answer', async () => {
    const { id, key } = await gateway.newAccount(100)
    for (let count = 0; count < 3; count++) {
      const text = `wait ${String(count)}`
      const sent = request(gateway.url + ECHO, {
        method: 'POST',
        agent: false,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      })
      sent.on('error', () => undefined)
      sent.end(JSON.stringify({ text }))
      await stage.until(() => stage.waiting === 1)
      sent.destroy()
      await stage.until(() => stage.aborted.includes(text))
      await until(() => gateway.app.running() === 0)
    }
    await refused(key)
    expect((await gateway.money(id)).balance).to.equal(100)
  })

  it('counts for an answer that was charged and is refunded because nobody took it', async () => {
    const { id, key } = await gateway.newAccount(100)
    ends = fail()
    for (let count = 0; count < 2; count++) expectProblem(await call(key), 'no-result')
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.pause()
    const body = JSON.stringify({ text: 'wide' })
    socket.write(
      `POST ${ECHO} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`,
    )
    await until(async () => (await gateway.money(id)).balance === 99)
    expect((await gateway.get('/v1/account', { authorization: `Bearer ${key}` })).status).to.equal(200)
    socket.destroy()
    await until(async () => (await gateway.money(id)).balance === 100)
    await refused(key)
  })

  it('counts nothing while the ledger is away', async () => {
    const { key } = await gateway.newAccount(100)
    ends = () => Promise.reject(new StoreUnavailable('away'))
    for (let count = 0; count < 4; count++) expectProblem(await call(key), 'store-unavailable')
    ends = ({ text }) => Promise.resolve({ text })
    expect((await call(key)).status).to.equal(200)
  })
})
