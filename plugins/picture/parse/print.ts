import sharp from 'sharp'
import { Fault } from '../../../core/sdk/fault.js'
import { LIMITS } from '../limits.js'
import { asFault, assertPixels, openPicture } from './open.js'
import { pdfOf, type PdfPage } from './pdf.js'

export interface Printed {
  readonly pages: number
}

/** Bytes per pixel above which JPEG replaces PNG: a photograph, which PNG hardly compresses. */
const PHOTOGRAPH = 0.8
const QUALITY = 90
const METRES_OF_INCH = 0.0254
/** Pixels per inch when the file has none, and the range of valid values. */
const DENSITY = { usual: 72, least: 20, most: 10_000 }
/** libvips' default for a file without a density: one pixel per millimetre. */
const UNSAID = 25.4

/** Converts all pages of a picture to pages of a PDF. Runs in the sandbox, like `make`. */
export default async function print([bytes = new Uint8Array()]: readonly Uint8Array[]): Promise<{
  readonly result: Printed
  readonly data: Buffer
}> {
  const { frames } = await openPicture(bytes, { page: 0, animated: false, name: 'The file' })
  const { printedPages: most } = LIMITS
  if (frames > most) throw new Fault('invalid', `The file has ${frames} pages; at most ${most} become pages of a PDF.`)
  const pages: PdfPage[] = []
  let size = 0
  for (let page = 0; page < frames; page++) {
    const made = await printed(bytes, page)
    size += made.bytes.length
    if (size > LIMITS.bytes) throw new Fault('invalid', `The PDF of the ${frames} pages would be larger than ${LIMITS.bytes} bytes.`)
    pages.push(made)
  }
  return { result: { pages: frames }, data: pdfOf(pages) }
}

/** One page, lossless or, for a photograph, as a JPEG of high quality. */
async function printed(bytes: Uint8Array, page: number): Promise<PdfPage> {
  const name = `Page ${page + 1} of the file`
  try {
    const { width, height, pageHeight, space } = await sharp(bytes, { page, limitInputPixels: false }).metadata()
    assertPixels(width * (pageHeight ?? height), name)
    const { read } = await openPicture(bytes, { page, animated: false, name: 'The file' })
    const picture = read().autoOrient().flatten({ background: '#ffffff' })
    const { data, info } = await picture
      .clone()
      .toColourspace(space === 'b-w' ? 'b-w' : 'srgb')
      .png()
      .toBuffer({ resolveWithObject: true })
    const size = { width: info.width, height: info.height, density: densityOf(data) }
    if (data.length <= info.width * info.height * PHOTOGRAPH) return { ...size, bytes: data }
    return { ...size, bytes: await picture.toColourspace('srgb').jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' }).toBuffer() }
  } catch (error) {
    throw asFault(error, `${name} cannot be read to its end.`)
  }
}

/**
 * Density of a PNG file, from its chunk pHYs: pixels per metre, horizontal and vertical (PNG 3rd edition, 11.3.4.3).
 */
function densityOf(png: Buffer): [number, number] {
  const at = png.subarray(0, 256).indexOf('pHYs')
  const read = (offset: number): number => Math.round(png.readUInt32BE(at + offset) * METRES_OF_INCH * 10) / 10
  const sides: [number, number] = at === -1 ? [0, 0] : [read(4), read(8)]
  return sides.every((side) => side >= DENSITY.least && side <= DENSITY.most && side !== UNSAID) ? sides : [DENSITY.usual, DENSITY.usual]
}
