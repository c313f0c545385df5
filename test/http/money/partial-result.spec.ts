import { expect } from 'chai'
import { request } from 'node:http'
import { Fault } from '../../../core/sdk/index.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { expectProblem } from '../../support/problem.js'
import { Stage } from '../../support/stage.js'
import { until } from '../../support/time.js'

const ECHO = '/v1/test/echo'
const EVENTS = { accept: 'text/event-stream' }

describe('A4 a part of the result that was sent as progress', function () {
  this.timeout(20_000)
  const stage = new Stage()
  let gateway: TestGateway
  before(async () => {
    gateway = await startGateway({ script: { 'test.echo': [stage.vendor('one')] } })
  })
  after(async () => await gateway.close())

  interface Leaving {
    readonly key: string
    readonly headers?: Record<string, string>
    readonly path?: string
  }

  /** Sends a call, and resets its connection once `seen` was received. Resolves when the gateway has noticed. */
  const leave = async (text: string, seen: string, { key, headers = {}, path = ECHO }: Leaving): Promise<void> => {
    const body = JSON.stringify(path === ECHO ? { text } : { capability: 'test.echo', params: { text } })
    const sent = request(gateway.url + path, {
      method: 'POST',
      agent: false,
      headers: { ...EVENTS, authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    })
    let received = ''
    sent.on('error', () => undefined)
    sent.on('response', (incoming) => {
      incoming.on('error', () => undefined)
      incoming.on('data', (chunk: Buffer) => (received += chunk.toString()))
    })
    sent.end(body)
    await until(() => received.includes(seen) && stage.waiting === 1)
    const open = (): Promise<number> =>
      new Promise((resolve, reject) => gateway.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))))
    sent.destroy()
    await until(async () => (await open()) === 0)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const idle = async (account: string): Promise<void> => {
    await until(async () => gateway.app.running() === 0 && (await gateway.money(account)).held === 0)
  }
  const last = async (key: string): Promise<Record<string, unknown> | undefined> =>
    (await gateway.send('/v1/calls?limit=1', { key })).json<{ calls: Record<string, unknown>[] }>().calls[0]

  it('makes the call final: a caller who leaves with it pays, and the work runs to its end', async () => {
    const { id, key } = await gateway.newAccount(10)
    await leave('part wait', 'first of part wait', { key })
    expect(stage.aborted).not.to.include('part wait')
    stage.release()
    await idle(id)
    expect((await gateway.money(id)).balance).to.equal(9)
    expect(await last(key)).to.deep.include({ status: 200, success: true, error_type: null, credits_used: 1, aborted: true })
  })

  it('makes it final through /v1/agent as well', async () => {
    const { id, key } = await gateway.newAccount(10)
    await leave('part agent wait', 'first of part', { key, path: '/v1/agent' })
    stage.release()
    await idle(id)
    expect((await gateway.money(id)).balance).to.equal(9)
  })

  it('under an Idempotency-Key is charged once, and the repeated request gets the whole result', async () => {
    const { id, key } = await gateway.newAccount(10)
    const headers = { 'idempotency-key': 'part' }
    await leave('part kept wait', 'first of part', { key, headers })
    stage.release()
    await idle(id)
    const replay = await gateway.send(ECHO, { body: { text: 'part kept wait' }, key, headers })
    expect(replay.headers).to.include({ 'idempotent-replayed': 'true' })
    expect((await gateway.money(id)).balance).to.equal(9)
  })

  it('is paid for when the caller reads it and not the rest of a long answer', async () => {
    const { id, key } = await gateway.newAccount(10)
    const body = JSON.stringify({ text: 'part wide' })
    const sent = request(gateway.url + ECHO, {
      method: 'POST',
      agent: false,
      headers: { ...EVENTS, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    sent.on('error', () => undefined)
    const first = new Promise<string>((resolve) =>
      sent.on('response', (incoming) => {
        incoming.on('error', () => undefined)
        incoming.once('data', (chunk: Buffer) => {
          incoming.pause()
          resolve(chunk.toString())
        })
      }),
    )
    sent.end(body)
    expect(await first).to.contain('first of part wide')
    await until(async () => (await gateway.money(id)).balance === 9)
    sent.destroy()
    await until(() => gateway.app.services.refunds.unsettled === 0)
    await idle(id)
    expect((await gateway.money(id)).balance).to.equal(9)
  })

  it('is not sent to callers that did not request events: leaving then ends the work and costs nothing', async () => {
    const { id, key } = await gateway.newAccount(10)
    const body = JSON.stringify({ text: 'part unseen wait' })
    const sent = request(gateway.url + ECHO, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    sent.on('error', () => undefined)
    sent.end(body)
    await stage.until(() => stage.waiting === 1)
    sent.destroy()
    await stage.until(() => stage.aborted.includes('part unseen wait'))
    await idle(id)
    expect((await gateway.money(id)).balance).to.equal(10)
  })

  it('is free when the call fails afterwards, and such calls count as given up', async () => {
    const { id, key } = await gateway.newAccount(10)
    for (let round = 0; round < 21; round++) {
      stage.failNext = new Fault('busy', 'No room for the files.')
      const sent = gateway.send(ECHO, { body: { text: `part ${String(round)} wait` }, key, headers: EVENTS })
      await stage.until(() => stage.waiting === 1)
      stage.release()
      expect((await sent).text)
        .to.contain('first of part')
        .and.contain('"success":false')
      // A provider that fails is suspended, which is another subject.
      gateway.app.services.suspensions.resume('test.echo/one')
    }
    await idle(id)
    expect((await gateway.money(id)).balance).to.equal(10)
    expectProblem(await gateway.send(ECHO, { body: { text: 'hi' }, key }), 'rate-limited')
  })
})
