/** Sample rate, bytes per sample, and bytes per second of the audio sent to vendors. */
export const RATE = 16_000
const SAMPLE = 2
export const BYTES_PER_SECOND = RATE * SAMPLE

/** Bytes of the header by `wavHeader`. */
export const HEADER = 44
/** Bytes searched for a header. */
export const HEAD_BYTES = 4_096

/** Offset of the samples of a WAV file, by its first bytes; null for anything but mono, 16 bits, 16,000 samples per second. */
export function samplesAt(head: Uint8Array): number | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const name = (at: number): string => String.fromCharCode(...head.subarray(at, at + 4))
  if (head.length < HEADER || name(0) !== 'RIFF' || name(8) !== 'WAVE') return null
  let plain = false
  for (let at = 12; at + 8 <= head.length;) {
    const size = view.getUint32(at + 4, true)
    if (name(at) === 'fmt ' && at + 24 <= head.length) {
      const [channels, rate, bits] = [view.getUint16(at + 10, true), view.getUint32(at + 12, true), view.getUint16(at + 22, true)]
      plain = channels === 1 && rate === RATE && bits === SAMPLE * 8
    }
    if (name(at) === 'data') return plain ? at + 8 : null
    at += 8 + size + (size % 2)
  }
  return null
}

/** The header of a WAV file with so many bytes of samples (RIFF, PCM). */
export function wavHeader(bytes: number): Uint8Array {
  const header = new Uint8Array(HEADER)
  const view = new DataView(header.buffer)
  const write = (at: number, text: string): void => void header.set(new TextEncoder().encode(text), at)
  write(0, 'RIFF')
  view.setUint32(4, HEADER - 8 + bytes, true)
  write(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, RATE, true)
  view.setUint32(28, BYTES_PER_SECOND, true)
  view.setUint16(32, SAMPLE, true)
  view.setUint16(34, SAMPLE * 8, true)
  write(36, 'data')
  view.setUint32(40, bytes, true)
  return header
}

/** Byte offset in the samples for a time in seconds. */
export function byteAt(seconds: number): number {
  return Math.round(seconds * RATE) * SAMPLE
}

/** A part of a recording, in seconds. */
export interface Range {
  readonly from: number
  readonly to: number
}

/**
 * The samples of ranges of a WAV file, in order, read from a stream of its bytes; `offset` is where its samples
 * start. Ranges are sorted and may overlap. Holds one range in memory.
 */
export async function* samplesOf(file: AsyncIterable<Uint8Array>, offset: number, ranges: readonly Range[]): AsyncGenerator<Uint8Array> {
  const bounds = ranges.map(({ from, to }) => ({ from: offset + byteAt(from), to: offset + byteAt(to) }))
  let held: Uint8Array[] = []
  let [start, end, index] = [0, 0, 0]
  const current = () => bounds[index]
  const taken = (from: number, to: number): Uint8Array => {
    const all = Buffer.concat(held)
    held = [all]
    return all.subarray(Math.max(0, from - start), Math.max(0, to - start))
  }
  const discard = (before: number): void => {
    while (held[0] !== undefined && start + held[0].length <= before) start += held.shift()?.length ?? 0
  }
  for await (const chunk of file) {
    held.push(chunk)
    end += chunk.length
    for (let range = current(); range !== undefined && end >= range.to; range = current()) {
      discard(range.from)
      yield Uint8Array.from(taken(range.from, range.to))
      index++
    }
    discard(current()?.from ?? end)
    if (current() === undefined) return
  }
  const last = current()
  if (last === undefined) return
  discard(last.from)
  const rest = taken(last.from, end)
  if (rest.length > 0) yield Uint8Array.from(rest)
}
