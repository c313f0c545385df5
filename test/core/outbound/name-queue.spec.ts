import { expect } from 'chai'
import { NameQueue, type Requester, type Bounds } from '../../../core/outbound/name-queue.js'
import { SystemLookups } from '../../../core/outbound/resolver.js'
import { HandClock } from '../../support/outbound.js'
import { until } from '../../support/time.js'

/** A queue whose questions are answered by the test. */
function world(bounds: Partial<Bounds> = {}) {
  const clock = new HandClock()
  const started: string[] = []
  const cancelled: string[] = []
  const answers = new Map<string, { resolve: (addresses: string[]) => void; reject: (error: Error) => void }>()
  const queue = new NameQueue({ inAll: 100, byCaller: 100, byDomain: 100, waiting: 100, ...bounds }, clock, (name) => {
    started.push(name)
    return {
      answer: new Promise((resolve, reject) => answers.set(name, { resolve, reject })),
      cancel: () => void cancelled.push(name),
    }
  })
  const lookUp = (name: string, caller = 'a') => {
    let leave: () => void = () => undefined
    const requester: Requester = { caller, onLeave: (listener) => ((leave = listener), () => (leave = () => undefined)) }
    const outcome = queue.lookUp(name, requester).then(
      (addresses) => addresses.join(),
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    return { outcome, leave: () => leave() }
  }
  const answer = async (name: string): Promise<void> => {
    answers.get(name)?.resolve([`address of ${name}`])
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { clock, queue, started, cancelled, answers, lookUp, answer }
}

describe('outbound: questions for names in flight', () => {
  it('a name requested by several at once is one query, also while the others wait for their turn', async () => {
    const { lookUp, answer, started } = world({ inAll: 1 })
    const outcomes = [
      lookUp('x.example'),
      lookUp('x.example', 'b'),
      lookUp('y.example'),
      lookUp('y.example', 'b'),
      lookUp('y.example', 'c'),
    ]
    await answer('x.example')
    await answer('y.example')
    expect(await Promise.all(outcomes.map(({ outcome }) => outcome))).to.deep.equal([
      ...Array<string>(2).fill('address of x.example'),
      ...Array<string>(3).fill('address of y.example'),
    ])
    expect(started).to.deep.equal(['x.example', 'y.example'])
  })

  it('two at once for a registered domain, and others go by', async () => {
    const { lookUp, answer, started } = world({ byDomain: 2 })
    for (const name of ['a.one.example.co.uk', 'b.example.co.uk', 'c.example.co.uk', 'd.other.co.uk']) lookUp(name, name)
    expect(started).to.deep.equal(['a.one.example.co.uk', 'b.example.co.uk', 'd.other.co.uk'])
    await answer('b.example.co.uk')
    expect(started.at(-1)).to.equal('c.example.co.uk')
  })

  it('when all places of a domain have been silent for a second, those that wait for one are refused at once', async () => {
    const { lookUp, answer, started, clock } = world({ byDomain: 2 })
    lookUp('a.example')
    clock.advance(400)
    lookUp('b.example.co.uk')
    const [late, other] = [lookUp('c.example.co.uk'), lookUp('d.example.co.uk', 'b')]
    clock.advance(600)
    lookUp('e.example.co.uk').leave()
    clock.advance(399)
    expect(started).to.deep.equal(['a.example', 'b.example.co.uk', 'c.example.co.uk'])
    const fourth = lookUp('f.example.co.uk')
    clock.advance(1)
    const silent = 'the name servers of the domain do not answer'
    expect([await other.outcome, await fourth.outcome, await lookUp('g.example.co.uk').outcome]).to.deep.equal([silent, silent, silent])
    await answer('b.example.co.uk')
    const next = lookUp('h.example.co.uk')
    await answer('h.example.co.uk')
    await answer('c.example.co.uk')
    expect([await next.outcome, await late.outcome]).to.deep.equal(['address of h.example.co.uk', 'address of c.example.co.uk'])
  })

  it('so many for a caller; those that wait take turns by caller', async () => {
    const { lookUp, answer, started } = world({ inAll: 4, byCaller: 2 })
    for (let index = 0; index < 6; index++) lookUp(`a${index}.test`, 'a')
    expect(started).to.deep.equal(['a0.test', 'a1.test'])
    for (const name of ['b0.test', 'c0.test', 'b1.test', 'd0.test']) lookUp(name, name.slice(0, 1))
    expect(started.slice(2)).to.deep.equal(['b0.test', 'c0.test'])
    for (const name of ['a0.test', 'a1.test', 'b0.test', 'c0.test']) await answer(name)
    expect(started.slice(4)).to.deep.equal(['a2.test', 'b1.test', 'd0.test', 'a3.test'])
  })

  it('a lookup without waiters is ended, or never begun', async () => {
    const { lookUp, answer, started, cancelled, queue } = world({ inAll: 1 })
    const [first, second, queued] = [lookUp('x.example'), lookUp('x.example', 'b'), lookUp('y.example')]
    first.leave()
    expect([await first.outcome, cancelled]).to.deep.equal(['the lookup was stopped', []])
    queued.leave()
    second.leave()
    expect([started, cancelled, queue.size]).to.deep.equal([['x.example'], ['x.example'], 0])
    const again = lookUp('x.example')
    await answer('x.example')
    expect(await again.outcome).to.equal('address of x.example')
  })

  it('a question ends after 2 s, a wait for the turn too, and more than may wait are refused', async () => {
    const { lookUp, clock, cancelled, queue } = world({ inAll: 1, waiting: 1 })
    const first = lookUp('x.example')
    clock.advance(500)
    const second = lookUp('y.example')
    expect(await lookUp('z.example').outcome).to.equal('too many names are being looked up')
    clock.advance(1_500)
    expect([await first.outcome, cancelled]).to.deep.equal(['no answer in time', ['x.example']])
    clock.advance(500)
    expect([await second.outcome, cancelled, queue.size]).to.deep.equal(['no turn in time', ['x.example', 'y.example'], 0])
  })

  it('a failure goes to all waiters, and frees its place', async () => {
    const { lookUp, answers, started } = world({ inAll: 1 })
    const outcomes = [lookUp('x.example'), lookUp('x.example', 'b')]
    lookUp('y.example')
    answers.get('x.example')?.reject(new Error('no'))
    expect(await Promise.all(outcomes.map(({ outcome }) => outcome))).to.deep.equal(['no', 'no'])
    expect(started).to.deep.equal(['x.example', 'y.example'])
  })
})

describe('outbound: questions to the resolver of the system', () => {
  it('go one at a time, and one that is not wanted any more is not looked up', async () => {
    const started: string[] = []
    const finish: (() => void)[] = []
    const lookups = new SystemLookups((name) => {
      started.push(name)
      return new Promise((resolve, reject) => finish.push(() => (name === 'b' ? reject(new Error('none')) : resolve(['::1', '::1']))))
    })
    let wanted = true
    const outcomes = ['a', 'b', 'c', 'd'].map((name) =>
      lookups.lookUp(name, () => name !== 'c' || wanted).catch((error: unknown) => (error instanceof Error ? error.message : '')),
    )
    wanted = false
    for (let count = 1; count <= 3; count++) {
      await until(() => started.length >= count)
      expect(started).to.have.length(count)
      finish[count - 1]?.()
    }
    expect(await Promise.all(outcomes)).to.deep.equal([['::1'], 'none', 'the lookup was cancelled', ['::1']])
    expect(started).to.deep.equal(['a', 'b', 'd'])
  })
})
