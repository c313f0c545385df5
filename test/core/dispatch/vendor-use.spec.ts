import { expect } from 'chai'
import type { RequestListener } from 'node:http'
import { systemClock } from '../../../core/runtime/clock.js'
import { CallVendorUse } from '../../../core/dispatch/call.js'
import type { LoadedProvider } from '../../../core/loader/types.js'
import type { VendorUse } from '../../../core/limits/unpaid.js'
import { provider, Type, vendor, type ProviderContext } from '../../../core/sdk/index.js'
import { httpServer } from '../../../core/sdk/testkit/servers.js'
import { echo, Fault, httpProvider, loadedProvider, type Behaviour } from '../../support/test-plugin.js'
import { bench, failing, saying, settle, silent } from '../../support/unit.js'

const NOTHING: VendorUse = { tokens: 0, calls: 0 }
const maker = vendor({ id: 'real', title: 'Real' })

/** What a call has used once it has ended unpaid. */
function usedOf({ vendorUse }: { readonly vendorUse: CallVendorUse }): VendorUse {
  let used = NOTHING
  vendorUse.unpaid(({ tokens, calls }) => void (used = { tokens: used.tokens + tokens, calls: used.calls + calls }))
  return used
}

/** What one try of a provider has used, against a server that answers so. */
async function usedAgainst(listener: RequestListener, made: (url: string) => LoadedProvider): Promise<VendorUse> {
  const server = await httpServer(listener)
  const kit = bench({ more: [made(server.url)] }, { clock: systemClock })
  try {
    const call = kit.call()
    await kit.ask(call).catch((error: unknown) => {
      if (!Fault.is(error)) throw error
    })
    return usedOf(call)
  } finally {
    await kit.close()
    await server.close()
  }
}

const answering =
  (status: number, body: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(body)

describe('A6 a call that its vendor charges for', () => {
  const declarative =
    (kind: LoadedProvider['kind'] = 'keyed') =>
    (baseUrl: string) =>
      loadedProvider(
        httpProvider(echo, {
          vendor: maker,
          request: () => ({ path: '/say' }),
          reply: Type.Object({ said: Type.String() }),
          map: ({ said }) => (said === '' ? null : { text: said }),
        }),
        { kind, baseUrl },
      )
  const running = (run: Behaviour) => (baseUrl: string) =>
    loadedProvider(provider(echo, { vendor: maker, run }), { kind: 'keyed', baseUrl })
  const callVendor = async (context: ProviderContext): Promise<string> =>
    (await context.api.json({ path: '/say' }, Type.Object({ said: Type.String() }))).said

  const cases: [string, number, RequestListener, (url: string) => LoadedProvider][] = [
    ['is one that it answered with a result', 1, answering(200, '{"said":"x"}'), declarative()],
    ['is one that it answered with nothing found', 1, answering(200, '{"said":""}'), declarative()],
    ['is none of a vendor without a key', 0, answering(200, '{"said":"x"}'), declarative('keyless')],
    ['is none of this machine', 0, answering(200, '{"said":"x"}'), declarative('local')],
    ['is none that it refused with 404', 0, answering(404, '{}'), declarative()],
    ['is none that it failed with 500', 0, answering(500, '{}'), declarative()],
    ['is none that it answered with what cannot be read', 0, answering(200, '[1]'), declarative()],
    [
      'is one that an adapter calls invalid after the reply',
      1,
      answering(200, '{"said":"x"}'),
      running(async (_, context) => {
        await callVendor(context)
        throw new Fault('invalid', 'not so')
      }),
    ],
    [
      'is one for a try, however many replies that takes',
      1,
      answering(200, '{"said":"x"}'),
      running(async (_, context) => {
        for (let turn = 0; turn < 3; turn++) await callVendor(context)
        return { text: 'x' }
      }),
    ],
    ['is none of a try that did not call its vendor', 0, answering(200, '{}'), running(failing('missing'))],
    [
      'is one that the vendor reported a cost of, whatever came then',
      1,
      answering(200, '{"said":"x"}'),
      running(async (_, context) => {
        await callVendor(context)
        context.cost(0.003, 'USD')
        throw new Fault('broken', 'no token')
      }),
    ],
    [
      'is none for a cost of 0',
      0,
      answering(500, '{}'),
      running(async (_, context) => {
        context.cost(0, 'USD')
        return { text: await callVendor(context) }
      }),
    ],
  ]
  for (const [title, calls, listener, made] of cases)
    it(title, async () => expect(await usedAgainst(listener, made)).to.deep.equal({ tokens: 0, calls }))

  it('is one whose vendor had replied when the call was stopped, and none whose vendor had not', async () => {
    const server = await httpServer(answering(200, '{"said":"job begun"}'))
    const used: number[] = []
    for (const isCalled of [true, false]) {
      let waits: () => void = () => undefined
      const waiting = new Promise<void>((resolve) => void (waits = resolve))
      const begun: Behaviour = async (_, context) => {
        if (isCalled) await callVendor(context)
        waits()
        return await new Promise(() => undefined)
      }
      const kit = bench({ more: [running(begun)(server.url)] }, { clock: systemClock })
      const call = kit.call()
      const answer = kit.ask(call).catch((error: unknown) => error)
      await waiting
      call.cancel.cancel('client-gone')
      await answer
      used.push(usedOf(call).calls)
      await kit.close()
    }
    await server.close()
    expect(used).to.deep.equal([1, 0])
  })

  it('counts estimated tokens, and shows them to nobody', async () => {
    const kit = bench({
      'test.echo': [
        {
          vendor: 'one',
          run: (_, context) => {
            context.tokens({ model: 'm', input: 9, output: 0, estimated: true })
            return Promise.resolve({ text: 'x' })
          },
        },
      ],
    })
    const call = kit.call()
    await kit.ask(call)
    expect([usedOf(call).tokens, call.tokens.list, kit.tokens]).to.deep.equal([9, [], []])
  })

  it('counts with the tokens that models reported, of all providers of a call', async () => {
    const tokens =
      (input: number, then: Behaviour): Behaviour =>
      (given, context) => {
        context.tokens({ model: 'm', input, output: 1 })
        return then(given, context)
      }
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: tokens(100, failing('missing')) },
        { vendor: 'two', run: tokens(20, saying('x')) },
      ],
    })
    const call = kit.call()
    await kit.ask(call)
    expect(usedOf(call)).to.deep.equal({ tokens: 122, calls: 0 })
  })

  it('counts also when its probe goes on behind a call that has ended without a charge', async () => {
    let behaviour: Behaviour = silent
    const kit = bench({
      'test.echo': [
        { vendor: 'slow', timeoutMs: 1_000, run: (input, context) => behaviour(input, context) },
        { vendor: 'two', run: saying('x') },
      ],
    })
    const first = kit.ask(kit.call(30_000))
    await settle()
    kit.clock.advance(1_000)
    await first
    kit.clock.advance(30_000)
    let end: () => void = () => undefined
    behaviour = async (_, context) => {
      await new Promise<void>((resolve) => void (end = resolve))
      context.tokens({ model: 'm', input: 7, output: 0 })
      return { text: 'late' }
    }
    const call = kit.call(30_000)
    const answer = kit.ask(call)
    await settle()
    kit.clock.advance(50)
    expect((await answer).provider).to.equal('two')
    const later: VendorUse[] = []
    call.vendorUse.unpaid((use) => void later.push(use))
    expect(later).to.deep.equal([])
    end()
    await settle()
    expect(later).to.deep.equal([{ tokens: 7, calls: 0 }])
  })
})
