import { expect } from 'chai'
import { ASPECT_RATIOS, IMAGE_SIZES } from './contract.js'
import { requestSize, nearestTo, pixelsOf, quotientOf } from './sizes.js'

const SIDES = { '512px': 512, '1K': 1024, '2K': 2048, '4K': 4096 } as const
/** The shorter side at 512, and at 4096, of each ratio. */
const SHORTER: Readonly<Record<(typeof ASPECT_RATIOS)[number], readonly [number, number]>> = {
  '1:1': [512, 4096],
  '2:3': [341, 2731],
  '3:2': [341, 2731],
  '3:4': [384, 3072],
  '4:3': [384, 3072],
  '4:5': [410, 3277],
  '5:4': [410, 3277],
  '9:16': [288, 2304],
  '16:9': [288, 2304],
  '21:9': [219, 1755],
}

describe('images: pixels of a ratio and a size', () => {
  for (const aspect_ratio of ASPECT_RATIOS)
    it(`${aspect_ratio} has the size as its longer side, and the nearest whole pixels as the other`, () => {
      for (const image_size of IMAGE_SIZES) {
        const { width, height } = pixelsOf({ aspect_ratio, image_size })
        const isWide = quotientOf(aspect_ratio) >= 1
        expect(isWide ? width : height, image_size).to.equal(SIDES[image_size])
        const exact = SIDES[image_size] * (isWide ? 1 / quotientOf(aspect_ratio) : quotientOf(aspect_ratio))
        expect(Math.abs((isWide ? height : width) - exact), image_size).to.be.at.most(0.5)
      }
      const shorter = (['512px', '4K'] as const).map((image_size) => {
        const { width, height } = pixelsOf({ aspect_ratio, image_size })
        return Math.min(width, height)
      })
      expect(shorter).to.deep.equal(SHORTER[aspect_ratio])
    })

  it('the nearest entry is the one of which cropping takes off least, tall or wide alike', () => {
    expect(nearestTo('3:4', ['1:1', '2:3', '4:5'])).to.equal('4:5')
    expect(nearestTo('4:3', ['1:1', '3:2', '5:4'])).to.equal('5:4')
    expect(nearestTo('21:9', ['1024x1024', '1536x1024', '1024x1536'])).to.equal('1536x1024')
    expect(nearestTo('9:16', ['1024x1024', '1536x1024', '1024x1536'])).to.equal('1024x1536')
    for (const ratio of ASPECT_RATIOS) expect(nearestTo(ratio, ASPECT_RATIOS)).to.equal(ratio)
  })

  it('a vendor of free sizes is asked for multiples of its step, no fewer pixels than wanted, and no side beyond its most', () => {
    for (const aspect_ratio of ASPECT_RATIOS)
      for (const image_size of IMAGE_SIZES)
        for (const [step, most] of [
          [8, 4096],
          [16, 3840],
          [64, 1536],
        ] as const) {
          const wanted = pixelsOf({ aspect_ratio, image_size })
          const { width, height } = requestSize(wanted, { step, most })
          const about = `${aspect_ratio} ${image_size} ${String(step)}`
          expect([width % step, height % step], about).to.deep.equal([0, 0])
          expect(Math.max(width, height), about).to.be.at.most(most)
          if (Math.max(wanted.width, wanted.height) > most) expect(Math.max(width, height), about).to.equal(most)
          else expect(width >= wanted.width && height >= wanted.height, about).to.equal(true)
          const scale = Math.min(width / wanted.width, height / wanted.height)
          expect(Math.abs(width - wanted.width * scale) + Math.abs(height - wanted.height * scale), about).to.be.below(step * 2)
        }
  })
})
