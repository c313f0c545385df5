import { randomFillSync } from 'node:crypto'
import sharp from 'sharp'

const [WIDTH, HEIGHT] = [9_500, 6_530]
const NOISE_BYTES = 1_000_003

/** A JPEG of 62 million pixels of noise, 20 MB, as large as those of a camera with a large sensor. */
export async function noisyPhoto(): Promise<Buffer> {
  const noise = randomFillSync(Buffer.alloc(NOISE_BYTES)).map((level) => level / 2 + 64)
  const pixels = Buffer.alloc(WIDTH * HEIGHT, noise)
  return await sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
    .jpeg({ quality: 60 })
    .toBuffer()
}
