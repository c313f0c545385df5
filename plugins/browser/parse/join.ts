import sharp from 'sharp'
import { MOST_HEIGHT, QUALITY } from '../pictures/limits.js'

export interface JoinArgs {
  readonly format: 'png' | 'jpeg' | 'webp'
  readonly width: number
  readonly height: number
}

/** Stacks bands of one width. Runs in the sandbox: the decoder is native code, and large pictures take seconds. */
export default async function join(
  bands: readonly Uint8Array[],
  { format, width, height }: JoinArgs,
): Promise<{ readonly result: null; readonly data: Uint8Array }> {
  // Each band gets the height of the highest, also the last.
  const stacked = sharp([...bands], { join: { across: 1 }, limitInputPixels: width * MOST_HEIGHT })
  const joined = stacked.extract({ left: 0, top: 0, width, height }).removeAlpha()
  const written =
    format === 'png' ? joined.png() : format === 'jpeg' ? joined.jpeg({ quality: QUALITY }) : joined.webp({ quality: QUALITY, effort: 2 })
  return { result: null, data: await written.toBuffer() }
}
