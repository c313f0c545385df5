import { expect } from 'chai'
import { verdict } from '../../scripts/bench/open.js'
import { openLoop, quantile, type LoadTime } from '../../scripts/open-loop.js'

/** Time that passes when somebody waits, and when the test says so. */
class ByHand implements LoadTime {
  #now = 0
  readonly now = (): number => this.#now
  readonly pause = (ms: number): Promise<void> => {
    this.#now += ms
    return Promise.resolve()
  }
  readonly stall = (ms: number): void => void (this.#now += ms)
}

describe('an open loop', () => {
  it('sends all calls at their moments although none is answered before the last is sent', async () => {
    const time = new ByHand()
    const sent: { scheduled: number; at: number; turn: number }[] = []
    let answer: () => void = () => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    await openLoop({ perSecond: 100, seconds: 2, time }, async (scheduled, turn) => {
      sent.push({ scheduled, at: time.now(), turn })
      if (sent.length === 200) answer()
      await answered
    })
    expect(sent.map(({ turn }) => turn)).to.deep.equal(Array.from({ length: 200 }, (_, index) => index))
    for (const { scheduled, at, turn } of sent) {
      expect(scheduled).to.equal(turn * 10)
      expect(at - scheduled).to.be.within(0, 1)
    }
  })

  it('a sender that was held up catches up, and what its calls waited for is in their latency', async () => {
    const time = new ByHand()
    const latencies: number[] = []
    await openLoop({ perSecond: 100, seconds: 1, time }, (scheduled, turn) => {
      latencies.push(time.now() - scheduled)
      if (turn === 49) time.stall(200)
      return Promise.resolve()
    })
    expect(latencies).to.have.length(100)
    expect(latencies.slice(50, 70).every((late, index) => late >= 190 - index * 10)).to.equal(true)
    expect(Math.max(...latencies.slice(71))).to.be.below(2)
  })

  it('a call that fails fails the load', async () => {
    const failing = openLoop({ perSecond: 10, seconds: 1, time: new ByHand() }, () => Promise.reject(new Error('no request')))
    expect(await failing.then(String, String)).to.equal('Error: no request')
  })

  it('the quantile of a part is the value up to which it goes', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect([quantile(values, 0.5), quantile(values, 0.99), quantile([7], 0.99), quantile([], 0.5)]).to.deep.equal([51, 100, 7, 0])
  })

  it('the best round is the one with the smallest p99, and one with failed calls is none', () => {
    const good = { p50: 2, p99: 11, failures: 0 }
    expect(verdict([{ p50: 1, p99: 20, failures: 0 }, good, { p50: 1, p99: 5, failures: 1 }])).to.match(
      /^reached.*p50 is 2\.00.*p99 11\.00/,
    )
    expect(verdict([{ ...good, p50: 3.1 }])).to.match(/^missed/)
    expect(verdict([{ ...good, p99: 12.1 }])).to.match(/^missed/)
    expect(verdict([{ ...good, failures: 1 }])).to.equal('missed: calls failed in every round')
  })
})
