import { expect } from 'chai'
import { rangeOf } from '../../../core/runtime/file-names.js'

describe('core/runtime the range of a request', () => {
  for (const [header, range] of [
    ['bytes=0-', [0, 1000]],
    ['bytes=0-0', [0, 1]],
    ['bytes=200-299', [200, 300]],
    ['bytes=900-5000', [900, 1000]],
    ['bytes=-100', [900, 1000]],
    ['bytes=-5000', [0, 1000]],
  ] as const)
    it(`takes ${header} of 1,000 bytes`, () => expect(rangeOf(header, 1000)).to.deep.equal({ from: range[0], to: range[1] }))

  for (const header of [
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=1000-',
    'bytes=5-1',
    'bytes=-0',
    'bytes=0-1,4-5',
    'lines=0-1',
    'bytes=a-b',
    `bytes=${'9'.repeat(70_000)}-`,
  ])
    it(`ignores ${String(header).slice(0, 30)}`, () => expect(rangeOf(header, 1000)).to.equal(null))

  it('takes nothing of an empty file', () => expect(rangeOf('bytes=0-', 0)).to.equal(null))
})
