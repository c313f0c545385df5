import { expect } from 'chai'
import { request } from 'node:http'
import sinon from 'sinon'
import type { Entry } from '../../../core/store/types.js'
import { startGateway, type Reply, type TestGateway } from '../../support/gateway.js'
import { HandClock } from '../../support/outbound.js'
import { expectHeaders, expectProblem } from '../../support/problem.js'
import { eventually } from '../../support/replicas.js'
import { SHIPPED_CALLS, type Params } from '../../support/shipped/calls.js'
import { ShippedWorld } from '../../support/shipped/world.js'

/** A hold outlives the limit of its call by this. */
const GRACE_MS = 30_000
const PAUSE_MS = 3_600_000

interface Listed {
  readonly id: string
  readonly price: Readonly<Record<string, number>>
}

/** The money of each capability as it is shipped, whose one vendor, model, registry or site answers, fails or waits as the test says. */
describe('the money of every shipped capability', function () {
  this.timeout(60_000)
  const clock = new HandClock()
  let world: ShippedWorld
  let gateway: TestGateway
  let key: string
  let number = 0
  before(async () => {
    world = await ShippedWorld.start()
    gateway = await startGateway({ ...world.options('gated'), overrides: { clock } })
    await gateway.admin('POST', '/admin/v1/accounts/default/grants', { amount: 100_000, ref: 'for the test' })
    key = (await gateway.newKey()).key
  })
  after(async () => {
    world?.gate.be('answers')
    await gateway?.close()
    await world?.close()
  })
  afterEach(() => {
    world.gate.be('answers')
    // Whoever paused a server or a vendor for what it did is over it.
    clock.advance(PAUSE_MS)
  })

  const idle = (): Promise<void> =>
    eventually(async () => gateway.app.running() === 0 && (await gateway.money()).held === 0, 'the end of the calls')
  const entries = async (): Promise<readonly Entry[]> =>
    await gateway.app.services.store.ledger.entries({ account: 'default', limit: 100_000 })
  const lastCall = async (): Promise<Record<string, unknown>> =>
    (await gateway.send('/v1/calls?limit=1', { key })).json<{ calls: Record<string, unknown>[] }>().calls[0] ?? {}

  it('the capabilities of the table are loaded', () => {
    expect([...gateway.app.services.registry().capabilities.keys()]).to.include.members(Object.keys(SHIPPED_CALLS))
  })

  for (const [id, shipped] of Object.entries(SHIPPED_CALLS))
    describe(id, () => {
      let path: string
      /** It acts on the world, and is never stopped nor tried again once its request has left. */
      let acts: boolean
      before(() => {
        const { capability } = gateway.app.services.registry().capabilities.get(id) ?? expect.fail(`${id} is not loaded`)
        path = capability.path
        acts = capability.once === true
      })
      /** An input that was not used before. */
      const question = (): Params => shipped.gated(world, ++number)
      const call = (body: Params, headers: Record<string, string> = {}, as = key): Promise<Reply> =>
        gateway.send(path, { method: 'POST', body, key: as, headers })
      const price = async (body: Params): Promise<number> => {
        const reply = await gateway.send('/v1/estimate', { body: { capability: id, params: body }, key })
        return reply.json<{ credits: number }>().credits
      }
      /** What GET /v1/capabilities says that this mode costs, with the add-ons that the parameters choose (`parameter=value`). */
      const listed = async (mode: string | null, body: Params): Promise<number> => {
        const { capabilities } = (await gateway.send('/v1/capabilities', { key: null })).json<{ capabilities: Listed[] }>()
        const prices = capabilities.find((each) => each.id === id)?.price ?? {}
        const chosen = Object.entries(body).flatMap(([name, value]) => prices[`${name}=${String(value)}`] ?? [])
        return ((mode === null ? Object.values(prices)[0] : prices[mode]) ?? 0) + chosen.reduce((sum, credits) => sum + credits, 0)
      }
      /** Sends a call and cuts its connection once the server behind the gate has its request. */
      const cut = async (body: Params, headers: Record<string, string> = {}): Promise<void> => {
        world.gate.be('waits')
        const text = JSON.stringify(body)
        const length = Buffer.byteLength(text)
        const authorization = `Bearer ${key}`
        const sent = request(gateway.url + path, {
          method: 'POST',
          agent: false,
          headers: { authorization, 'content-type': 'application/json', 'content-length': length, ...headers },
        })
        sent.on('error', () => undefined)
        sent.end(text)
        await world.gate.until(() => world.gate.waiting > 0)
        sent.destroy()
      }

      it('an answer costs what its estimate and the price list say, in the header, the body, the balance and one entry', async () => {
        const body = question()
        const credits = await price(body)
        const [before, written] = [await gateway.money(), (await entries()).length]
        const reply = await call(body)
        expect(reply.status, reply.text).to.equal(200)
        expectHeaders(reply)
        expect([reply.json().credits_used, Number(reply.headers['x-credits-used'])]).to.deep.equal([credits, credits])
        expect(await listed(reply.json().metadata.mode_used, body), 'the price of the list').to.equal(credits)
        expect(await gateway.money()).to.deep.equal({ ...before, balance: before.balance - credits, available: before.available - credits })
        const [entry, ...more] = (await entries()).slice(written)
        expect(entry).to.include({ kind: 'charge', amount: -credits * 1000 })
        expect(more).to.deep.equal([])
        expect(await lastCall()).to.include({ status: 200, success: true, credits_used: credits })
      })

      for (const mood of ['fails', 'babbles'] as const)
        it(`costs nothing when all its vendors ${mood === 'fails' ? 'fail' : 'answer what is nothing'}`, async function () {
          // A page is what its site says.
          if (mood === 'babbles' && id === 'scrape') return
          const before = await gateway.money()
          world.gate.be(mood)
          const reply = await call(question())
          expect(reply.status, reply.text).to.be.oneOf([422, 502, 503])
          expectHeaders(reply)
          expect(reply.json()).to.include({ success: false, data: null, credits_used: 0 })
          expect(reply.headers['x-credits-used']).to.equal('0')
          expect(await gateway.money()).to.deep.equal(before)
        })

      it('one Idempotency-Key sent twice at once and once more is carried out once, answered alike and charged once', async () => {
        const [body, headers] = [question(), { 'idempotency-key': `${id} once` }]
        const [before, credits, requests] = [await gateway.money(), await price(body), world.gate.requests.length]
        world.gate.be('waits')
        const first = call(body, headers)
        await world.gate.until(() => world.gate.waiting > 0)
        expectProblem(await call(body, headers), 'idempotency-conflict', { retriable: true })
        world.gate.be('answers')
        const { status, text } = await first
        expect(status, text).to.equal(200)
        const seen = world.gate.requests.length
        const replay = await call(body, headers)
        expect([replay.text, replay.headers['idempotent-replayed']]).to.deep.equal([text, 'true'])
        expect(Number(replay.headers['x-credits-used'])).to.equal(credits)
        expect(world.gate.requests.length, 'the replay calls no vendor').to.equal(seen)
        expect(seen, 'the call itself did').to.be.above(requests)
        expect(expectProblem(await call(question(), headers), 'validation-failed').error?.detail).to.contain('Idempotency-Key')
        expect(await gateway.money()).to.deep.equal({ ...before, balance: before.balance - credits, available: before.available - credits })
      })

      it('a caller that hangs up during the work pays nothing, and the work is stopped, unless it acts on the world', async () => {
        const [before, body] = [await gateway.money(), question()]
        await cut(body)
        if (acts) {
          world.gate.be('answers')
          await idle()
          expect((await gateway.money()).balance).to.equal(before.balance - (await price(body)))
          expect(await lastCall()).to.include({ status: 200, success: true })
          return
        }
        await world.gate.until(() => world.gate.waiting === 0)
        await idle()
        expect(await gateway.money()).to.deep.equal(before)
        expect(await lastCall()).to.include({ status: 499, error_type: 'client-closed', credits_used: 0, aborted: true })
      })

      it('a caller that hangs up with an Idempotency-Key finds the answer later, charged once', async () => {
        const [body, headers] = [question(), { 'idempotency-key': `${id} later` }]
        const [before, credits] = [await gateway.money(), await price(body)]
        await cut(body, headers)
        world.gate.be('answers')
        await idle()
        const reply = await call(body, headers)
        expect([reply.status, reply.headers['idempotent-replayed']], reply.text).to.deep.equal([200, 'true'])
        expect(await gateway.money()).to.deep.equal({ ...before, balance: before.balance - credits, available: before.available - credits })
      })

      it('a deadline that passes ends the call for nothing', async () => {
        const before = await gateway.money()
        const hold = sinon.spy(gateway.app.services.store.ledger, 'hold')
        world.gate.be('waits')
        const running = call(question())
        await world.gate.until(() => world.gate.waiting > 0)
        hold.restore()
        const [{ deadline, now }] = hold.args[0] ?? expect.fail('nothing was held')
        clock.advance(deadline - now - GRACE_MS)
        expectProblem(await running, 'deadline-exceeded', acts ? { retriable: false } : {})
        await world.gate.until(() => world.gate.waiting === 0)
        await idle()
        expect(await gateway.money()).to.deep.equal(before)
      })

      it('a balance that is too small by a thousandth is 402, and no vendor is called', async () => {
        const body = question()
        const credits = await price(body)
        const { id: account, key: poor } = await gateway.newAccount(credits - 0.001)
        const requests = world.gate.requests.length
        expectProblem(await call(body, {}, poor), 'insufficient-credits')
        expect(world.gate.requests.length).to.equal(requests)
        expect(await gateway.money(account)).to.include({ balance: credits - 0.001, held: 0 })
      })
    })

  it('the books agree afterwards, and nothing is held', async () => {
    await idle()
    const report = (await gateway.admin('GET', '/admin/v1/ledger/check')).json<{ ok: boolean; problems: string[] }>()
    expect(report).to.deep.include({ ok: true, problems: [] })
    const all = await entries()
    expect(all.reduce((sum, { amount }) => sum + amount, 0)).to.equal((await gateway.money()).balance * 1000)
  })
})
