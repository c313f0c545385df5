import type { AspectRatio, ImageInput, ImageSize } from './contract.js'

/** Pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

const LONGER: Readonly<Record<ImageSize, number>> = { '512px': 512, '1K': 1024, '2K': 2048, '4K': 4096 }

/** Width divided by height of a ratio such as `16:9`, or of a size such as `1536x1024`. */
export function quotientOf(ratio: string): number {
  const [width = 1, height = 1] = ratio.split(/[:x]/).map(Number)
  return width / height
}

/** The pixels of a ratio and a size: the longer side is the size, the shorter one is rounded to whole pixels. */
export function pixelsOf({ aspect_ratio, image_size }: Pick<ImageInput, 'aspect_ratio' | 'image_size'>): Size {
  const longer = LONGER[image_size]
  const quotient = quotientOf(aspect_ratio)
  return quotient >= 1 ? { width: longer, height: Math.round(longer / quotient) } : { width: Math.round(longer * quotient), height: longer }
}

/** The entry closest to a ratio, by the share of a picture lost by cropping. Entries are ratios or sizes as read by `quotientOf`. */
export function nearestTo<const T extends readonly [string, ...string[]]>(ratio: AspectRatio, offered: T): T[number] {
  const wanted = quotientOf(ratio)
  const off = (each: string): number => Math.abs(Math.log(quotientOf(each) / wanted))
  return offered.reduce<T[number]>((best, each) => (off(each) < off(best) ? each : best), offered[0])
}

/**
 * The size to request from a vendor that accepts sides in multiples of `step` up to `most`, itself such a multiple.
 * At least the wanted size, so that the result only has to be cropped; if the vendor's maximum is smaller, its
 * largest picture of about the same ratio.
 */
export function requestSize(wanted: Size, { step, most }: { readonly step: number; readonly most: number }): Size {
  const scale = Math.min(1, most / Math.max(wanted.width, wanted.height))
  const rounded = scale < 1 ? Math.round : Math.ceil
  const side = (pixels: number): number => Math.min(most, Math.max(1, rounded((pixels * scale) / step)) * step)
  return { width: side(wanted.width), height: side(wanted.height) }
}
