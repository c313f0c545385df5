import sharp from 'sharp'
import { repeated, u16be, u16le, u32le } from './bytes.js'

/** Of the gradient. */
export const SIZE = { width: 120, height: 80 } as const
const { width: WIDTH, height: HEIGHT } = SIZE

/** A picture with a gradient, a red half and a transparent corner. */
export async function gradient(format: 'png' | 'jpeg' | 'tiff' = 'png'): Promise<Buffer> {
  const pixel = (at: number): number[] => {
    const [x, y] = [at % WIDTH, Math.floor(at / WIDTH)]
    return [x * 2, y * 3, x < WIDTH / 2 ? 200 : 30, x < 20 && y < 20 && format === 'png' ? 0 : 255]
  }
  const pixels = Buffer.from(Array.from({ length: WIDTH * HEIGHT }, (_, at) => pixel(at)).flat())
  return await sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 4 } })
    .toFormat(format)
    .toBuffer()
}

/** Three frames, each of one colour. */
export async function moving(format: 'gif' | 'webp' = 'gif'): Promise<Buffer> {
  const frames = ['#ff0000', '#00ff00', '#0000ff'].map(
    async (background) =>
      await sharp({ create: { width: 40, height: 30, channels: 3, background } })
        .png()
        .toBuffer(),
  )
  return await sharp(await Promise.all(frames), { join: { animated: true } })
    .toFormat(format)
    .toBuffer()
}

const [W, H] = [32, 16]
/** The colour that all of those below have, where they have colours. */
export const COLOUR = [200, 60, 30] as const
const [RED, GREEN, BLUE] = COLOUR

/** Small pictures in formats that nothing here writes, by their published layouts. */
export const READ_ONLY: Readonly<Record<string, Buffer>> = {
  // Bitmap of 256 by 192, then colours of its blocks.
  scr: Buffer.concat([Buffer.alloc(6_144, 0xf0), Buffer.alloc(768, 0x38)]),
  // Width, height, place, depth, then runs of blue, green, red.
  pix: Buffer.concat([u16be(W, H, 0, 0, 24), repeated(H, () => Buffer.from([W, BLUE, GREEN, RED]))]),
  // 16 bits a pixel, five for each colour.
  tim: Buffer.concat([u32le(0x10, 2, 12 + W * H * 2), u16le(0, 0, W, H), repeated(W * H, () => u16le(31))]),
  // Rows of 72 bytes, each one run.
  mac: Buffer.concat([Buffer.from([0, 0, 0, 2]), Buffer.alloc(508), repeated(720, (y) => Buffer.from([257 - 72, y % 16 < 8 ? 255 : 0]))]),
  // A run for each row, of one grey.
  cut: Buffer.concat([u16le(W, H, 0), repeated(H, (y) => Buffer.from([3, 0, 0x80 | W, y * 10, 0]))]),
  // A plane at a time: colour, run, next row.
  rle: Buffer.concat([
    ...[u16le(0xcc52, 0, 0, W, H), Buffer.from([2, 3, 8, 0, 8, 0])],
    repeated(H, () =>
      Buffer.concat([...COLOUR.map((value, at) => Buffer.concat([Buffer.from([2, at, 6, W - 1]), u16le(value)])), Buffer.from([1, 1])]),
    ),
    Buffer.from([7, 0]),
  ]),
  sct: scitex(),
}

function scitex(): Buffer {
  const header = Buffer.alloc(2_048)
  header.fill(' ', 0, 80)
  header.write('CT', 80)
  header.set([1, 3, 0, 7], 1_024)
  header.write(`10.00000E+00  +10.00000E+00 +${String(H).padStart(11, '0')}+${String(W).padStart(11, '0')}`, 1_028)
  return Buffer.concat([header, repeated(H, () => Buffer.concat(COLOUR.map((value) => Buffer.alloc(W, value))))])
}
