import { expect } from 'chai'
import { FairQueue } from '../../../core/threads/fair-queue.js'

describe('a queue by accounts', () => {
  /** Asks for the place; its name is noted when it comes. */
  function ask(queue: FairQueue, came: string[], account: string, bytes = 1): Promise<() => void> {
    const place = queue.take(account, bytes)
    if (place === null) throw new Error('refused')
    void place.then(() => came.push(account))
    return place
  }

  it('gives the place to accounts by turns, however many one of them asks for', async () => {
    const queue = new FairQueue(100)
    const came: string[] = []
    const order = ['a', 'a', 'a', 'b', 'a', 'c', 'b']
    const places = order.map((account) => ask(queue, came, account))
    for (const index of [0, 1, 3, 5, 2, 6, 4]) (await places[index])?.()
    await Promise.all(places)
    expect(came).to.deep.equal(['a', 'a', 'b', 'c', 'a', 'b', 'a'])
  })

  it('refuses what would keep too much memory waiting, of all and of one account', async () => {
    const queue = new FairQueue(100)
    const leave = await queue.take('a', 1_000)
    expect(queue.take('a', 51)).to.equal(null)
    const places = [ask(queue, [], 'a', 50), ask(queue, [], 'b', 40)]
    expect(queue.take('a', 1)).to.equal(null)
    expect(queue.take('c', 11)).to.equal(null)
    places.push(ask(queue, [], 'c', 10))
    leave?.()
    for (const place of places) (await place)()
    expect(await queue.take('a', 1_000)).to.be.a('function')
  })

  it('takes a place back once, however often it is given', async () => {
    const queue = new FairQueue(100)
    const first = await queue.take('a', 1)
    const second = queue.take('a', 1)
    first?.()
    first?.()
    const came: string[] = []
    const third = ask(queue, came, 'b')
    await second
    await Promise.resolve()
    expect(came).to.deep.equal([])
    ;(await second)?.()
    await third
    expect(came).to.deep.equal(['b'])
  })
})
