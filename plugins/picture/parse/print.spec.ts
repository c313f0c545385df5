import { expect } from 'chai'
import sharp from 'sharp'
import { told } from '../../../test/support/conversions/checks.js'
import { needs } from '../../../test/support/exec-sandbox.js'
import { restoresLoaders } from '../../../test/support/picture-loaders.js'
import print from './print.js'

interface Page {
  readonly width: number
  readonly height: number
  readonly colour: string
}

const u16 = (value: number): Buffer => Buffer.from([value & 255, value >> 8])
const u32 = (value: number): Buffer => Buffer.concat([u16(value & 65_535), u16(value >>> 16)])

/**
 * An uncompressed TIFF file of grey pages (TIFF 6.0, section 4); `density` is horizontal and vertical pixels per
 * inch.
 */
function tiff(pages: readonly { width: number; height: number; grey: number }[], density?: readonly [number, number]): Buffer {
  let whole = Buffer.from('II*\0\0\0\0\0')
  let [at, link] = [8, 4]
  for (const { width, height, grey } of pages) {
    const pixels = Buffer.alloc(width * height + ((width * height) % 2), grey)
    const directory = at + pixels.length
    const entries: (readonly [number, number, number])[] = [
      [256, 4, width],
      [257, 4, height],
      [258, 3, 8],
      [259, 3, 1],
      [262, 3, 1],
      [273, 4, at],
      [277, 3, 1],
      [278, 4, height],
      [279, 4, width * height],
    ]
    const ratios = directory + 2 + (entries.length + 3) * 12 + 4
    if (density !== undefined) entries.push([282, 5, ratios], [283, 5, ratios + 8], [296, 3, 2])
    const rows = entries.map(([tag, type, value]) => Buffer.concat([u16(tag), u16(type), u32(1), u32(value)]))
    const sides = density === undefined ? [] : density.flatMap((side) => [u32(side), u32(1)])
    whole.writeUInt32LE(directory, link)
    whole = Buffer.concat([whole, pixels, u16(entries.length), ...rows, u32(0), ...sides])
    link = directory + 2 + entries.length * 12
    at = whole.length
  }
  return whole
}

/** Sizes in points and the colour at the centre of each page, as read and rendered by Poppler. */
function pagesOf(pdf: Buffer, count: number): Promise<Page[]> {
  const sizes = [...told('pdfinfo', ['-l', String(count), 'result'], pdf).matchAll(/Page +\d+ size: +([\d.]+) x ([\d.]+)/g)]
  return Promise.all(
    sizes.map(async ([, width, height], at) => {
      const drawing = told('pdftoppm', ['-png', '-r', '72', '-f', String(at + 1), '-l', String(at + 1), 'result'], pdf, 'latin1')
      const { data, info } = await sharp(Buffer.from(drawing, 'latin1')).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      const middle = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels
      return { width: Number(width), height: Number(height), colour: data.subarray(middle, middle + 3).toString('hex') }
    }),
  )
}

const printed = async (bytes: Buffer): Promise<Page[]> => {
  const { result, data } = await print([bytes])
  expect(told('pdfinfo', ['result'], data)).to.match(new RegExp(`^Pages: +${result.pages}$`, 'm'))
  return await pagesOf(data, result.pages)
}

