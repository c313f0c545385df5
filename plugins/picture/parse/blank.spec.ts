import { expect } from 'chai'
import sharp from 'sharp'
import { Fault } from '../../../core/sdk/fault.js'
import { restoresLoaders } from '../../../test/support/picture-loaders.js'
import blank from './blank.js'
import { blankPage } from './one-colour.js'

const pgm = (width: number, height: number, tones: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from(`P5\n${String(width)} ${String(height)}\n255\n`), Buffer.from(tones)])

describe('picture.blank: what shows one colour alone', () => {
  restoresLoaders()
  it('F5 a page is blank when its tones are the same, whatever tone that is', () => {
    expect(blankPage(pgm(2, 2, [255, 255, 255, 255]))).to.equal(true)
    expect(blankPage(pgm(2, 2, [0, 0, 0, 0]))).to.equal(true)
    expect(blankPage(pgm(2, 2, [255, 253, 255, 254])), 'steps that nobody sees').to.equal(true)
    expect(blankPage(pgm(2, 2, [255, 255, 240, 255])), 'a thin grey mark').to.equal(false)
  })

  it('F5 a page that is cut, or no page, is not taken for blank', () => {
    expect(blankPage(pgm(2, 2, [255, 255, 255]))).to.equal(null)
    expect(blankPage(Buffer.from('P6\n1 1\n255\nabc'))).to.equal(null)
    expect(blankPage(Buffer.alloc(0))).to.equal(null)
  })

  it('F5 a picture with a single dot is not blank, one of one colour or transparent is', async () => {
    const plain = (alpha: number) =>
      sharp({ create: { width: 900, height: 700, channels: 4, background: { r: 250, g: 20, b: 20, alpha } } })
    const dot = { input: { create: { width: 2, height: 2, channels: 3 as const, background: '#000000' } }, left: 611, top: 333 }
    for (const format of ['png', 'webp', 'jpeg'] as const) {
      expect((await blank([await plain(1).toFormat(format).toBuffer()])).result, format).to.equal(true)
      expect((await blank([await plain(1).composite([dot]).toFormat(format).toBuffer()])).result, `${format} with a dot`).to.equal(false)
    }
    expect((await blank([await plain(0).png().toBuffer()])).result).to.equal(true)
    expect((await blank([await plain(0).composite([dot]).png().toBuffer()])).result).to.equal(false)
  })

  it('F5 what is no picture is refused', async () => {
    const error = await blank([Buffer.from('hello')]).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(Fault.is(error) && error.kind).to.equal('invalid')
  })
})
