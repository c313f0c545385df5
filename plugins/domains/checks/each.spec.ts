import { expect } from 'chai'
import { useFakeTimers, type SinonFakeTimers } from 'sinon'
import type { Services } from '../../../core/sdk/index.js'
import type { Availability } from '../contract.js'
import { eachDomain } from './each.js'

const BUDGET_MS = 6_000
/** Every timer of a busy machine is late by this. */
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
    log: () => undefined,
    wait: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms + LATE_MS)),
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
