import { repeated, u16be, u16le } from '../bytes.js'
import { COLOUR } from '../pictures.js'

const [W, H] = [32, 16]
const [RED, GREEN, BLUE] = COLOUR
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const header = (magic: string, depth: string): Buffer => Buffer.from(`${magic}\n${String(W)} ${String(H)}\n${depth}`)

/** A bitmap of Windows, 24 bits a pixel. */
function bmp(): Buffer {
  const head = Buffer.alloc(54)
  head.write('BM')
  head.writeUInt32LE(54 + W * H * 3, 2)
  for (const [at, value] of [54, 40, W, H].entries()) head.writeUInt32LE(value, 10 + at * 4)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(24, 28)
  return Buffer.concat([head, repeated(W * H, () => Buffer.from([BLUE, GREEN, RED]))])
}

/** Of version 1 with three channels, uncompressed, without layers. */
function psd(): Buffer {
  const head = Buffer.concat([Buffer.from('8BPS'), u16be(1, 0, 0, 0, 3, 0, H, 0, W, 8, 3)])
  return Buffer.concat([head, Buffer.alloc(12), u16be(0), ...COLOUR.map((value) => Buffer.alloc(W * H, value))])
}

function tga(): Buffer {
  const head = Buffer.concat([Buffer.from([0, 0, 2]), Buffer.alloc(9), u16le(W, H), Buffer.from([24, 0x20])])
  return Buffer.concat([head, repeated(W * H, () => Buffer.from([BLUE, GREEN, RED]))])
}

/** Version 5, three planes; a run of 32 pixels is two bytes, and its value one that is no run. */
function pcx(): Buffer {
  const head = Buffer.alloc(128)
  head.set([10, 5, 1, 8])
  u16le(0, 0, W - 1, H - 1, 72, 72).copy(head, 4)
  head.set([0, 3], 64)
  head.writeUInt16LE(W, 66)
  head.writeUInt16LE(1, 68)
  return Buffer.concat([head, repeated(H, () => Buffer.from(COLOUR.flatMap((value) => [0xc0 | W, value])))])
}

/** Sun raster, 24 bits a pixel in the order of blue, green, red. */
function ras(): Buffer {
  const head = Buffer.alloc(32)
  for (const [at, value] of [0x59a66a95, W, H, 24, W * H * 3, 1, 0, 0].entries()) head.writeUInt32BE(value, at * 4)
  return Buffer.concat([head, repeated(W * H, () => Buffer.from([BLUE, GREEN, RED]))])
}

/** Pictures of one colour, or half black, by their published layouts. */
export const RASTERS: Readonly<Record<string, string | Uint8Array>> = {
  bmp: bmp(),
  psd: psd(),
  tga: tga(),
  pcx: pcx(),
  ras: ras(),
  ppm: Buffer.concat([header('P6', '255\n'), repeated(W * H, () => Buffer.from(COLOUR))]),
  pgm: Buffer.concat([header('P5', '255\n'), Buffer.alloc(W * H, 90)]),
  pbm: Buffer.concat([header('P4', ''), repeated(H, () => hex('ffff0000'))]),
  xpm: `/* XPM */\nstatic char *x[] = {\n"32 16 2 1",\n"  c #ffffff",\n"x c #c83c1e",\n${Array.from({ length: H }, () => `"${'x'.repeat(W / 2)}${' '.repeat(W / 2)}"`).join(',\n')}\n};\n`,
}
