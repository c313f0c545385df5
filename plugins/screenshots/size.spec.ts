import { expect } from 'chai'
import sharp from 'sharp'
import { sizeOf } from './size.js'

const plain = (alpha: boolean) =>
  sharp({ create: { width: 321, height: 123, channels: alpha ? 4 : 3, background: { r: 200, g: 10, b: 10, alpha: 0.5 } } })
const SIZE = { width: 321, height: 123 }

describe('screenshots: the size that bytes say', () => {
  it('is read from png, jpeg and every form of webp', async () => {
    expect(sizeOf(await plain(false).png().toBuffer(), 'png')).to.deep.equal(SIZE)
    expect(sizeOf(await plain(false).jpeg({ progressive: true }).toBuffer(), 'jpeg')).to.deep.equal(SIZE)
    expect(sizeOf(await plain(false).jpeg().withMetadata({ density: 300 }).toBuffer(), 'jpeg')).to.deep.equal(SIZE)
    expect(sizeOf(await plain(false).webp().toBuffer(), 'webp')).to.deep.equal(SIZE)
    expect(sizeOf(await plain(false).webp({ lossless: true }).toBuffer(), 'webp')).to.deep.equal(SIZE)
    expect(sizeOf(await plain(true).webp().toBuffer(), 'webp')).to.deep.equal(SIZE)
  })

  it('is that of the first sheet of a pdf, in points', () => {
    const pdf = (box: string): Buffer => Buffer.from(`%PDF-1.4\n<</Type/Page/MediaBox${box}>>`)
    expect(sizeOf(pdf(' [0 0 595.92 841.92]'), 'pdf')).to.deep.equal({ width: 596, height: 842 })
    expect(sizeOf(pdf('[-10 -10 585 832]'), 'pdf')).to.deep.equal({ width: 595, height: 842 })
    for (const box of ['', ' 7 0 R', '[0 0 0 0]', '[0 0 ...5 1]']) expect(sizeOf(pdf(box), 'pdf'), box).to.equal(null)
  })

  it('is unknown for bytes of another kind, and for those that end too early or never', async () => {
    const png = await plain(false).png().toBuffer()
    for (const format of ['jpeg', 'webp', 'pdf'] as const) expect(sizeOf(png, format)).to.equal(null)
    expect(sizeOf(await plain(false).jpeg().toBuffer(), 'png')).to.equal(null)
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const bytes = await plain(false)[format]().toBuffer()
      for (let length = 0; length < 24; length++) expect(sizeOf(bytes.subarray(0, length), format), `${format} ${length}`).to.equal(null)
    }
    expect(sizeOf(Buffer.from([0xff, 0xd8, ...Array.from({ length: 100_000 }, () => 0xff)]), 'jpeg')).to.equal(null)
    expect(sizeOf(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xe0, 0, 0, 0, 0, 0, 0]), 'jpeg')).to.equal(null)
  })
})
