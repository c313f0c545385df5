import { expect } from 'chai'
import { NameQueue, type Requester, type Bounds } from '../../../core/outbound/name-queue.js'
import { SystemLookups } from '../../../core/outbound/resolver.js'
import { HandClock } from '../../support/outbound.js'
import { until } from '../../support/time.js'

/** A queue whose questions are answered by the test. */
function world(bounds: Partial<Bounds> = {}) {
  const clock = new HandClock()
  const asked: string[] = []
  const cancelled: string[] = []
  const answers = new Map<string, { resolve: (addresses: string[]) => void; reject: (error: Error) => void }>()
  const queue = new NameQueue({ inAll: 100, byCaller: 100, byDomain: 100, waiting: 100, ...bounds }, clock, (name) => {
    asked.push(name)
    return {
      answer: new Promise((resolve, reject) => answers.set(name, { resolve, reject })),
      cancel: () => void cancelled.push(name),
    }
  })
  const ask = (name: string, caller = 'a') => {
    let leave: () => void = () => undefined
    const requester: Requester = { caller, onLeave: (listener) => ((leave = listener), () => (leave = () => undefined)) }
    const outcome = queue.ask(name, requester).then(
      (addresses) => addresses.join(),
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    return { outcome, leave: () => leave() }
  }
  const answer = async (name: string): Promise<void> => {
    answers.get(name)?.resolve([`address of ${name}`])
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { clock, queue, asked, cancelled, answers, ask, answer }
}

describe('outbound: questions for names in flight', () => {
  it('a name requested by several at once is one query, also while the others wait for their turn', async () => {
    const { ask, answer, asked } = world({ inAll: 1 })
    const outcomes = [ask('x.example'), ask('x.example', 'b'), ask('y.example'), ask('y.example', 'b'), ask('y.example', 'c')]
    await answer('x.example')
    await answer('y.example')
    expect(await Promise.all(outcomes.map(({ outcome }) => outcome))).to.deep.equal([
      ...Array<string>(2).fill('address of x.example'),
      ...Array<string>(3).fill('address of y.example'),
    ])
    expect(asked).to.deep.equal(['x.example', 'y.example'])
  })

  it('two at once for a registered domain, and others go by', async () => {
    const { ask, answer, asked } = world({ byDomain: 2 })
    for (const name of ['a.one.example.co.uk', 'b.example.co.uk', 'c.example.co.uk', 'd.other.co.uk']) ask(name, name)
    expect(asked).to.deep.equal(['a.one.example.co.uk', 'b.example.co.uk', 'd.other.co.uk'])
    await answer('b.example.co.uk')
    expect(asked.at(-1)).to.equal('c.example.co.uk')
  })

  it('when all places of a domain have been silent for a second, those that wait for one are refused at once', async () => {
    const { ask, answer, asked, clock } = world({ byDomain: 2 })
    ask('a.example')
    clock.advance(400)
    ask('b.example.co.uk')
    const [late, other] = [ask('c.example.co.uk'), ask('d.example.co.uk', 'b')]
    clock.advance(600)
    ask('e.example.co.uk').leave()
    clock.advance(399)
    expect(asked).to.deep.equal(['a.example', 'b.example.co.uk', 'c.example.co.uk'])
    const fourth = ask('f.example.co.uk')
    clock.advance(1)
    const silent = 'the name servers of the domain do not answer'
    expect([await other.outcome, await fourth.outcome, await ask('g.example.co.uk').outcome]).to.deep.equal([silent, silent, silent])
    await answer('b.example.co.uk')
    const next = ask('h.example.co.uk')
    await answer('h.example.co.uk')
    await answer('c.example.co.uk')
    expect([await next.outcome, await late.outcome]).to.deep.equal(['address of h.example.co.uk', 'address of c.example.co.uk'])
  })

  it('so many for a caller; those that wait take turns by caller', async () => {
    const { ask, answer, asked } = world({ inAll: 4, byCaller: 2 })
    for (let index = 0; index < 6; index++) ask(`a${index}.test`, 'a')
    expect(asked).to.deep.equal(['a0.test', 'a1.test'])
    for (const name of ['b0.test', 'c0.test', 'b1.test', 'd0.test']) ask(name, name.slice(0, 1))
    expect(asked.slice(2)).to.deep.equal(['b0.test', 'c0.test'])
    for (const name of ['a0.test', 'a1.test', 'b0.test', 'c0.test']) await answer(name)
    expect(asked.slice(4)).to.deep.equal(['a2.test', 'b1.test', 'd0.test', 'a3.test'])
  })

  it('a lookup without waiters is ended, or never begun', async () => {
    const { ask, answer, asked, cancelled, queue } = world({ inAll: 1 })
    const [first, second, queued] = [ask('x.example'), ask('x.example', 'b'), ask('y.example')]
    first.leave()
    expect([await first.outcome, cancelled]).to.deep.equal(['the lookup was stopped', []])
    queued.leave()
    second.leave()
    expect([asked, cancelled, queue.size]).to.deep.equal([['x.example'], ['x.example'], 0])
    const again = ask('x.example')
    await answer('x.example')
    expect(await again.outcome).to.equal('address of x.example')
  })

  it('a question ends after 2 s, a wait for the turn too, and more than may wait are refused', async () => {
    const { ask, clock, cancelled, queue } = world({ inAll: 1, waiting: 1 })
    const first = ask('x.example')
    clock.advance(500)
    const second = ask('y.example')
    expect(await ask('z.example').outcome).to.equal('too many names are being looked up')
    clock.advance(1_500)
    expect([await first.outcome, cancelled]).to.deep.equal(['no answer in time', ['x.example']])
    clock.advance(500)
    expect([await second.outcome, cancelled, queue.size]).to.deep.equal(['no turn in time', ['x.example', 'y.example'], 0])
  })

  it('a failure goes to all waiters, and frees its place', async () => {
    const { ask, answers, asked } = world({ inAll: 1 })
    const outcomes = [ask('x.example'), ask('x.example', 'b')]
    ask('y.example')
    answers.get('x.example')?.reject(new Error('no'))
    expect(await Promise.all(outcomes.map(({ outcome }) => outcome))).to.deep.equal(['no', 'no'])
    expect(asked).to.deep.equal(['x.example', 'y.example'])
  })
})

describe('outbound: questions to the resolver of the system', () => {
  it('go one at a time, and one that is not wanted any more is not looked up', async () => {
    const asked: string[] = []
    const finish: (() => void)[] = []
    const lookups = new SystemLookups((name) => {
      asked.push(name)
      return new Promise((resolve, reject) => finish.push(() => (name === 'b' ? reject(new Error('none')) : resolve(['::1', '::1']))))
    })
    let wanted = true
    const outcomes = ['a', 'b', 'c', 'd'].map((name) =>
      lookups.ask(name, () => name !== 'c' || wanted).catch((error: unknown) => (error instanceof Error ? error.message : '')),
    )
    wanted = false
    for (let count = 1; count <= 3; count++) {
      await until(() => asked.length >= count)
      expect(asked).to.have.length(count)
      finish[count - 1]?.()
    }
    expect(await Promise.all(outcomes)).to.deep.equal([['::1'], 'none', 'the lookup was cancelled', ['::1']])
    expect(asked).to.deep.equal(['a', 'b', 'd'])
  })
})
