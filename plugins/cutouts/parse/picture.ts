import sharp, { type Sharp } from 'sharp'
import { Fault } from '../../../core/sdk/fault.js'
import { LIMITS } from '../limits.js'

// One process reads one file: no cache, and no loaders of other formats.
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`) })

export interface Size {
  readonly width: number
  readonly height: number
}

/** Pixels with four 8-bit channels: red, green, blue and straight alpha. */
export interface Pixels extends Size {
  readonly data: Uint8Array
}

/** Requested form of a result. */
export interface Wanted {
  readonly size: 'auto' | 'preview' | 'full'
  readonly format: 'png' | 'webp'
}

/** The size of a result for a source: its own, or smaller with the same ratio. */
export function resultSize({ width, height }: Size, { size, format }: Wanted): Size {
  const most = size === 'preview' ? LIMITS.preview : size === 'auto' ? LIMITS.auto : LIMITS.pixels
  const sides = format === 'webp' ? LIMITS.side / Math.max(width, height) : 1
  const factor = Math.min(1, Math.sqrt(most / (width * height)), sides)
  const scaled = (side: number): number => Math.max(1, Math.floor(side * factor))
  return factor === 1 ? { width, height } : { width: scaled(width), height: scaled(height) }
}

/** Opens a picture. Throws a `broken` Fault for one with too many pixels, and for other data. */
export async function open(bytes: Uint8Array): Promise<{ readonly size: Size; readonly picture: () => Sharp }> {
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: LIMITS.pixels }).metadata()
    return { size: { width, height }, picture: () => sharp(bytes, { limitInputPixels: LIMITS.pixels, failOn: 'error' }) }
  } catch (error) {
    throw unreadable(error)
  }
}

/** The pixels of a picture in a given size. */
export async function pixelsOf(picture: Sharp, { width, height }: Size): Promise<Pixels> {
  try {
    const sized = picture.resize(width, height, { fit: 'fill', kernel: 'lanczos3' }).toColourspace('srgb').ensureAlpha()
    const { data, info } = await sized.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
    if (info.channels !== 4) throw new Error(`${info.channels} channels`)
    return { data, width: info.width, height: info.height }
  } catch (error) {
    throw unreadable(error)
  }
}

/** Encodes a picture without metadata. */
export async function encoded({ data, width, height }: Pixels, { format }: Wanted): Promise<Uint8Array> {
  const picture = sharp(data, { raw: { width, height, channels: 4 } })
  return await (format === 'png' ? picture.png() : picture.webp({ quality: 90, alphaQuality: 100 })).toBuffer()
}

/** The opaque share of the picture, 0 to 1, each pixel weighted by its alpha. */
export function opaqueShare({ data }: Pixels): number {
  let sum = 0
  for (let at = 3; at < data.length; at += 4) sum += data[at] ?? 0
  return sum / (data.length / 4) / 255
}

function unreadable(error: unknown): Fault {
  if (Fault.is(error)) return error
  return new Fault('broken', 'The picture of the vendor cannot be read.', {
    internal: error instanceof Error ? error.message.slice(0, 500) : String(error),
  })
}
