import { expect } from 'chai'
import { watch } from '../../../core/exec/watchdog.js'
import { HandClock } from '../../support/outbound.js'

const LIMIT = 128

describe('core/exec watchdog', () => {
  /** How often it was called back after so many ticks, for measurements that follow one another; the last one stays. */
  async function over(amounts: readonly (number | null | Error)[], ticks = 20): Promise<number> {
    const clock = new HandClock()
    const left = [...amounts]
    let calls = 0
    const measure = (): Promise<number | null> => {
      const amount = left.length > 1 ? left.shift() : left[0]
      return amount instanceof Error ? Promise.reject(amount) : Promise.resolve(amount ?? null)
    }
    const stop = watch(clock, measure, LIMIT, () => calls++)
    for (let tick = 0; tick < ticks; tick++) {
      clock.advance(20)
      await new Promise((resolve) => setImmediate(resolve))
    }
    stop()
    return calls
  }

  it('T-45 calls back once when two measurements, one behind the other, pass the limit', async () => {
    expect(await over([10, 137])).to.equal(1)
  })

  it('T-45 lets a count pass that is too high only once, as when more processes map a page while they are read', async () => {
    expect(await over([10, 137, 60])).to.equal(0)
    expect(await over([137, 60, 137, 60, 60])).to.equal(0)
  })

  it('takes nothing to count, and a job that ends while it is measured, as not over the limit', async () => {
    expect(await over([137, null])).to.equal(0)
    expect(await over([137, new Error('gone'), 60])).to.equal(0)
    expect(await over([new Error('gone'), 137])).to.equal(1)
  })
})
