import { expect } from 'chai'
import sinon from 'sinon'
import { WriteTurns } from '../../../core/http/bounded-response.js'

describe('the slices of large bodies', () => {
  let clock: sinon.SinonFakeTimers
  beforeEach(() => (clock = sinon.useFakeTimers({ toFake: ['performance', 'setImmediate'] })))
  afterEach(() => clock.restore())

  it('of many connections are written in order, for some milliseconds of each turn of the event loop', () => {
    const turns = new WriteTurns()
    const written: number[] = []
    for (let index = 0; index < 5; index++)
      turns.add(() => {
        written.push(index)
        clock.tick(3)
      })
    expect(written, 'in the turn that adds them').to.deep.equal([])
    clock.next()
    expect(written).to.deep.equal([0, 1])
    clock.next()
    expect(written).to.deep.equal([0, 1, 2, 3])
    clock.next()
    expect(written).to.deep.equal([0, 1, 2, 3, 4])
    expect(clock.countTimers()).to.equal(0)
  })

  it('of one connection wait for one turn each, and those of others go on when one fails', () => {
    const turns = new WriteTurns()
    const written: string[] = []
    turns.add(() => {
      throw new Error('the connection is gone')
    })
    turns.add(() => {
      written.push('first')
      turns.add(() => written.push('second'))
    })
    expect(() => clock.next()).to.throw('the connection is gone')
    clock.next()
    expect(written).to.deep.equal(['first', 'second'])
  })
})