describe('picture.print', function () {
  restoresLoaders()
  this.timeout(30_000)
  before(function () {
    needs(this, 'pdfinfo', 'pdftoppm')
  })

  it('F6 pages of a TIFF become pages of a PDF in their sizes', async () => {
    const pages = [
      { width: 50, height: 50, grey: 0x20 },
      { width: 60, height: 30, grey: 0xc0 },
    ]
    expect(await printed(tiff(pages))).to.deep.equal([
      { width: 50, height: 50, colour: '202020' },
      { width: 60, height: 30, colour: 'c0c0c0' },
    ])
  })

  it('F6 pixels that are not square, as a fax has them, have the size that the file says', async () => {
    const [first, second, third] = await printed(
      tiff(
        [1, 2, 3].map((grey) => ({ width: 408, height: 196, grey: grey * 0x30 })),
        [204, 98],
      ),
    )
    expect([first, second, third].map((page) => [page?.width, page?.height])).to.deep.equal(Array(3).fill([144, 144]))
    expect(third?.colour).to.match(/^(?:8f|90|91){3}$/)
  })

  it('F6 a photograph is a JPEG, a picture with one colour and a transparent one are without loss', async () => {
    const noise = Buffer.from(Array.from({ length: 64 * 64 * 3 }, (_, at) => (at * 2_654_435_761) >>> 24))
    const photograph = await sharp(noise, { raw: { width: 64, height: 64, channels: 3 } })
      .tiff()
      .toBuffer()
    expect((await print([photograph])).data.includes('/DCTDecode')).to.equal(true)
    const plain = await sharp({ create: { width: 20, height: 30, channels: 4, background: '#12345600' } })
      .tiff({ compression: 'lzw' })
      .toBuffer()
    const { data } = await print([plain])
    expect(data.includes('/FlateDecode')).to.equal(true)
    expect(await printed(plain)).to.deep.equal([{ width: 20, height: 30, colour: 'ffffff' }])
  })

  it('pictures of 16 bits and in CMYK have their colours on the page', async () => {
    const plain = () => sharp({ create: { width: 40, height: 20, channels: 3, background: '#cc3300' } })
    const deep = {
      png: await plain().toColourspace('rgb16').png().toBuffer(),
      tiff: await plain().pipelineColourspace('rgb16').toColourspace('rgb16').tiff({ compression: 'lzw' }).toBuffer(),
    }
    for (const [name, bytes] of Object.entries(deep)) {
      expect((await sharp(bytes).metadata()).depth, name).to.equal('ushort')
      expect(
        (await printed(bytes)).map(({ colour }) => colour),
        name,
      ).to.deep.equal(['cc3300'])
    }
    const inks = {
      jpeg: await plain().toColourspace('cmyk').jpeg().toBuffer(),
      tiff: await plain().toColourspace('cmyk').tiff().toBuffer(),
    }
    for (const [name, bytes] of Object.entries(inks)) {
      expect((await sharp(bytes).metadata()).space, name).to.equal('cmyk')
      const [page] = await printed(bytes)
      const [red = 0, green = 0, blue = 0] = Buffer.from(page?.colour ?? '', 'hex')
      expect(red, `red of ${name}`).to.be.closeTo(0xcc, 16)
      expect(green, `green of ${name}`).to.be.closeTo(0x33, 24)
      expect(blue, `blue of ${name}`).to.be.closeTo(0, 24)
    }
  })

  it('a picture that moves has a page for each of its frames', async () => {
    const colours = ['ff0000', '00ff00', '0000ff']
    const frames = await Promise.all(
      colours.map((colour) =>
        sharp({ create: { width: 30, height: 20, channels: 3, background: `#${colour}` } })
          .png()
          .toBuffer(),
      ),
    )
    const moving = sharp(frames, { join: { animated: true } })
    for (const bytes of [
      await moving
        .clone()
        .gif({ delay: [100, 200, 300] })
        .toBuffer(),
      await moving.webp({ lossless: true }).toBuffer(),
    ])
      expect((await printed(bytes)).map(({ colour }) => colour)).to.deep.equal(colours)
  })

  it('a photograph of more than 40 megapixels is refused before its pixels are read, and its size and the limit are said', async () => {
    const large = await sharp({ create: { width: 7_000, height: 6_000, channels: 3, background: '#336699' } })
      .jpeg()
      .toBuffer()
    const error = await print([large]).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(String(error)).to.contain('has 42 million pixels; at most 40 million are taken.')
  })

  it('F6 a later page that is too large, and a file that is cut, are refused and the page is named', async () => {
    const failing = async (bytes: Buffer): Promise<string> => {
      return await print([bytes]).then(
        () => 'none',
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
    }
    const two = tiff([
      { width: 10, height: 10, grey: 1 },
      { width: 12, height: 10, grey: 2 },
    ])
    const large = Buffer.from(two)
    // Width and height of the second page, in its directory.
    const directory = large.readUInt32LE(large.readUInt32LE(4) + 2 + 9 * 12)
    large.writeUInt32LE(9_000, directory + 10)
    large.writeUInt32LE(9_000, directory + 22)
    expect(await failing(large)).to.equal('Page 2 of the file has 81 million pixels; at most 40 million are taken.')
    const cut = Buffer.from(two)
    cut.writeUInt32LE(4_000_000, directory + 2 + 5 * 12 + 8)
    expect(await failing(cut)).to.equal('Page 2 of the file cannot be read to its end.')
  })
})
