import { crc32 } from 'node:zlib'
import { u16le, u32le } from './bytes.js'

const CONTENT = Buffer.from('Words of a sample, Grüße\n')
const NAME = Buffer.from('sample.txt')

/** An entry of `tar`. */
export interface TarEntry {
  readonly name: string
  readonly data?: Uint8Array | string
  /** `0` file, `1` hard link, `2` link, `3` device, `5` folder. */
  readonly type?: string
  readonly link?: string
}

/** A tar archive (ustar). */
export function tar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ name, data = '', type = '0', link = '' }) => {
    const body = Buffer.from(data)
    const header = Buffer.alloc(512)
    const octal = (number: number, at: number, length: number): void => {
      header.write(number.toString(8).padStart(length - 1, '0'), at)
    }
    header.write(name, 0)
    octal(0o644, 100, 8)
    octal(0, 108, 8)
    octal(0, 116, 8)
    octal(body.length, 124, 12)
    octal(1_600_000_000, 136, 12)
    header.write('        ', 148)
    header.write(type, 156)
    header.write(link, 157)
    header.write('ustar\x0000', 257)
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      148,
      7,
    )
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1_024)])
}

/** Archives of one file in formats that nothing here writes, without compression, by their published layouts. */
export const READ_ONLY_ARCHIVES: Readonly<Record<string, Buffer>> = { cab: cab(), lha: lha(), rar: rar() }

/** What the file of them holds, and its name. */
export const ARCHIVED = { name: NAME.toString(), content: CONTENT.toString() }

/** MS-CAB, 2: header, one folder, one file, one block. */
function cab(): Buffer {
  const file = Buffer.concat([u32le(CONTENT.length, 0), u16le(0, 0x5021, 0, 0x20), NAME, Buffer.from([0])])
  const dataAt = 36 + 8 + file.length
  const folder = Buffer.concat([u32le(dataAt), u16le(1, 0)])
  const block = Buffer.concat([u32le(0), u16le(CONTENT.length, CONTENT.length), CONTENT])
  const header = Buffer.concat([
    ...[Buffer.from('MSCF'), u32le(0, dataAt + block.length, 0, 44, 0), Buffer.from([3, 1])],
    u16le(1, 1, 0, 0, 0),
  ])
  return Buffer.concat([header, folder, file, block])
}

/** A header of level 0 and the bytes as they are (`-lh0-`). */
function lha(): Buffer {
  const body = Buffer.concat([
    ...[Buffer.from('-lh0-'), u32le(CONTENT.length, CONTENT.length, 0x50210000), Buffer.from([0x20, 0, NAME.length]), NAME],
    u16le(crc16(CONTENT)),
  ])
  const sum = body.reduce((total, byte) => total + byte, 0) & 255
  return Buffer.concat([Buffer.from([body.length, sum]), body, CONTENT, Buffer.from([0])])
}

function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1
  }
  return crc
}

/** RAR 4: mark, archive header, one stored file, end. */
function rar(): Buffer {
  const headed = (body: Buffer): Buffer => Buffer.concat([u16le(crc32(body) & 0xffff), body])
  const archive = headed(Buffer.concat([Buffer.from([0x73]), u16le(0, 13), Buffer.alloc(6)]))
  const file = headed(
    Buffer.concat([
      ...[Buffer.from([0x74]), u16le(0x8000, 32 + NAME.length), u32le(CONTENT.length, CONTENT.length), Buffer.from([3])],
      ...[u32le(crc32(CONTENT), 0x50210000), Buffer.from([20, 0x30]), u16le(NAME.length), u32le(0o100644), NAME],
    ]),
  )
  const end = headed(Buffer.concat([Buffer.from([0x7b]), u16le(0x4000, 7)]))
  return Buffer.concat([Buffer.from('Rar!\x1a\x07\0', 'latin1'), archive, file, CONTENT, end])
}
