import { expect } from 'chai'
import { Fault } from '../../core/sdk/index.js'
import { PageQueue } from './page-queue.js'

const { signal } = new AbortController()

describe('a queue of pages', () => {
  it('gives a free place to the caller who has the fewest', async () => {
    const queue = new PageQueue({ places: 2, waiting: 8, full: 'full' })
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
    const queue = new PageQueue({ places: 2, perCaller: 1, waiting: 2, waitingPerCaller: 1, full: 'one at a time' })
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
})
