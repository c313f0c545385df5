import { expect } from 'chai'
import { UnownedErrors } from '../../../core/telemetry/unowned-errors.js'
import { HandClock } from '../../support/outbound.js'

describe('errors that no call owned', () => {
  const made = () => {
    const clock = new HandClock()
    const lines: string[] = []
    const seen = { given: 0 }
    const unowned = new UnownedErrors(
      clock,
      (_level, message) => void lines.push(message),
      () => seen.given++,
    )
    return { clock, lines, seen, unowned }
  }

  it('are logged with their origin and counted', () => {
    const { unowned, lines } = made()
    unowned.note('exception', new Error('one'))
    unowned.note('rejection', 'two')
    expect(unowned.counts).to.deep.equal({ exception: 1, rejection: 1 })
    expect(lines).to.have.length(2)
  })

  it('end the gateway when more than ten come within a minute, once', () => {
    const { unowned, clock, seen } = made()
    for (let minute = 0; minute < 3; minute++) {
      for (let count = 0; count < 10; count++) unowned.note('exception', new Error('x'))
      clock.advance(60_000)
    }
    expect(seen.given).to.equal(0)
    for (let count = 0; count < 30; count++) unowned.note('exception', new Error('x'))
    expect(seen.given).to.equal(1)
  })
})
