const RATES = [44_100, 48_000, 32_000]
const BITS_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const BITS_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const HEADER = 4
/** Maximum bytes skipped before and between frames, such as padding after a tag. */
const MOST_STRAY = 4_096

/** Data from the frames of an MP3 file. */
export interface Mp3 {
  /** Samples per second. */
  readonly rate: number
  /** Frames of the file and their duration in seconds. */
  readonly frames: number
  readonly seconds: number
  /** Share of frame parts, 0 to 1, with audio data; those of digital silence have none. */
  readonly filled: number
}

/**
 * Parses the headers of all frames of an MP3 file (ISO/IEC 11172-3 and 13818-3, layer III, and MPEG 2.5), without
 * decoding. Null for a file without two consecutive frames of the same rate.
 */
export function readMp3(bytes: Uint8Array): Mp3 | null {
  let at = afterTag(bytes)
  let [frames, samples, rate, stray, pieces, filled] = [0, 0, 0, 0, 0, 0]
  while (at + HEADER <= bytes.length) {
    const frame = frameAt(bytes, at)
    if (frame === null || (rate !== 0 && frame.rate !== rate)) {
      if (++stray > MOST_STRAY) break
      at++
      continue
    }
    const next = at + frame.size
    // A false header is not followed by another one.
    if (frames === 0 && next + HEADER <= bytes.length && frameAt(bytes, next)?.rate !== frame.rate) {
      if (++stray > MOST_STRAY) break
      at++
      continue
    }
    rate = frame.rate
    frames++
    samples += frame.samples
    const lengths = dataLengths(bytes, at, frame)
    pieces += lengths.length
    filled += lengths.filter((bits) => bits > 0).length
    at = next
  }
  return frames < 2 ? null : { rate, frames, seconds: samples / rate, filled: filled / pieces }
}

/** The position after an ID3v2 tag, whose size has seven bits per byte. */
function afterTag(bytes: Uint8Array): number {
  const [i, d, three, , , flags = 0, ...size] = bytes.subarray(0, 10)
  if (i !== 0x49 || d !== 0x44 || three !== 0x33) return 0
  return 10 + size.reduce((sum, byte) => sum * 128 + (byte & 127), 0) + ((flags & 16) === 0 ? 0 : 10)
}

interface Frame {
  readonly rate: number
  /** Bytes. */
  readonly size: number
  readonly samples: number
}

function frameAt(bytes: Uint8Array, at: number): Frame | null {
  const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3)
  // Eleven bits set, no reserved version, layer III.
  if (first !== 0xff || (second & 0xe0) !== 0xe0 || (second & 0x18) === 0x08 || (second & 0x06) !== 0x02) return null
  const version = (second & 0x18) === 0x18 ? 1 : (second & 0x18) === 0x10 ? 2 : 4
  const full = RATES[(third & 0x0c) >> 2]
  const bits = (version === 1 ? BITS_1 : BITS_2)[third >> 4] ?? 0
  if (full === undefined || bits === 0) return null
  const [rate, samples] = [full / version, version === 1 ? 1_152 : 576]
  return { rate, samples, size: Math.floor((samples / 8) * ((bits * 1_000) / rate)) + ((third & 2) >> 1) }
}

/** The bits of audio data of each channel in each half of a frame (`part2_3_length`; MPEG 2 has no halves), from its side information. */
function dataLengths(bytes: Uint8Array, at: number, { samples }: Frame): number[] {
  const [second = 0, fourth = 0] = [bytes[at + 1], bytes[at + 3]]
  const channels = fourth >> 6 === 3 ? 1 : 2
  const full = samples === 1_152
  // After the header, and a checksum if the lowest bit is not set.
  const start = (at + HEADER + ((second & 1) === 0 ? 2 : 0)) * 8
  const first = full ? 9 + (channels === 1 ? 5 : 3) + 4 * channels : 8 + channels
  const [count, step] = full ? [2 * channels, 59] : [channels, 63]
  return Array.from({ length: count }, (_, piece) => twelveBits(bytes, start + first + piece * step))
}

function twelveBits(bytes: Uint8Array, bit: number): number {
  const at = bit >> 3
  const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
  return (three >> (12 - (bit & 7))) & 0xfff
}
