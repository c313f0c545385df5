import { expect } from 'chai'
import { useFakeTimers, type SinonFakeTimers } from 'sinon'
import { Fault, type Services } from '../../../core/sdk/index.js'
import type { Availability } from '../contract.js'
import { eachDomain } from './each.js'

const BUDGET_MS = 6_000
/** Tolerance for late timers on a busy machine. */
const LATE_MS = 400
const known = (domain: string): Availability => ({
  domain,
  status: 'registered',
  verified: true,
  premium: null,
  early_access: null,
  price: null,
})

describe('domains: many domains within a time', () => {
  let clock: SinonFakeTimers
  beforeEach(() => (clock = useFakeTimers({ toFake: ['setTimeout', 'performance'] })))
  afterEach(() => clock.restore())

  const context = {
    signal: new AbortController().signal,
    progress: () => undefined,
    partialResult: () => undefined,
    log: () => undefined,
    wait: (ms: number) => new Promise<void>((resolve) => clock.setTimeout(() => resolve(), ms + LATE_MS)),
  } as unknown as Services

  it('ends when the time is over by the clock, however late each timer is', async () => {
    const began = performance.now()
    const asking = eachDomain(['quick.test', 'slow.test'], context, {
      budgetMs: BUDGET_MS,
      atOnce: 2,
      ask: (domain) => (domain === 'quick.test' ? Promise.resolve(known(domain)) : new Promise(() => undefined)),
    }).then((found) => ({ found, tookMs: performance.now() - began }))
    await clock.tickAsync(60_000)
    const { found, tookMs } = await asking
    expect(found?.domains.map(({ domain }) => domain)).to.deep.equal(['quick.test'])
    expect(tookMs).to.be.at.most(BUDGET_MS + LATE_MS)
  })

  it('ends with the last answer, without waiting', async () => {
    const found = await eachDomain(['a.test', 'b.test'], context, {
      budgetMs: BUDGET_MS,
      atOnce: 1,
      ask: (domain) => Promise.resolve(domain === 'b.test' ? known(domain) : null),
    })
    expect(found?.domains).to.have.length(1)
  })
})

describe('domains: several at once within a time', () => {
  const run = async (ask: (domain: string) => Promise<Availability | null>, domains = ['a.com', 'b.com', 'c.com']) => {
    const reported: string[] = []
    const parts: string[] = []
    let waited = 0
    const context = {
      signal: new AbortController().signal,
      progress: (_: string, detail: string) => void reported.push(detail),
      partialResult: (_: string, detail: string) => (reported.push(detail), void parts.push(detail)),
      log: () => undefined,
      // Time passes when nothing else is pending.
      wait: async (ms: number) => {
        await new Promise((resolve) => setImmediate(resolve))
        waited += ms
      },
    } as unknown as Services
    const found = await eachDomain(domains, context, { budgetMs: 1_000, atOnce: 2, ask })
    return { domains: found?.domains.map(({ domain }) => domain) ?? null, reported, parts, waited }
  }

  it('one that hangs is left out when the time is over, and the others stay', async () => {
    const { domains, waited } = await run((domain) => (domain === 'a.com' ? new Promise(() => undefined) : Promise.resolve(known(domain))))
    expect([domains, waited]).to.deep.equal([['b.com', 'c.com'], 1_000])
  })

  it('the order is that of the question, and each is reported when it arrives', async () => {
    const { domains, reported, parts } = await run((domain) => Promise.resolve(domain === 'b.com' ? null : known(domain)))
    expect(parts.sort(), 'A4 a known status is a part of the result').to.deep.equal(['a.com: registered', 'c.com: registered'])
    expect(domains).to.deep.equal(['a.com', 'c.com'])
    expect(reported.sort()).to.deep.equal(['a.com: registered', 'b.com: unknown', 'c.com: registered'])
  })

  it('one that fails is unknown where another is known; where nothing is, what failed is reported, and what is missing is null', async () => {
    const failing = async (...kinds: readonly ('busy' | 'credentials' | 'missing')[]) => {
      const left = [...kinds]
      const outcome = run(() => Promise.reject(new Fault(left.shift() ?? 'missing', 'no')))
      return await outcome.then(
        ({ domains }) => domains,
        (error: unknown) => Fault.is(error) && error.kind,
      )
    }
    expect(await failing('busy')).to.equal('busy')
    expect(await failing('missing', 'busy')).to.equal('busy')
    expect(await failing('busy', 'credentials')).to.equal('credentials')
    expect(await failing()).to.equal(null)
    expect(
      (await run((domain) => (domain === 'a.com' ? Promise.reject(new Fault('busy', 'no')) : Promise.resolve(known(domain))))).domains,
    ).to.deep.equal(['b.com', 'c.com'])
  })

  it('what is no Fault is not hidden', async () => {
    const error = await run(() => Promise.reject(new TypeError('a mistake'))).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(TypeError)
  })
})
