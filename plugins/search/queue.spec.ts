import { expect } from 'chai'
import { useFakeTimers, type SinonFakeTimers } from 'sinon'
import { Fault } from '../../core/sdk/index.js'
import { Queue } from './queue.js'

describe('search: the queue at DuckDuckGo', () => {
  let clock: SinonFakeTimers
  const signal = new AbortController().signal

  beforeEach(() => {
    clock = useFakeTimers()
  })
  afterEach(() => clock.restore())

  it('lets one search through at a time, with a pause after each', async () => {
    const queue = new Queue()
    const begun: number[] = []
    const work = () => {
      begun.push(Date.now())
      return Promise.resolve(begun.length)
    }
    const all = Promise.all([1, 2, 3].map(() => queue.run(1000, signal, work)))
    await clock.runAllAsync()
    expect(await all).to.deep.equal([1, 2, 3])
    expect(begun).to.deep.equal([0, 1000, 2000])
  })

  it('goes on after a search that failed', async () => {
    const queue = new Queue()
    const failed = queue.run(1000, signal, () => Promise.reject(new Fault('busy', 'blocked'))).catch((error: unknown) => error)
    const next = queue.run(1000, signal, () => Promise.resolve('next'))
    await clock.runAllAsync()
    expect(Fault.is(await failed)).to.equal(true)
    expect(await next).to.equal('next')
  })

  it('sends searches elsewhere when the queue is long', async () => {
    const queue = new Queue()
    const waiting = Array.from({ length: 5 }, () => queue.run(10, signal, () => Promise.resolve(1)))
    const error = await queue.run(10, signal, () => Promise.resolve(1)).catch((reason: unknown) => reason)
    expect(Fault.is(error) && error.kind).to.equal('busy')
    await clock.runAllAsync()
    expect(await Promise.all(waiting)).to.have.length(5)
    const after = queue.run(10, signal, () => Promise.resolve('free again'))
    await clock.runAllAsync()
    expect(await after).to.equal('free again')
  })

  it('does not search for a caller who has gone', async () => {
    const queue = new Queue()
    const controller = new AbortController()
    let searched = false
    const first = queue.run(1000, signal, () => Promise.resolve(1))
    const gone = queue
      .run(1000, controller.signal, () => {
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
