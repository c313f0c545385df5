import { atom, joined, u16be, u32be } from './bytes.js'

/** Half a second of sound. */
const RATE = 16_000
const SAMPLES = RATE / 2

/** What is different from a plain file. */
interface Odd {
  /** Entries of the table of data references; by default the file itself. */
  readonly references?: readonly Uint8Array[]
  /** Atoms of the sample table in place of those of the same type. */
  readonly tables?: Readonly<Record<string, Uint8Array>>
  /** Atoms behind the tracks. */
  readonly more?: readonly Uint8Array[]
  /** How many such tracks. */
  readonly tracks?: number
}

const full = (type: string, ...values: readonly number[]): Buffer => atom(type, u32be(0, ...values))

/** A reference of a track to its data (QuickTime File Format, "Data Reference Atoms"); without the flag 1 the data are elsewhere. */
export const reference = (type: 'url ' | 'alis' | 'rsrc', data: Uint8Array | string, flags = 0): Buffer => atom(type, u32be(flags), data)

/** Where the samples are: behind `ftyp` and the head of `mdat`. */
const DATA = 20 + 8

/** A QuickTime film of sound alone: a tone of 16 bits at 16,000 Hz, not compressed. */
export function soundMov({ references = [reference('url ', '', 1)], tables = {}, more = [], tracks = 1 }: Odd = {}): Buffer {
  const usual: Readonly<Record<string, Uint8Array>> = {
    stsd: atom('stsd', u32be(0, 1), atom('sowt', Buffer.alloc(6), u16be(1, 0, 0), u32be(0), u16be(1, 16, 0, 0), u32be((RATE << 16) >>> 0))),
    stts: full('stts', 1, SAMPLES, 1),
    stsc: full('stsc', 1, 1, SAMPLES, 1),
    stsz: full('stsz', 2, SAMPLES),
    stco: full('stco', 1, DATA),
  }
  const table = Object.entries(usual).map(([type, plain]) => tables[type] ?? plain)
  const further = Object.entries(tables).flatMap(([type, given]) => (type in usual ? [] : [given]))
  const matrix = u32be(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
  const track = (id: number): Buffer =>
    atom(
      'trak',
      atom('tkhd', u32be(15, 0, 0, id, 0, SAMPLES, 0, 0), u16be(0, 0, 0x0100, 0), matrix, u32be(0, 0)),
      atom(
        'mdia',
        atom('mdhd', u32be(0, 0, 0, RATE, SAMPLES), u16be(0x55c4, 0)),
        atom('hdlr', u32be(0), 'mhlrsoun', u32be(0, 0, 0), Uint8Array.of(0)),
        atom(
          'minf',
          full('smhd', 0),
          atom('dinf', atom('dref', u32be(0, references.length), joined(...references))),
          atom('stbl', ...table, ...further),
        ),
      ),
    )
  return joined(
    atom('ftyp', 'qt  ', u32be(0x200), 'qt  '),
    atom('mdat', tone(SAMPLES, RATE)),
    atom(
      'moov',
      atom('mvhd', u32be(0, 0, 0, RATE, SAMPLES, 0x10000), u16be(0x0100), Buffer.alloc(10), matrix, Buffer.alloc(24), u32be(tracks + 1)),
      ...Array.from({ length: tracks }, (_, at) => track(at + 1)),
      ...more,
    ),
  )
}

/** Samples of 16 bits in little endian that swell and fade, so that they are not taken for silence. */
export function tone(samples: number, rate: number): Buffer {
  const out = Buffer.alloc(samples * 2)
  for (let at = 0; at < samples; at += 1) out.writeInt16LE(Math.round(9_000 * Math.sin((2 * Math.PI * 220 * at) / rate)), at * 2)
  return out
}

/** Atoms inside atoms, each the only content of the one around. */
export function nested(type: string, depth: number): Buffer {
  const out = Buffer.alloc(depth * 8)
  for (let at = 0; at < depth; at += 1) {
    out.writeUInt32BE((depth - at) * 8, at * 8)
    out.write(type, at * 8 + 4, 'latin1')
  }
  return out
}

/** An alias of the Finder, version 2, with a relative and an absolute path (tags 2 and 18). */
export function alias(path: string): Buffer {
  const tagged = (tag: number, text: string): Buffer => joined(u16be(tag, text.length), text, Buffer.alloc(text.length % 2))
  const name = path.split('/').at(-1) ?? ''
  const head = Buffer.alloc(150)
  head.writeUInt16BE(2, 4)
  head.writeUInt8(Math.min(63, name.length), 50)
  head.write(name.slice(0, 63), 51, 'latin1')
  // Levels from the alias and to the target: up to the root from wherever the film is.
  head.writeInt16BE(1, 130)
  head.writeInt16BE(path.split('/').length - 1, 132)
  return joined(head, tagged(2, path.slice(1).replaceAll('/', ':')), tagged(18, path), u16be(0xffff, 0))
}
