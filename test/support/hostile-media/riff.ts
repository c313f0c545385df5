import { chunk, joined, u16le, u32le, u64le } from './bytes.js'
import { tone } from './quicktime.js'

const RATE = 16_000
const SAMPLES = RATE / 2

/** What is different from a plain file. */
interface Odd {
  readonly code?: number
  readonly channels?: number
  readonly rate?: number
  readonly bits?: number
  readonly block?: number
  /** What the chunk of samples, and the whole, say of their sizes. */
  readonly dataSize?: number
  readonly size?: number
  readonly samples?: Uint8Array
  /** Chunks before that of samples. */
  readonly before?: readonly Uint8Array[]
}

function formatOf({ code = 1, channels = 1, rate = RATE, bits = 16, block = 2 }: Odd): Buffer {
  return joined(u16le(code, channels), u32le(rate, (rate * block) >>> 0), u16le(block, bits))
}

/** Half a second of sound as WAV. */
export function soundWav(odd: Odd = {}): Buffer {
  const { samples = tone(SAMPLES, RATE), before = [] } = odd
  const body = joined('WAVE', chunk('fmt ', formatOf(odd)), ...before, chunk('data', samples, odd.dataSize))
  return chunk('RIFF', body, odd.size)
}

/** WAV for more than 4 GiB (EBU Tech 3306), with the sizes that its first chunk says. */
export function soundRf64(whole: bigint, data: bigint): Buffer {
  const sizes = joined(u64le(whole, data, data), u32le(0))
  const body = joined('WAVE', chunk('ds64', sizes), chunk('fmt ', formatOf({})), chunk('data', tone(SAMPLES, RATE), 0xffffffff))
  return chunk('RF64', body, 0xffffffff)
}

interface OddAvi {
  /** Chunks of the description of the sound. */
  readonly stream?: readonly Uint8Array[]
  /** Streams before it, each a description. */
  readonly streams?: readonly Uint8Array[]
  /** Chunks beside the samples. */
  readonly movie?: readonly Uint8Array[]
  /** Behind everything. */
  readonly behind?: readonly Uint8Array[]
}

/** Half a second of sound as AVI. */
export function soundAvi({ stream = [], streams = [], movie = [], behind = [] }: OddAvi = {}): Buffer {
  const count = streams.length + 1
  const main = u32le(40_000, 32_000, 0, 0x10, 12, 0, count, 0, 64, 48, 0, 0, 0, 0)
  const samples = tone(SAMPLES, RATE)
  const name = `${String(streams.length).padStart(2, '0')}wb`
  const sound = list('strl', stripHead('auds', 2, 32_000, SAMPLES, 2), chunk('strf', formatOf({})), ...stream)
  return chunk(
    'RIFF',
    joined(
      'AVI ',
      list('hdrl', chunk('avih', main), ...streams, sound),
      list('movi', ...movie, chunk(name, samples)),
      chunk('idx1', joined(name, u32le(0x10, 4, samples.length))),
      ...behind,
    ),
  )
}

const list = (type: string, ...parts: readonly Uint8Array[]): Buffer => chunk('LIST', joined(type, ...parts))

function stripHead(type: string, scale: number, rate: number, length: number, sampleSize: number): Buffer {
  return chunk('strh', joined(type, u32le(0, 0, 0, 0, scale, rate, 0, length, 0, 0xffffffff, sampleSize), u16le(0, 0, 0, 0)))
}

/** A stream of pictures that are not compressed, of so many pixels a side. */
export function pictures(side: number): Buffer {
  const format = joined(u32le(40, side, side), u16le(1, 24), u32le(0, (side * side * 3) >>> 0, 0, 0, 0, 0))
  return list('strl', stripHead('vids', 1, 25, 12, 0), chunk('strf', format))
}

/** A stream of texts, and a chunk of it that has a file inside (GAB2). */
export function texts(content: string): { readonly stream: Buffer; readonly piece: Buffer } {
  const data = joined('GAB2\0', u16le(2), u32le(4), 'x\0\0\0', u16le(4), u32le(content.length), content)
  return { stream: list('strl', stripHead('txts', 1, 25, 1, 0), chunk('strf', Buffer.alloc(0))), piece: chunk('00tx', data) }
}

/** An index of indexes (OpenDML), whose parts are at these positions. */
export function indexOf(...positions: readonly bigint[]): Buffer {
  const entries = positions.map((at) => joined(u64le(at), u32le(0xffffff, 0x7fffffff)))
  return chunk('indx', joined(u16le(4), Uint8Array.of(0, 0), u32le(positions.length), '00wb', u32le(0, 0, 0), ...entries))
}
