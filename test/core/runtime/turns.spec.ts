import { expect } from 'chai'
import { setImmediate as turn } from 'node:timers/promises'
import sinon from 'sinon'
import { Turns } from '../../../core/runtime/turns.js'

const ONE = '192.0.2.1'
const OTHER = '192.0.2.2'

describe('the work of connections', () => {
  let clock: sinon.SinonFakeTimers
  let turns: Turns
  let done: string[]
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
    turns = new Turns()
    done = []
  })
  afterEach(() => clock.restore())

  /** One and a half milliseconds of work. */
  const work = (address: string, name: string, then?: () => void): void =>
    turns.run(address, () => {
      done.push(name)
      clock.tick(1.5)
      then?.()
    })

  /** What each turn of the event loop did, until one did nothing more. */
  const eachTurn = async (): Promise<string[]> => {
    const found: string[] = []
    for (let idle = 0; idle < 3;) {
      const before = done.length
      await turn()
      if (done.length === before) idle++
      else found.push(done.slice(before).join())
    }
    return found
  }

  it('is done at once while a turn of the event loop has time, and for some milliseconds of each later turn', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) work(ONE, name)
    expect(done).to.deep.equal(['a', 'b'])
    expect(await eachTurn()).to.deep.equal(['c,d', 'e,f'])
    work(ONE, 'g')
    expect(done.at(-1)).to.equal('g')
  })

  it('of one address waits for as much of each other address, not for all that waits', async () => {
    for (let index = 0; index < 100; index++) work(ONE, `one ${index}`)
    work(OTHER, 'other 0', () => work(OTHER, 'other 1'))
    await eachTurn()
    expect(done.slice(2, 6)).to.deep.equal(['one 2', 'other 0', 'one 3', 'other 1'])
    expect(done).to.have.length(102)
  })

  it('of a kind with a pause leaves so many milliseconds between its turns', async () => {
    turns = new Turns(4)
    for (const name of ['a', 'b', 'c', 'd', 'e']) work(ONE, name)
    expect(done).to.deep.equal(['a', 'b'])
    expect(await eachTurn()).to.deep.equal([])
    clock.tick(1)
    expect(await eachTurn()).to.deep.equal(['c,d'])
    clock.tick(1)
    expect(await eachTurn()).to.deep.equal(['e'])
  })

  it('is begun in each turn, however long a piece takes', async () => {
    for (const name of ['a', 'b', 'c']) turns.run(ONE, () => void (done.push(name), clock.tick(100)))
    expect(done).to.deep.equal(['a'])
    expect(await eachTurn()).to.deep.equal(['b', 'c'])
  })

  it('waits while each turn accepts a connection, for a fifth of a second of two', async () => {
    const times: number[] = []
    let left = 1_000
    const accept = (): void => {
      turns.accepted()
      turns.run(ONE, () => void times.push(performance.now()))
      clock.tick(1)
      if (--left > 0) setImmediate(accept)
    }
    accept()
    for (let count = 0; count < 1_100; count++) await turn()
    await eachTurn()
    const waits = times.flatMap((time, index) => (index > 0 && time - (times[index - 1] ?? 0) > 10 ? [time - (times[index - 1] ?? 0)] : []))
    expect(waits).to.have.lengthOf.within(2, 3)
    for (const wait of waits) expect(wait).to.be.within(185, 210)
    expect(times).to.have.length(1_000)
    work(ONE, 'afterwards')
    expect(done).to.deep.equal(['afterwards'])
  })

  it('is done at once when it is urgent, unless all is held', async () => {
    for (const name of ['a', 'b', 'c']) work(ONE, name)
    turns.run(ONE, () => void done.push('urgent'), 'urgent')
    expect(done).to.deep.equal(['a', 'b', 'urgent'])
    turns.hold(true)
    turns.run(ONE, () => void done.push('held'), 'urgent')
    expect(await eachTurn()).to.deep.equal([])
    turns.hold(false)
    expect(await eachTurn()).to.deep.equal(['c,held'])
  })

  it('that is next goes before what its address waits for, not before another address', async () => {
    for (const name of ['a', 'b', 'c', 'd']) work(ONE, name)
    work(OTHER, 'other 0')
    work(OTHER, 'other 1')
    turns.run(ONE, () => void done.push('next'), 'next')
    await eachTurn()
    expect(done).to.deep.equal(['a', 'b', 'next', 'other 0', 'c', 'other 1', 'd'])
  })

  it('goes on when a piece of it fails', async () => {
    const failed: unknown[] = []
    const listeners = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    process.once('uncaughtException', (error: Error) => failed.push(error.message))
    try {
      work(ONE, 'a')
      work(ONE, 'b')
      turns.run(ONE, () => {
        throw new Error('the connection is gone')
      })
      work(ONE, 'c')
      await eachTurn()
    } finally {
      for (const listener of listeners) process.on('uncaughtException', listener)
    }
    expect(failed).to.deep.equal(['the connection is gone'])
    expect(done).to.deep.equal(['a', 'b', 'c'])
  })
})
