import { expect } from 'chai'
import { CallContext } from '../../../core/dispatch/context.js'
import { Stopped } from '../../../core/problems/errors.js'
import { Metrics } from '../../../core/telemetry/metrics.js'
import { Fault, provider, vendor, type ProviderContext } from '../../../core/sdk/index.js'
import { nameServer } from '../../../core/sdk/testkit/dns-zones.js'
import { faultOf, outboundKit } from '../../support/outbound.js'
import { echo, loadedProvider } from '../../support/test-plugin.js'
import { WaitedClock } from '../../support/job-vendor.js'
import { bench, errorOf, settle } from '../../support/unit.js'

type Run = (context: ProviderContext) => Promise<{ text: string } | null>

describe('the services of a try', () => {
  function kitOf(run: Run, clock = new WaitedClock()) {
    const contribution = provider(echo, { vendor: vendor({ id: 'acme', title: 'Acme' }), run: (_input, context) => run(context) })
    const kit = bench({ more: [loadedProvider(contribution)] }, { clock })
    const call = kit.call()
    return { kit, clock, call, answer: kit.ask(call) }
  }
  const messages = (kit: ReturnType<typeof bench>): string[] => kit.logs.map(({ message }) => message)

  describe('clean-ups', () => {
    it('run once when the try ends, with a context of their own that lasts', async () => {
      const seen: unknown[] = []
      const { kit, call, answer } = kitOf((context) => {
        context.cleanUp(async (own) => {
          await settle()
          seen.push(own.signal.aborted, own.requestId, own.timeLeft())
        })
        return Promise.resolve({ text: 'x' })
      })
      await answer
      expect(seen).to.deep.equal([])
      await kit.environment.cleanUps.close()
      call.cancel.cancel('client-gone')
      expect(seen).to.deep.equal([false, 'req_1', 5_000])
    })

    it('do not run when they were withdrawn, and run each when there are several', async () => {
      const seen: string[] = []
      const { kit, answer } = kitOf((context) => {
        context.cleanUp(() => Promise.resolve(seen.push('one')))
        const withdraw = context.cleanUp(() => Promise.resolve(seen.push('two')))
        context.cleanUp(() => Promise.resolve(seen.push('three')))
        withdraw()
        withdraw()
        return Promise.reject(new Fault('missing', 'nothing'))
      })
      await errorOf(answer)
      await kit.environment.cleanUps.close()
      expect(seen).to.deep.equal(['one', 'three'])
    })

    it('are only logged when they fail, however they do', async () => {
      const { kit, answer } = kitOf((context) => {
        context.cleanUp(() => Promise.reject(new Error('late')))
        context.cleanUp(() => {
          throw new TypeError('at once')
        })
        return Promise.resolve({ text: 'x' })
      })
      expect((await answer).data).to.deep.equal({ text: 'x' })
      await kit.environment.cleanUps.close()
      expect(kit.logs.map(({ fields }) => fields.error)).to.deep.equal(['Error: late', 'TypeError: at once'])
    })

    it('get the time they request, at most 30 s', async () => {
      const left: number[] = []
      const { kit, answer } = kitOf((context) => {
        for (const timeoutMs of [100, 90_000]) context.cleanUp((own) => Promise.resolve(left.push(own.timeLeft())), { timeoutMs })
        return Promise.resolve({ text: 'x' })
      })
      await answer
      await kit.environment.cleanUps.close()
      expect(left).to.deep.equal([100, 30_000])
    })

    it('leave no further ones, put no files on the account and report nothing to the caller', async () => {
      const errors: unknown[] = []
      const { kit, call, answer } = kitOf((context) => {
        context.cleanUp(async (own) => {
          own.progress('cleaning')
          own.note('cleaned')
          try {
            own.cleanUp(() => Promise.resolve())
          } catch (error) {
            errors.push(error)
          }
          errors.push(await errorOf(own.files.put(Buffer.from('x'), { name: 'x' })))
        })
        return Promise.resolve({ text: 'x' })
      })
      const steps: unknown[] = []
      call.onProgress = (step) => void steps.push(step)
      await answer
      await kit.environment.cleanUps.close()
      expect(errors.map((error) => (error instanceof Error ? error.name : error))).to.deep.equal(['TypeError', 'Fault'])
      expect(Fault.is(errors[1])).to.equal(true)
      expect([steps, call.notes]).to.deep.equal([[], []])
    })

    it('begin at once when the try is over already, as after a request that came back too late', async () => {
      const seen: string[] = []
      const { kit, call, answer } = kitOf(async (context) => {
        await context.wait(1_000).catch(() => undefined)
        context.cleanUp(() => Promise.resolve(seen.push('done')))
        return null
      })
      await settle()
      call.cancel.cancel('client-gone')
      await errorOf(answer)
      await settle()
      await kit.environment.cleanUps.close()
      expect(seen).to.deep.equal(['done'])
    })

    it('begin no more once the gateway has closed, which is logged', async () => {
      const seen: string[] = []
      const { kit, clock, answer } = kitOf(async (context) => {
        context.cleanUp(() => Promise.resolve(seen.push('late')))
        await context.wait(10)
        return { text: 'x' }
      })
      await kit.environment.cleanUps.close()
      await clock.pass(10)
      await answer
      expect(seen).to.deep.equal([])
      expect(messages(kit)).to.deep.equal(['clean-up of a call skipped: the gateway has stopped'])
    })

    it('hold the plugins of their call', async () => {
      let holds = 0
      let finish: () => void = () => undefined
      const clock = new WaitedClock()
      const kit = bench({}, { clock })
      const call = kit.call()
      const registry = kit.registry
      const held = () => ({ registry, again: held, end: () => void holds-- })
      const environment = { ...kit.environment, begin: () => (holds++, held()) }
      const loaded = loadedProvider(provider(echo, { vendor: vendor({ id: 'acme', title: 'Acme' }), run: () => Promise.resolve(null) }))
      const context = new CallContext(environment, { call, cancel: call.cancel, depth: 0 }, loaded)
      context.cleanUp(() => new Promise<void>((resolve) => void (finish = resolve)))
      expect(holds).to.equal(0)
      call.cancel.cancel('client-gone')
      await settle()
      expect(holds).to.equal(1)
      finish()
      await kit.environment.cleanUps.close()
      expect(holds).to.equal(0)
    })
  })

  describe('waits', () => {
    it('last as long as given, by the clock of the gateway', async () => {
      const times: number[] = []
      const { clock, answer } = kitOf(async (context) => {
        for (const ms of [100, 20]) {
          await context.wait(ms)
          times.push(clock.monotonic())
        }
        return { text: 'x' }
      })
      await clock.pass(100)
      await clock.pass(20)
      await answer
      expect(times).to.deep.equal([100, 120])
    })

    it('end with the call', async () => {
      const ends: unknown[] = []
      const { call, answer } = kitOf(async (context) => {
        await context.wait(1_000).catch((error: unknown) => ends.push(error))
        await context.wait(1_000).catch((error: unknown) => ends.push(error))
        return null
      })
      await settle()
      call.cancel.cancel('client-gone')
      await errorOf(answer)
      await settle()
      expect(ends).to.have.length(2)
      for (const end of ends) expect(end).to.be.instanceOf(Stopped)
    })
  })

  describe('tokens', () => {
    it('are summed by vendor and model, also of a try that failed, and reported to the metrics', async () => {
      const { kit, call, answer } = kitOf((context) => {
        context.tokens({ model: 'small', input: 100, output: 5 })
        context.tokens({ model: 'large', input: 1, output: 0 })
        context.tokens({ model: 'small', input: 20, output: 1 })
        return Promise.reject(new Fault('missing', 'nothing'))
      })
      await errorOf(answer)
      expect(call.tokens.list).to.deep.equal([
        { provider: 'acme', model: 'small', input_tokens: 120, output_tokens: 6 },
        { provider: 'acme', model: 'large', input_tokens: 1, output_tokens: 0 },
      ])
      expect(kit.tokens).to.have.length(3)
    })

    it('that are no counts are logged and left out', async () => {
      const bad = [-1, 0.5, Number.NaN, Infinity, 2 ** 53]
      const { kit, call, answer } = kitOf((context) => {
        for (const count of bad) {
          context.tokens({ model: 'm', input: count, output: 0 })
          context.tokens({ model: 'm', input: 0, output: count })
        }
        return Promise.resolve({ text: 'x' })
      })
      await answer
      expect([call.tokens.list, kit.tokens]).to.deep.equal([[], []])
      expect(messages(kit).filter((message) => message.startsWith('the reported tokens'))).to.have.length(2 * bad.length)
    })

    it('of many models do not make an answer grow without end', async () => {
      const { call, answer } = kitOf((context) => {
        for (let model = 0; model < 1_000; model++) context.tokens({ model: `m${String(model)}`.repeat(1_000), input: 1, output: 1 })
        return Promise.resolve({ text: 'x' })
      })
      await answer
      expect(call.tokens.list).to.have.length(50)
      expect(call.tokens.list[0]?.model).to.have.length(200)
    })
  })

  describe('costs', () => {
    it('are counted by vendor and currency, and figures that are none are logged', async () => {
      const bad: [number, string][] = [
        [NaN, 'USD'],
        [-1, 'USD'],
        [Infinity, 'USD'],
        [1, 'usd '],
        [1, 'Dollars'],
        [1, ''],
        [1, 'x'.repeat(1_000)],
      ]
      const { kit, answer } = kitOf((context) => {
        context.cost(0.25, 'USD')
        context.cost(3, 'credits')
        for (const [amount, currency] of bad) context.cost(amount, currency)
        return Promise.resolve({ text: 'x' })
      })
      await answer
      expect(kit.costs).to.deep.equal([
        { vendor: 'acme', currency: 'USD', amount: 0.25 },
        { vendor: 'acme', currency: 'credits', amount: 3 },
      ])
      expect(kit.logs).to.have.length(bad.length)
      for (const { message } of kit.logs) expect(message.length).to.be.below(150)
    })

    it('are among the metrics', async () => {
      const none = (): { size: number } => ({ size: 0 })
      const metrics = new Metrics({
        callsInFlight: () => 0,
        suspended: () => 0,
        loopDelayMs: () => 0,
        deliveries: none,
        reversals: none,
        refunds: none,
        accountsAside: () => 0,
        logBytes: null,
        disks: () => [],
        faults: { logLinesDropped: () => 0, unownedErrors: () => ({ exception: 0, rejection: 0 }) },
        redisShared: null,
      })
      metrics.cost({ vendor: 'acme', currency: 'USD', amount: 0.5 })
      metrics.cost({ vendor: 'acme', currency: 'USD', amount: 0.25 })
      expect(await metrics.registry.metrics()).to.contain('capstan_vendor_cost_total{vendor="acme",currency="USD"} 0.75')
    })
  })

  describe('public addresses', () => {
    it('are looked up and checked: public ones come with their addresses', async () => {
      const names = await nameServer((name, type) => {
        if (type !== 'A') return []
        if (name === 'public.example') return [{ type: 'A', name, data: '93.184.215.14' }]
        if (name === 'inside.example') return [{ type: 'A', name, data: '10.0.0.1' }]
        if (name === 'mixed.example') return ['93.184.215.14', '127.0.0.1'].map((data) => ({ type: 'A' as const, name, data }))
        return null
      })
      const outbound = outboundKit({ dns: names.address })
      const kit = bench({})
      const call = kit.call(8_000)
      const context = new CallContext({ ...kit.environment, net: outbound.net }, { call, cancel: call.cancel, depth: -1 }, null)
      expect(await context.assertPublic('HTTPS://Public.example/a b?c#d')).to.deep.equal({
        url: 'https://public.example/a%20b?c#d',
        addresses: ['93.184.215.14'],
      })
      const refused = [
        'http://inside.example/',
        'http://mixed.example/',
        'http://127.0.0.1/',
        'http://[::1]/',
        'http://0x7f.1/',
        'http://169.254.169.254/latest',
        'http://metadata.google.internal/',
        'http://user:pass@public.example/',
        'http://public.example:22/',
        'file:///etc/passwd',
        'rtmp://public.example/',
        'not an address',
      ]
      for (const url of refused) expect((await faultOf(context.assertPublic(url))).kind, url).to.equal('blocked')
      expect((await faultOf(context.assertPublic('http://unknown.example/'))).kind).to.equal('missing')
      call.cancel.cancel('client-gone')
      expect((await faultOf(context.assertPublic('https://public.example/'))).kind).to.equal('blocked')
      await outbound.close()
      await names.close()
    })
  })
})
