import { element, joined, u64be } from './bytes.js'
import { tone } from './quicktime.js'

const RATE = 16_000
const SAMPLES = RATE / 2

/** What is different from a plain file. */
interface Odd {
  /** Elements of the segment before the tracks, and behind the sound. */
  readonly before?: readonly Uint8Array[]
  readonly behind?: readonly Uint8Array[]
  /** Elements of the description of the segment. */
  readonly info?: readonly Uint8Array[]
  /** Elements of the track. */
  readonly track?: readonly Uint8Array[]
  readonly tracks?: number
  readonly channels?: number
  readonly rate?: number
  /** What is in the one block; by default the samples. */
  readonly block?: Uint8Array
}

const float = (value: number): Buffer => {
  const out = Buffer.alloc(8)
  out.writeDoubleBE(value)
  return out
}
const number = (id: number, value: number): Buffer => element(id, u64be(BigInt(value)))

export const text = (id: number, value: string): Buffer => element(id, value)

/** Sound of 16 bits that is not compressed, in Matroska (RFC 9559). */
export function soundMkv(odd: Odd = {}): Buffer {
  const { before = [], behind = [], info = [], track = [], tracks = 1, channels = 1, rate = RATE } = odd
  const entry = (at: number): Buffer =>
    element(
      0xae,
      ...[number(0xd7, at), number(0x73c5, at), number(0x83, 2), text(0x86, 'A_PCM/INT/LIT'), ...track],
      element(0xe1, element(0xb5, float(rate)), number(0x9f, channels), number(0x6264, 16)),
    )
  return joined(
    element(0x1a45dfa3, text(0x4282, 'matroska'), number(0x4287, 4), number(0x4285, 2)),
    element(
      0x18538067,
      element(0x1549a966, number(0x2ad7b1, 1_000_000), ...info),
      ...before,
      element(0x1654ae6b, ...Array.from({ length: tracks }, (_, at) => entry(at + 1))),
      element(0x1f43b675, number(0xe7, 0), element(0xa3, Uint8Array.of(0x81, 0, 0, 0x80), odd.block ?? tone(SAMPLES, RATE))),
      ...behind,
    ),
  )
}

/** Elements inside elements, each the only content of the one around; an id of two bytes. */
export function nested(id: number, depth: number): Buffer {
  const one = element(id)
  const out = Buffer.alloc(depth * one.length)
  for (let at = 0; at < depth; at += 1) {
    out.set(one, at * one.length)
    out.writeBigUInt64BE(BigInt((depth - at - 1) * one.length) | (1n << 56n), at * one.length + 2)
  }
  return out
}

/** A file that is attached to a film. */
export const attached = (name: string, type: string, data: Uint8Array | string): Buffer =>
  element(0x1941a469, element(0x61a7, text(0x466e, name), text(0x4660, type), element(0x465c, data), number(0x46ae, 1)))

/** The second half of a film is in another file. */
export const linked = (name: string, id: string): readonly Uint8Array[] => [
  text(0x73a4, 'the-first-half--'),
  text(0x3eb923, id),
  text(0x3e83bb, name),
]

/** Chapters in order, of which one is in another file. */
export const chaptersElsewhere = (id: string): Buffer =>
  element(
    0x1043a770,
    element(0x45b9, number(0x45dd, 1), element(0xb6, number(0x73c4, 1), number(0x91, 0), number(0x92, 1_000_000_000), text(0x6e67, id))),
  )

/** The blocks of the track are packed with zlib. */
export const packed = (): Buffer =>
  element(0x6d80, element(0x6240, number(0x5031, 0), number(0x5032, 1), number(0x5033, 0), element(0x5034, number(0x4254, 0))))
