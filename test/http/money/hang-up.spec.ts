import { expect } from 'chai'
import { request } from 'node:http'
import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { Fault } from '../../../core/sdk/index.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { expectProblem } from '../../support/problem.js'
import { Stage } from '../../support/stage.js'

const ECHO = '/v1/test/echo'
/** How long a condition is waited for, in milliseconds of the machine. */
const SETTLED_MS = 20_000

describe('a caller that goes away', function () {
  this.timeout(3 * SETTLED_MS)
  const stage = new Stage()
  let gateway: TestGateway
  let key: string
  before(async () => {
    gateway = await startGateway({ script: { 'test.echo': [stage.vendor('one')], 'test.send': [stage.vendor('post')] } })
    key = (await gateway.newKey()).key
  })
  after(async () => await gateway.close())

  /** Sends a request and cuts the connection once a condition holds. */
  const cut = async (path: string, text: string, when: () => boolean, headers: Record<string, string> = {}): Promise<void> => {
    const body = JSON.stringify({ text })
    const sent = request(gateway.url + path, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length, ...headers },
    })
    sent.on('error', () => undefined)
    sent.end(body)
    await stage.until(when)
    sent.destroy()
  }
  const history = async (as = key): Promise<Record<string, unknown>[]> =>
    (await gateway.send('/v1/calls?limit=1', { key: as })).json<{ calls: Record<string, unknown>[] }>().calls
  const settled = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
    // Commits wait for the disk, and a busy one takes longer than any number of turns.
    const giveUp = performance.now() + SETTLED_MS
    while (!(await holds())) {
      if (performance.now() > giveUp) throw new Error('it never settled')
      await turn()
    }
  }
  /** The gateway has noticed the end of the connection. */
  const noticed = async (): Promise<void> => {
    const open = (): Promise<number> =>
      new Promise((resolve, reject) => gateway.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))))
    await settled(async () => (await open()) === 0)
    // The response gets the event one turn after its socket.
    await turn()
    await turn()
  }
  const idle = (): Promise<void> => settled(async () => gateway.app.running() === 0 && (await gateway.money()).held === 0)

  it('F-26 during the work: the provider is aborted and the money given back', async () => {
    const before = await gateway.money()
    await cut(ECHO, 'wait', () => stage.waiting === 1)
    await stage.until(() => stage.aborted.includes('wait'))
    await idle()
    expect(await gateway.money()).to.deep.equal(before)
    expect((await history())[0]).to.deep.include({
      status: 499,
      success: false,
      error_type: 'client-closed',
      credits_used: 0,
      aborted: true,
    })
  })

  it('F-26 before the work: nothing is charged', async () => {
    const before = await gateway.money()
    await cut(ECHO, 'gone', () => true)
    await idle()
    expect(await gateway.money()).to.deep.equal(before)
  })

  it('L7 after the charge and before the whole answer was read: the charge is refunded', async () => {
    const before = await gateway.money()
    const seen = stage.texts.length
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    const body = JSON.stringify({ text: 'wide' })
    socket.pause()
    socket.write(
      `POST ${ECHO} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    await stage.until(() => stage.texts.length > seen)
    await settled(async () => (await gateway.money()).balance === before.balance - 1)
    socket.destroy()
    await settled(async () => (await gateway.money()).balance === before.balance)
    await idle()
  })

  it('with an Idempotency-Key: the work goes on, is kept, charged once, and waits for the replay', async () => {
    const before = await gateway.money()
    const headers = { 'idempotency-key': 'kept for later' }
    await cut(ECHO, 'wait on', () => stage.waiting === 1, headers)
    expect(stage.aborted).not.to.include('wait on')
    stage.release()
    await settled(() => gateway.app.running() === 0)
    const reply = await gateway.send(ECHO, { body: { text: 'wait on' }, key, headers })
    expect(reply.status, reply.text).to.equal(200)
    expect(reply.headers['idempotent-replayed']).to.equal('true')
    expect((await gateway.money()).balance).to.equal(before.balance - 1)
  })

  it('with an Idempotency-Key and Prefer: cancel-on-disconnect: the work ends, the hold is released and the key is free', async () => {
    const before = await gateway.money()
    const headers = { 'idempotency-key': 'not for later', prefer: 'respond-async;wait=5, Cancel-On-Disconnect' }
    await cut(ECHO, 'wait no more', () => stage.waiting === 1, headers)
    await stage.until(() => stage.aborted.includes('wait no more'))
    await idle()
    expect(await gateway.money()).to.deep.equal(before)
    expect((await history())[0]).to.deep.include({ status: 499, error_type: 'client-closed', credits_used: 0, aborted: true })
    const again = gateway.send(ECHO, { body: { text: 'wait no more' }, key, headers })
    await stage.until(() => stage.waiting === 1)
    stage.release()
    expect((await again).status).to.equal(200)
    expect((await again).headers).not.to.have.property('idempotent-replayed')
    expect((await gateway.money()).balance).to.equal(before.balance - 1)
  })

  it('with Prefer: cancel-on-disconnect a capability that acts once still goes on, is paid for once and replayed', async () => {
    const before = await gateway.money()
    const headers = { 'idempotency-key': 'sent once', prefer: 'cancel-on-disconnect' }
    await cut('/v1/test/send', 'wait to act', () => stage.waiting === 1, headers)
    await noticed()
    expect(stage.aborted).not.to.include('wait to act')
    stage.release()
    await idle()
    const reply = await gateway.send('/v1/test/send', { body: { text: 'wait to act' }, key, headers })
    expect(reply.headers['idempotent-replayed']).to.equal('true')
    expect(stage.texts.filter((text) => text.endsWith(':wait to act'))).to.have.length(1)
    expect((await gateway.money()).balance).to.equal(before.balance - 0.5)
  })

  it('L7 of a capability that acts once: it is not aborted after its request left, and what was done is paid for', async () => {
    const before = await gateway.money()
    await cut('/v1/test/send', 'wait to send', () => stage.waiting === 1)
    await noticed()
    expect(stage.aborted).not.to.include('wait to send')
    expect(gateway.app.running()).to.equal(1)
    stage.release()
    await idle()
    expect((await gateway.money()).balance).to.equal(before.balance - 0.5)
    expect((await history())[0]).to.deep.include({ status: 200, success: true, error_type: null, credits_used: 0.5, aborted: true })
  })

  it('L7 of a capability that acts once and failed after its caller left: nothing is charged, and the history says who left', async () => {
    const before = await gateway.money()
    await cut('/v1/test/send', 'wait and fail', () => stage.waiting === 1)
    await noticed()
    stage.failNext = new Fault('quota', 'The provider refused.')
    stage.release()
    await idle()
    expect(await gateway.money()).to.deep.equal(before)
    expect((await history())[0]).to.deep.include({ status: 499, success: false, error_type: 'client-closed', aborted: true })
  })

  it('T-63 more than twenty times in a minute is refused with 429, for every key of the account', async () => {
    const { id, key: fickle } = await gateway.newAccount(100)
    const second = await gateway.newKey({}, id)
    const mine = key
    key = fickle
    for (let round = 0; round < 21; round++) {
      const own = { 'idempotency-key': `given up ${round}`, prefer: 'cancel-on-disconnect' }
      await cut(ECHO, `wait ${round}`, () => stage.waiting === 1, round % 2 === 0 ? {} : own)
      await stage.until(() => stage.aborted.includes(`wait ${round}`))
    }
    await idle()
    key = mine
    for (const as of [fickle, second.key]) {
      const reply = await gateway.send(ECHO, { body: { text: 'hi' }, key: as })
      expect(expectProblem(reply, 'rate-limited').error?.detail).to.contain('This account aborted more than 20 calls')
    }
    expect((await gateway.send(ECHO, { body: { text: 'hi' }, key })).status).to.equal(200)
  })

  it('T-63 under an Idempotency-Key gives nothing up, however often it leaves', async () => {
    const { key: fickle } = await gateway.newAccount(100)
    const mine = key
    key = fickle
    for (let round = 0; round < 21; round++) {
      await cut(ECHO, `wait ${round}`, () => stage.waiting === 1, { 'idempotency-key': `round ${round}` })
      await noticed()
      stage.release()
      await settled(() => gateway.app.running() === 0)
    }
    key = mine
    expect((await gateway.send(ECHO, { body: { text: 'hi' }, key: fickle })).status).to.equal(200)
  })
})
