import { expect } from 'chai'
import type { Envelope } from '../../../core/calls/envelope.js'
import { startGateway, type Reply, type TestGateway } from '../../support/gateway.js'
import { needs } from '../../support/exec-sandbox.js'
import { OpenApiChecker } from '../../support/openapi.js'
import { expectHeaders } from '../../support/problem.js'
import { SHIPPED_CALLS } from '../../support/shipped/calls.js'
import { ShippedWorld } from '../../support/shipped/world.js'

/** `npm test` reads every third as events. */
const ALL = process.env['CAPSTAN_TEST_LONG'] === 'all'

/** Each capability as it is shipped, with every server that it calls on loopback: what it answers when it succeeds. */
describe('every shipped capability answers over HTTP', function () {
  this.timeout(120_000)
  let world: ShippedWorld
  before(async () => {
    world = await ShippedWorld.start()
  })
  after(async () => await world?.close())

  for (const sources of ['free', 'gated'] as const)
    describe(sources === 'free' ? 'without any vendor account' : 'by one vendor or server each', () => {
      let gateway: TestGateway
      let checker: OpenApiChecker
      before(async () => {
        gateway = await startGateway(world.options(sources))
        checker = await OpenApiChecker.of(gateway)
      })
      after(async () => await gateway?.close())
      const expectAnswer = (path: string, reply: Reply): void => {
        expect(reply.status, reply.text).to.equal(200)
        expectHeaders(reply)
        expect(checker.faults('POST', path, reply)).to.deep.equal([])
        expect(reply.json()).to.include({ success: true, error: null })
        expect(Number(reply.headers['x-credits-used'])).to.be.above(0)
      }

      it('those of the table are loaded, and all are live', () => {
        const registry = gateway.app.services.registry()
        const ids = [...registry.capabilities.keys()]
        expect(ids).to.include.members(Object.keys(SHIPPED_CALLS))
        expect(ids.filter((id) => !registry.liveness(id).live)).to.deep.equal([])
      })

      for (const [id, call] of Object.entries(SHIPPED_CALLS))
        it(id, async function () {
          if (sources === 'free' && call.tool !== undefined) needs(this, call.tool)
          const { path } = gateway.app.services.registry().capabilities.get(id)?.capability ?? expect.fail(`${id} is not loaded`)
          const before = world.gate.requests.length
          const reply = await gateway.post(path, call[sources](world, 0))
          expectAnswer(path, reply)
          if (sources === 'gated') expect(world.gate.requests.length, 'requests behind the gate').to.be.above(before)
        })

      it('those without a row in the table answer their examples, and request nothing outside', async () => {
        for (const { capability } of gateway.app.services.registry().capabilities.values()) {
          if (SHIPPED_CALLS[capability.id] !== undefined) continue
          const asked = world.gate.requests.length
          for (const { params } of capability.examples) {
            const reply = await gateway.post(capability.path, params)
            expectAnswer(capability.path, reply)
            const { credits } = (await gateway.post('/v1/estimate', { capability: capability.id, params })).json<{ credits: number }>()
            expect(reply.json().credits_used, capability.id).to.equal(credits)
          }
          expect(world.gate.requests.length, `${capability.id} reaches out: give it a row in SHIPPED_CALLS`).to.equal(asked)
        }
      })

      if (sources === 'gated')
        it('as events too: the same envelope as the last of them, and the credits as a trailer', async () => {
          for (const [id, call] of Object.entries(SHIPPED_CALLS).filter((_, at) => ALL || at % 3 === 0)) {
            const { path } = gateway.app.services.registry().capabilities.get(id)?.capability ?? expect.fail(`${id} is not loaded`)
            const reply = await gateway.post(path, call.gated(world, 1), { accept: 'text/event-stream' })
            expectHeaders(reply)
            const last = reply.text.trimEnd().split('\n\n').at(-1) ?? ''
            expect(last, id).to.match(/^event: result\n/)
            const envelope = JSON.parse(/^data: (.*)$/m.exec(last)?.[1] ?? 'null') as Envelope
            expect(envelope, id).to.include({ success: true, error: null })
            expect(reply.trailers['x-credits-used'], id).to.equal(String(envelope.credits_used))
            expect(checker.faults('POST', path, asJson(reply, envelope))).to.deep.equal([])
          }
        })
    })
})

/** The answer that would have come without events. */
function asJson(reply: Reply, envelope: Envelope): Reply {
  const text = JSON.stringify(envelope)
  return { ...reply, headers: { ...reply.headers, 'content-type': 'application/json' }, text, json: <T>() => JSON.parse(text) as T }
}
