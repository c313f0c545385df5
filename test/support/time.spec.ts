import { expect } from 'chai'
import type { Context } from 'mocha'
import sinon from 'sinon'
import { atMost, leastCpuOf, until } from './time.js'
import { errorOf } from './unit.js'

describe('test/support/time', () => {
  it('waits in real time for what comes about, also while a test has a clock of its own', async () => {
    const clock = sinon.useFakeTimers()
    try {
      let checks = 0
      expect(await until(() => ++checks === 120)).to.be.at.least(50)
    } finally {
      clock.restore()
    }
  })

  it('gives up, and says what it waited for', async () => {
    const never = { came: false }
    expect((await errorOf(until(() => never.came, 20))).message).to.match(/^not within 20 ms: .*never\.came$/)
  })

  it('the processor time of work is the least of five runs, and one run is enough that is below the limit', () => {
    const usage = sinon.stub(process, 'cpuUsage')
    const runs = (...ms: number[]): number => {
      let at = 0
      usage.callsFake((before) => ({ user: before === undefined ? 0 : (ms[at++] ?? 0) * 1000, system: 0 }))
      return leastCpuOf(20, () => undefined)
    }
    try {
      expect(runs(12, 3)).to.equal(12)
      expect(runs(24, 19, 3)).to.equal(19)
      expect(runs(29, 24, 31, 22, 25, 3), 'the sixth does not run').to.equal(22)
    } finally {
      usage.restore()
    }
  })

  it('a figure above its limit is a failure on a quiet machine and not measured on a busy one', async () => {
    const skipped: string[] = []
    const test = { title: 'a test' } as { title: string; skipReason?: string }
    const context = { test, currentTest: test, skip: () => skipped.push(test.skipReason ?? '') } as unknown as Context
    const figure = { what: 'an answer', value: 12, limit: 10 }
    const quiet = () => Promise.resolve(false)
    expect((await errorOf(atMost(context, figure, quiet))).message).to.equal('an answer: expected 12 to be at most 10')
    expect(skipped).to.deep.equal([])
    await atMost(context, { ...figure, value: 10 }, quiet)
    await errorOf(atMost(context, figure, () => Promise.resolve(true)))
    expect(skipped).to.deep.equal(['not measured: an answer: 12.0, with more running than the machine has processors'])
  })
})
