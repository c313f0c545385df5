import { isIPv4, isIPv6 } from 'node:net'
import { expect } from 'chai'
import fc from 'fast-check'
import { isIpv4, isIpv6 } from './address.js'

describe('addresses in SPF', () => {
  it('are recognised as by Node', () => {
    const piece = fc.constantFrom('1', '255', '256', '01', '.', '.', ':', '::', 'ffff', 'g', '2001', '0', '192.0.2.1', '%eth0', '')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join('')),
          fc.ipV4(),
          fc.ipV6(),
          fc.string(),
        ),
        (text) => {
          expect(isIpv4(text), text).to.equal(isIPv4(text))
          expect(isIpv6(text), text).to.equal(isIPv6(text) && !text.includes('%'))
        },
      ),
      { numRuns: 3_000 },
    )
  })
})
