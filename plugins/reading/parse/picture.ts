import sharp, { type Sharp } from 'sharp'
import { Fault } from '../../../core/sdk/fault.js'
import { reading } from './read.js'
import { slantOf } from './skew.js'

export interface PictureArgs {
  /** Page of a TIFF, from 0. */
  readonly page: number
  /** Null for the file's own value. */
  readonly dpi: number | null
  /** Degrees clockwise, in quarters; null to level the lines of text, in either direction. */
  readonly turn: number | null
}

/** A picture for recognition. */
export interface Picture {
  /** PNG in grey, upright and deskewed, as Base64. */
  readonly png: string
  /** Pixels. */
  readonly width: number
  readonly height: number
  readonly dpi: number
  /** Degrees of clockwise rotation applied. */
  readonly turn: number
  readonly skew: number
  /** Pages of the file. */
  readonly pages: number
}

const FORMATS = new Set(['png', 'jpeg', 'tiff', 'webp', 'gif', 'heif'])
const MAX_PIXELS = 40_000_000
const MAX_SIDE = 4_000
/** Maximum pixels of the prepared picture: as PNG it must fit in the answer even when it is noise. */
const MAX_RECOGNISED = 12_000_000
/** The longer side of A4 in inches, for pictures without a density. */
const A4 = 11.7
const SMALL = 1_000
/** Minimum skew that is corrected. */
const LEAST_SKEW = 0.15
const WHITE = { background: '#ffffff' }

sharp.concurrency(1)
sharp.cache(false)

/** Prepares a picture for text recognition. Runs in the sandbox. */
export default async function preparePicture(bytes: Uint8Array, { page, dpi: given, turn }: PictureArgs): Promise<Picture> {
  return await reading('picture that can be read', async () => {
    const source = { limitInputPixels: MAX_PIXELS, page, failOn: 'error' } as const
    const { format, density, pages = 1, autoOrient } = await sharp(bytes, source).metadata()
    if (!FORMATS.has(format)) throw new Fault('invalid', `The file is ${format}, which is no picture that text is read in.`)
    const longest = Math.max(autoOrient.width, autoOrient.height)
    const dpi = given ?? plausible(density, longest) ?? Math.min(600, Math.max(50, Math.round(longest / A4)))
    const bound = Math.min(MAX_SIDE / longest, Math.sqrt(MAX_RECOGNISED / (autoOrient.width * autoOrient.height)))
    const scale = Math.min(dpi > 320 ? 300 / dpi : dpi < 150 ? Math.min(2, 200 / dpi) : 1, bound)
    const width = Math.max(1, Math.round(autoOrient.width * scale))
    const upright = await raw(sharp(bytes, source).autoOrient().flatten(WHITE).resize({ width }))
    const slant = slantOf(await raw(again(upright).resize({ width: SMALL, height: SMALL, fit: 'inside', withoutEnlargement: true })))
    const quarter = turn ?? (slant.sideways ? 90 : 0)
    const skew = Math.abs(slant.degrees) < LEAST_SKEW ? 0 : -Math.round(slant.degrees * 100) / 100
    const turned = quarter === 0 ? upright : await raw(again(upright).rotate(quarter))
    const straight = skew === 0 ? turned : await raw(again(turned).rotate(skew, WHITE))
    const png = await again(straight).toColourspace('b-w').png({ compressionLevel: 3 }).toBuffer()
    return {
      png: png.toString('base64'),
      ...{ width: straight.width, height: straight.height, dpi: Math.round(dpi * scale), turn: quarter, skew, pages },
    }
  })
}

interface Raw {
  readonly data: Buffer
  readonly width: number
  readonly height: number
}

async function raw(picture: Sharp): Promise<Raw> {
  const { data, info } = await picture.toColourspace('b-w').extractChannel(0).raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

function again({ data, width, height }: Raw): Sharp {
  return sharp(data, { raw: { width, height, channels: 1 } })
}

/** 72 is usually a default, not a density; a page is between 2 and 60 inches long. */
function plausible(density: number | undefined, longest: number): number | null {
  return density !== undefined && density >= 100 && density <= 1_200 && longest / density > 2 && longest / density < 60 ? density : null
}
