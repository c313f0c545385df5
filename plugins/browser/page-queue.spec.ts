import { expect } from 'chai'
import { Fault } from '../../core/sdk/index.js'
import { PagePlace } from './page-place.js'
import { FairQueue } from '../_shared/fair-queue.js'

const { signal } = new AbortController()

describe('a queue of pages', () => {
  it('gives a free place to the caller who has the fewest', async () => {
    const queue = new FairQueue({ places: 2, waiting: 8, full: 'full', late: 'late' })
    const order: string[] = []
    const enter = (caller: string): Promise<() => void> =>
      queue.take(caller, signal).then((leave) => {
        order.push(caller)
        return leave
      })
    const leaves = [await enter('greedy'), await enter('greedy')]
    const waiting = [enter('greedy'), enter('greedy'), enter('modest')]
    leaves[0]?.()
    await waiting[2]
    expect(order).to.deep.equal(['greedy', 'greedy', 'modest'])
    leaves[1]?.()
    await waiting[0]
    expect(queue.running).to.equal(2)
  })

  it('keeps a place free rather than give one caller more than its share', async () => {
    const queue = new FairQueue({ places: 2, perCaller: 1, waiting: 2, waitingPerCaller: 1, full: 'one at a time', late: 'late' })
    const leave = await queue.take('one', signal)
    const second = queue.take('one', signal)
    const refused: unknown = await queue.take('one', signal).catch((error: unknown) => error)
    expect(Fault.is(refused) && [refused.kind, refused.message]).to.deep.equal(['busy', 'one at a time'])
    const other = await queue.take('other', signal)
    expect(queue.running).to.equal(2)
    leave()
    ;(await second)()
    other()
    expect(queue.running).to.equal(0)
  })

  it('lets half of one caller go away while they wait for something else, and comes back before others', async () => {
    const queue = new FairQueue({ places: 2, perCaller: 1, waiting: 1, full: 'full', late: 'late' })
    const place = await PagePlace.take(queue, 'one', signal)
    const other = await PagePlace.take(queue, 'other', signal)
    const order: string[] = []
    let solved = (): void => undefined
    const work = place.releaseWhile(() => new Promise<void>((resolve) => (solved = resolve))).then(() => order.push('back'))
    const second = await PagePlace.take(queue, 'one', signal)
    expect(queue.running).to.equal(2)
    const refusedToGo = second.releaseWhile(() => Promise.resolve(queue.running))
    expect(await refusedToGo, 'one of this caller is away already').to.equal(2)
    const third = queue.take('one', signal).then((leave) => {
      order.push('third')
      return leave
    })
    solved()
    await Promise.resolve()
    second.leave()
    await work
    expect(order).to.deep.equal(['back'])
    place.leave()
    ;(await third)()
    other.leave()
    expect(queue.running).to.equal(0)
  })

  it('gives what the work failed with, and nothing back twice', async () => {
    const queue = new FairQueue({ places: 1, waiting: 1, full: 'full', late: 'late' })
    const place = await PagePlace.take(queue, 'one', signal)
    const failed: unknown = await place.releaseWhile(() => Promise.reject(new Error('unsolved'))).catch((error: unknown) => error)
    expect([String(failed), queue.running]).to.deep.equal(['Error: unsolved', 1])
    place.leave()
    place.leave()
    expect(queue.running).to.equal(0)
  })

  it('a page whose call ends while it is away loses its place with an error', async () => {
    const queue = new FairQueue({ places: 1, waiting: 1, full: 'full', late: 'late' })
    const call = new AbortController()
    const place = await PagePlace.take(queue, 'one', call.signal)
    let other: PagePlace | null = null
    const work = place.releaseWhile(async () => {
      other = await PagePlace.take(queue, 'other', signal)
      call.abort()
    })
    const fault: unknown = await work.catch((error: unknown) => error)
    expect(Fault.is(fault) && fault.kind).to.equal('busy')
    place.leave()
    expect(queue.running).to.equal(1)
    ;(other as PagePlace | null)?.leave()
  })
})
