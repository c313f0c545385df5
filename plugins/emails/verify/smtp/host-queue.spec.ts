import { expect } from 'chai'
import { HostQueues } from './host-queue.js'

const never = (): Promise<void> => new Promise(() => undefined)
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('emails: waiting for a mail server', () => {
  it('one at a time for each server, by account', async () => {
    const queues = new HostQueues()
    const order: string[] = []
    const releases: (() => void)[] = []
    const take = (account: string, name: string): void =>
      void queues.acquire('mx.test', account, never).then((release) => {
        order.push(name)
        if (release !== null) releases.push(release)
      })
    for (const [account, name] of [
      ['a', 'a1'],
      ['a', 'a2'],
      ['a', 'a3'],
      ['b', 'b1'],
      ['a', 'a4'],
      ['b', 'b2'],
    ] as const)
      take(account, name)
    await settled()
    expect(order).to.deep.equal(['a1'])
    expect(await queues.acquire('other.test', 'a', never)).to.be.a('function')
    while (releases.length > 0) {
      releases.shift()?.()
      await settled()
    }
    expect(order).to.deep.equal(['a1', 'a2', 'b1', 'a3', 'b2', 'a4'])
    expect(await queues.acquire('mx.test', 'a', never)).to.be.a('function')
  })

  it('a call that waits too long, or ends, takes nothing from the others', async () => {
    const queues = new HostQueues()
    const first = await queues.acquire('mx.test', 'a', never)
    const late = queues.acquire('mx.test', 'a', () => Promise.resolve())
    const ended = queues.acquire('mx.test', 'a', () => Promise.reject(new Error('the call has ended')))
    const next = queues.acquire('mx.test', 'a', never)
    expect(await late).to.equal(null)
    expect(await ended.catch((error: unknown) => String(error))).to.contain('the call has ended')
    first?.()
    first?.()
    const second = await next
    expect(second).to.be.a('function')
    // The host becomes free at the moment the wait ends.
    let end: () => void = () => undefined
    const both = queues.acquire('mx.test', 'a', () => new Promise((resolve) => (end = resolve)))
    const last = queues.acquire('mx.test', 'a', never)
    end()
    second?.()
    ;(await both)?.()
    expect(await last).to.be.a('function')
  })

  it('fifty wait, twenty of one account', async () => {
    const queues = new HostQueues()
    await queues.acquire('mx.test', 'a', never)
    const waiting = (account: string, count: number): void => {
      for (let place = 0; place < count; place++) void queues.acquire('mx.test', account, never)
    }
    waiting('a', 20)
    expect(await queues.acquire('mx.test', 'a', never)).to.equal(null)
    waiting('b', 20)
    waiting('c', 10)
    expect(await queues.acquire('mx.test', 'd', never)).to.equal(null)
  })
})
