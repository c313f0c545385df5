import sharp from 'sharp'

/** The pixels of a picture, readable by position. */
export interface Pixels {
  readonly width: number
  readonly height: number
  /** #rrggbb. */
  at(x: number, y: number): string
  /** Rows from top to bottom in which this place across has the colour. */
  rows(x: number, colour: string): number[]
  /** Pixels of the colour. */
  count(colour: string): number
}

/** Decodes a picture. */
export async function pixelsOf(bytes: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const at = (x: number, y: number): string => `#${data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3).toString('hex')}`
  const all = (length: number): number[] => Array.from({ length }, (_, index) => index)
  return {
    width,
    height,
    at,
    rows: (x, colour) => all(height).filter((y) => at(x, y) === colour),
    count: (colour) => all(width * height).filter((index) => at(index % width, Math.floor(index / width)) === colour).length,
  }
}
