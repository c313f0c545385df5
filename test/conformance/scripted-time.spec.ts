import { expect } from 'chai'
import { ScriptedTime } from '../../scripts/capstan/kit/conformance/scripted-time.js'
import { Fault } from '../../core/sdk/index.js'
import { cancelIn } from '../support/outbound.js'

const ALL_MS = 30_000

describe('conformance: the time of a fixture', () => {
  it('a limit of time does not win against work that is under way, however many turns that takes', async () => {
    const time = new ScriptedTime(cancelIn(ALL_MS))
    const inTurns = async (): Promise<string> => {
      for (let turn = 0; turn < 100; turn++) await Promise.resolve()
      return 'work'
    }
    const elsewhere = (): Promise<string> =>
      time.during(async () => {
        for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
        return 'work'
      })
    for (const work of [inTurns, elsewhere]) expect(await Promise.race([time.wait(5_000).then(() => 'limit'), work()])).to.equal('work')
  })

  it('waits that are side by side end in their order, and cost as much as the longest', async () => {
    const time = new ScriptedTime(cancelIn(ALL_MS))
    const ended: number[] = []
    await Promise.all([3_000, 1_000, 2_000].map((ms) => time.wait(ms).then(() => ended.push(ms))))
    expect(ended).to.deep.equal([1_000, 2_000, 3_000])
    expect(time.timeLeft()).to.be.within(ALL_MS - 4_000, ALL_MS - 3_000)
    await time.wait(1_000)
    expect(time.timeLeft()).to.be.at.most(ALL_MS - 4_000)
  })

  it('a wait beyond the end is a Fault', async () => {
    const time = new ScriptedTime(cancelIn(ALL_MS))
    await time.wait(20_000)
    const fault: unknown = await time.wait(20_000).catch((error: unknown) => error)
    expect(Fault.is(fault) && fault.kind).to.equal('busy')
  })
})
