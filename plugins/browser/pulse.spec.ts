import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import sinon from 'sinon'
import { watchPulse } from './pulse.js'
import type { Usage } from './usage.js'

describe('pulse of a browser', () => {
  let clock: sinon.SinonFakeTimers
  beforeEach(() => (clock = sinon.useFakeTimers()))
  afterEach(() => clock.restore())

  /** A browser that answers after so many milliseconds, and its processor usage. */
  function silent(answersAfter: number, usage: () => Usage | null): { result: () => boolean | null } {
    const session = { send: () => new Promise<void>((resolve) => clock.setTimeout(() => resolve(), answersAfter)) }
    const browser = { isConnected: () => true, newBrowserCDPSession: () => Promise.resolve(session) } as unknown as Browser
    let outcome: boolean | null = null
    void watchPulse({ browser, usage: () => Promise.resolve(usage()), gone: new Promise(() => undefined) }).then(
      (alive) => (outcome = alive),
    )
    return { result: () => outcome }
  }

  it('a browser that does nothing and does not answer is dead within a second', async () => {
    const { result } = silent(60_000, () => ({ gotMs: 10, runnable: false }))
    await clock.tickAsync(1_000)
    expect(result()).to.equal(false)
  })

  it('a browser that runs all the time and does not answer is dead within a second', async () => {
    const { result } = silent(60_000, () => ({ gotMs: performance.now(), runnable: true }))
    await clock.tickAsync(1_000)
    expect(result()).to.equal(false)
  })

  it('a browser that waits for a processor is not dead: what counts is the processor time it got', async () => {
    const { result } = silent(5_000, () => ({ gotMs: performance.now() / 20, runnable: true }))
    await clock.tickAsync(30_000)
    expect(result()).to.equal(null)
  })

  it('a browser that never gets a processor is given up after fifteen seconds', async () => {
    const { result } = silent(60_000, () => ({ gotMs: 0, runnable: true }))
    await clock.tickAsync(14_000)
    expect(result()).to.equal(null)
    await clock.tickAsync(2_000)
    expect(result()).to.equal(false)
  })

  it('time in which this process stood still does not count', async () => {
    const { result } = silent(20_000, () => null)
    await clock.tickAsync(50)
    clock.jump(10_000)
    await clock.tickAsync(300)
    expect(result()).to.equal(null)
  })
})
