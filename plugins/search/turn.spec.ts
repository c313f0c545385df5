import { expect } from 'chai'
import { useFakeTimers, type SinonFakeTimers } from 'sinon'
import { Fault } from '../../core/sdk/index.js'
import { Line } from './turn.js'

describe('search: the line at DuckDuckGo', () => {
  let clock: SinonFakeTimers
  const signal = new AbortController().signal

  beforeEach(() => {
    clock = useFakeTimers()
  })
  afterEach(() => clock.restore())

  it('lets one search through at a time, with a pause after each', async () => {
    const line = new Line()
    const begun: number[] = []
    const work = () => {
      begun.push(Date.now())
      return Promise.resolve(begun.length)
    }
    const all = Promise.all([1, 2, 3].map(() => line.turn(1000, signal, work)))
    await clock.runAllAsync()
    expect(await all).to.deep.equal([1, 2, 3])
    expect(begun).to.deep.equal([0, 1000, 2000])
  })

  it('goes on after a search that failed', async () => {
    const line = new Line()
    const failed = line.turn(1000, signal, () => Promise.reject(new Fault('busy', 'blocked'))).catch((error: unknown) => error)
    const next = line.turn(1000, signal, () => Promise.resolve('next'))
    await clock.runAllAsync()
    expect(Fault.is(await failed)).to.equal(true)
    expect(await next).to.equal('next')
  })

  it('sends searches elsewhere when the line is long', async () => {
    const line = new Line()
    const waiting = Array.from({ length: 5 }, () => line.turn(10, signal, () => Promise.resolve(1)))
    const error = await line.turn(10, signal, () => Promise.resolve(1)).catch((reason: unknown) => reason)
    expect(Fault.is(error) && error.kind).to.equal('busy')
    await clock.runAllAsync()
    expect(await Promise.all(waiting)).to.have.length(5)
    const after = line.turn(10, signal, () => Promise.resolve('free again'))
    await clock.runAllAsync()
    expect(await after).to.equal('free again')
  })

  it('does not search for a caller who has gone', async () => {
    const line = new Line()
    const controller = new AbortController()
    let searched = false
    const first = line.turn(1000, signal, () => Promise.resolve(1))
    const gone = line
      .turn(1000, controller.signal, () => {
        searched = true
        return Promise.resolve(2)
      })
      .catch((reason: unknown) => reason)
    controller.abort(new Error('gone'))
    await clock.runAllAsync()
    await first
    expect(await gone).to.have.property('message', 'gone')
    expect(searched).to.equal(false)
  })
})
