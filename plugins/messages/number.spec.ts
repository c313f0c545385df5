import { expect } from 'chai'
import { numberOf } from './number.js'

const faultOf = (text: string): string => {
  const number = numberOf(text)
  return 'fault' in number ? number.fault : `taken as ${number.number} of ${number.country}`
}

describe('numbers that messages go to', () => {
  const taken: readonly (readonly [string, string])[] = [
    ['+491711234567', 'DE'],
    ['+493012345678', 'DE'],
    ['+14165550123', 'CA'],
    ['+12125550123', 'US'],
    ['+18765550123', 'JM'],
    ['+15005550101', 'US'],
    ['+447400123456', 'GB'],
    ['+77012345678', 'KZ'],
    ['+390612345678', 'IT'],
    ['+8613800138000', 'CN'],
  ]
  for (const [number, country] of taken)
    it(`${number} is of ${country}`, () => {
      expect(numberOf(number)).to.deep.equal({ number, country, prefix: number.slice(0, -4) })
    })

  const refused: readonly (readonly [string, RegExp])[] = [
    ['0171 1234567', /is not E\.164/],
    ['00491711234567', /is not E\.164.*did you mean \+491711234567\?/],
    ['491711234567', /did you mean \+491711234567\?/],
    ['+49 (171) 123-4567', /did you mean \+491711234567\?/],
    ['+49171123456x', /is not E\.164/],
    ['+', /is not E\.164/],
    ['+12', /is not E\.164/],
    ['+1234567890123456', /is not E\.164/],
    ['tel:+491711234567', /is not E\.164/],
    ['+491711234567;ext=1', /is not E\.164/],
    ['+٤٩١٧١١٢٣٤٥٦٧', /is not E\.164/],
    ['+9991234567890', /no country code that exists/],
    ['+15551234567', /in no range/],
    ['+4990012345', /in no range/],
    ['+49900123456', /in no range|premium-rate/],
    ['+33891123456', /premium-rate/],
    ['+19005550123', /premium-rate/],
    ['+4918012345678', /shared-cost/],
    ['+447012345678', /personal number/],
    ['+979123456789', /premium-rate/],
    ['+80812345678', /shared-cost/],
    ['+80012345678', /freephone/],
    ['+870773111632', /satellite/],
    ['+881612345678', /satellite/],
    ['+882161234567', /satellite/],
    ['+883510012345678', /satellite/],
  ]
  for (const [text, fault] of refused)
    it(`${text} is refused`, () => {
      expect(faultOf(text)).to.match(fault)
    })

  it('texts of 40 characters made to slow a parser down take less than 10 ms each', () => {
    const hostile = [
      '+'.repeat(40),
      `+49${'('.repeat(37)}`,
      '+1'.repeat(20),
      `+49171${' -'.repeat(17)}`,
      '٤'.repeat(40),
      `+${'9'.repeat(39)}`,
    ]
    for (const text of hostile) faultOf(text)
    const began = process.cpuUsage()
    for (let round = 0; round < 20; round++) for (const text of hostile) faultOf(text)
    const { user, system } = process.cpuUsage(began)
    expect((user + system) / 1_000 / (20 * hostile.length)).to.be.lessThan(10)
  })
})
