import { expect } from 'chai'
import { SUSPENSION_TIMES, Suspensions } from '../../../core/dispatch/suspension.js'
import type { FaultKind } from '../../../core/sdk/index.js'
import { logInto, type LogLine } from '../../support/log-lines.js'
import { HandClock } from '../../support/outbound.js'
import { Fault } from '../../support/test-plugin.js'
import { settle } from '../../support/unit.js'

const ID = 'port/vendor'

type Check = () => Promise<string | null>

/** Suspensions of a gateway with two enabled accounts. */
function parts() {
  const clock = new HandClock()
  const logs: LogLine[] = []
  let enabled = 2
  const suspensions = new Suspensions(clock, SUSPENSION_TIMES, logInto(logs), () => Promise.resolve(enabled))
  const enable = (accounts: number): void => void (enabled = accounts)
  const fail = (account: string, check: Check, kind: FaultKind = 'broken'): void =>
    suspensions.failed(ID, new Fault(kind, `it was ${kind}`), { started: clock.monotonic(), local: { account, check } })
  /** How long it is suspended, by checks at every relevant millisecond boundary. */
  const outFor = (ms: number): void => {
    clock.advance(ms - 1)
    expect(suspensions.admit(ID), `after ${ms - 1} ms`).to.equal('suspended')
    clock.advance(1)
    expect(suspensions.admit(ID), `after ${ms} ms`).to.equal('probe')
  }
  return { clock, suspensions, fail, outFor, enable, logs }
}

describe('A7 suspension of a program of this machine', () => {
  /** Failing calls of an account, each followed by whatever runs behind it; what the self-check finds, and how often it was run. */
  function program() {
    const kit = parts()
    const state = { found: null as string | null, checks: 0 }
    const check = (): Promise<string | null> => {
      state.checks++
      return Promise.resolve(state.found)
    }
    const failing = async (account: string, times = 1, kind: FaultKind = 'broken'): Promise<void> => {
      for (let count = 0; count < times; count++) {
        kit.fail(account, check, kind)
        await settle()
      }
    }
    return { ...kit, state, failing }
  }

  it('one account cannot take it out, whatever its files do and however often', async () => {
    const { suspensions, failing, state } = program()
    state.found = 'it does not start'
    for (const kind of ['broken', 'quota', 'credentials'] as const) await failing('one', 30, kind)
    expect(suspensions.admit(ID)).to.equal('go')
    expect(state.checks).to.equal(0)
  })

  it('two accounts cannot either while its self-check passes, which is not run again for half a minute', async () => {
    const { clock, suspensions, failing, state, logs } = program()
    for (let count = 0; count < 20; count++) await failing(count % 2 === 0 ? 'one' : 'two')
    expect(suspensions.admit(ID)).to.equal('go')
    expect(state.checks).to.equal(1)
    expect(logs.map(({ event }) => event)).to.eql(['provider-works'])
    clock.advance(30_000)
    await failing('one', 5)
    await failing('two', 5)
    expect(state.checks).to.equal(2)
    expect(suspensions.admit(ID)).to.equal('go')
  })

  it('failures of two accounts take it out when its self-check fails, whose finding is the reason', async () => {
    const { suspensions, failing, state, outFor } = program()
    state.found = 'it does not start'
    await failing('one', 4)
    expect(suspensions.admit(ID)).to.equal('go')
    await failing('two')
    expect(suspensions.list()[0]).to.include({ id: ID, why: 'it does not start' })
    outFor(30_000)
  })

  it('with a single enabled account its self-check alone decides', async () => {
    const { suspensions, failing, state, enable } = program()
    enable(1)
    await failing('one', 5)
    expect(suspensions.admit(ID)).to.equal('go')
    expect(state.checks).to.equal(1)
    const other = program()
    other.enable(1)
    other.state.found = 'gone'
    await other.failing('one', 5)
    expect(other.suspensions.admit(ID)).to.equal('suspended')
  })

  it('a probe that fails on a file brings it back when its self-check passes, and doubles the time when not', async () => {
    const { clock, suspensions, failing, state, outFor } = program()
    state.found = 'gone'
    await failing('one', 4)
    await failing('two')
    outFor(30_000)
    await failing('one')
    outFor(60_000)
    state.found = null
    await failing('one')
    expect(suspensions.admit(ID)).to.equal('go')
    expect(suspensions.list()).to.eql([])
    clock.advance(1)
    await failing('one', 20)
    expect(suspensions.admit(ID)).to.equal('go')
  })

  it('calls of one account that all run into their limit do not take it out', async () => {
    const { clock, suspensions, state } = program()
    const timedOut = async (account: string): Promise<void> => {
      const check = (): Promise<string | null> => Promise.resolve(++state.checks > 0 ? 'hangs' : null)
      const fault = new Fault('busy', 'too long')
      suspensions.timedOut(ID, fault, { started: clock.monotonic(), conclusive: false, local: { account, check } })
      await settle()
    }
    for (let count = 0; count < 30; count++) await timedOut('one')
    expect(suspensions.admit(ID)).to.equal('go')
    await timedOut('two')
    expect(suspensions.admit(ID)).to.equal('suspended')
  })

  it('a change while its self-check runs is kept: an operator who resumes it, one who takes it out', async () => {
    for (const how of ['resume', 'suspend'] as const) {
      const { suspensions, fail, clock } = parts()
      let end: (found: string) => void = () => undefined
      const check = (): Promise<string> => new Promise((resolve) => (end = resolve))
      for (const account of ['one', 'one', 'one', 'two', 'two']) fail(account, check)
      await settle()
      clock.advance(1)
      if (how === 'resume') suspensions.resume(ID)
      else suspensions.suspend(ID, 'by hand')
      end('gone')
      await settle()
      expect(suspensions.list().map(({ why }) => why)).to.eql(how === 'resume' ? [] : ['by hand'])
    }
  })

  it('a self-check that cannot be run, or accounts that cannot be counted, take nothing out, and the log says so', async () => {
    const { suspensions, fail, logs } = parts()
    const check = (): Promise<string> => Promise.reject(new Error('no sandbox'))
    for (const account of ['one', 'one', 'one', 'two', 'two']) fail(account, check)
    await settle()
    expect(suspensions.admit(ID)).to.equal('go')
    expect(logs.map(({ event }) => event)).to.eql(['provider-check-failed'])
  })
})
