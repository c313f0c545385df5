import { expect } from 'chai'
import { MailTurns } from './turns.js'

const never = (): Promise<void> => new Promise(() => undefined)
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('emails: turns at a mail server', () => {
  it('one at a time for each server, accounts in turn', async () => {
    const turns = new MailTurns()
    const order: string[] = []
    const releases: (() => void)[] = []
    const take = (account: string, name: string): void =>
      void turns.take('mx.test', account, never).then((release) => {
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
    expect(await turns.take('other.test', 'a', never)).to.be.a('function')
    while (releases.length > 0) {
      releases.shift()?.()
      await settled()
    }
    expect(order).to.deep.equal(['a1', 'a2', 'b1', 'a3', 'b2', 'a4'])
    expect(await turns.take('mx.test', 'a', never)).to.be.a('function')
  })

  it('who waits too long, or leaves, loses no turn of the others', async () => {
    const turns = new MailTurns()
    const first = await turns.take('mx.test', 'a', never)
    const late = turns.take('mx.test', 'a', () => Promise.resolve())
    const gone = turns.take('mx.test', 'a', () => Promise.reject(new Error('the call has ended')))
    const next = turns.take('mx.test', 'a', never)
    expect(await late).to.equal(null)
    expect(await gone.catch((error: unknown) => String(error))).to.contain('the call has ended')
    first?.()
    first?.()
    const second = await next
    expect(second).to.be.a('function')
    // The turn and the end of the wait come in the same moment.
    let end: () => void = () => undefined
    const both = turns.take('mx.test', 'a', () => new Promise((resolve) => (end = resolve)))
    const last = turns.take('mx.test', 'a', never)
    end()
    second?.()
    ;(await both)?.()
    expect(await last).to.be.a('function')
  })

  it('fifty wait, twenty of one account', async () => {
    const turns = new MailTurns()
    await turns.take('mx.test', 'a', never)
    const waiting = (account: string, count: number): void => {
      for (let place = 0; place < count; place++) void turns.take('mx.test', account, never)
    }
    waiting('a', 20)
    expect(await turns.take('mx.test', 'a', never)).to.equal(null)
    waiting('b', 20)
    waiting('c', 10)
    expect(await turns.take('mx.test', 'd', never)).to.equal(null)
  })
})
