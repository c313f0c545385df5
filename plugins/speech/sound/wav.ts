/** 16-bit mono sound. */
export interface Pcm {
  /** Samples per second. */
  readonly rate: number
  readonly samples: Int16Array
}

/** A parsed WAV file. */
export interface Wav {
  readonly rate: number
  readonly channels: number
  /** Interleaved samples of all channels. */
  readonly samples: Int16Array
  /** Whether its header has the actual sizes; programs that write to a pipe do not know them. */
  readonly sized: boolean
}

const HEADER = 44
const PCM = 1
const EXTENSIBLE = 0xfffe
/** Sizes from here on mean "unknown": 0x7ffff000 of eSpeak, 0xffffffff of FFmpeg. */
const UNKNOWN = 0x7fff0000

/**
 * Parses a 16-bit PCM WAV file (RIFF, "Multimedia Programming Interface and Data Specifications 1.0"). Null for
 * anything else, for one without samples and for a truncated one.
 */
export function readWav(bytes: Uint8Array): Wav | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.length < HEADER || view.toString('latin1', 0, 4) !== 'RIFF' || view.toString('latin1', 8, 12) !== 'WAVE') return null
  let format: { readonly rate: number; readonly channels: number } | null = null
  for (let at = 12; at + 8 <= view.length;) {
    const [id, size, start] = [view.toString('latin1', at, at + 4), view.readUInt32LE(at + 4), at + 8]
    if (id === 'fmt ' && start + 16 <= view.length) format = formatAt(view, start)
    if (id === 'data') return format === null ? null : soundAt(view, { ...format, start, size })
    at = start + size + (size % 2)
  }
  return null
}

/** Whether bytes start as a WAV file of any encoding and are shorter than its stated size. */
export function isCutWav(bytes: Uint8Array): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.length < 12 || view.toString('latin1', 0, 4) !== 'RIFF') return false
  const size = view.readUInt32LE(4)
  return size < UNKNOWN && size + 8 > view.length
}

/** A WAV file of 16 bit PCM. */
export function writeWav({ rate, samples }: Pcm, channels = 1): Uint8Array {
  const size = samples.length * 2
  const file = Buffer.alloc(HEADER + size)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(HEADER - 8 + size, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(PCM, 20)
  file.writeUInt16LE(channels, 22)
  file.writeUInt32LE(rate, 24)
  file.writeUInt32LE(rate * channels * 2, 28)
  file.writeUInt16LE(channels * 2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(size, 40)
  Buffer.from(samples.buffer, samples.byteOffset, size).copy(file, HEADER)
  return file
}

function formatAt(view: Buffer, at: number): { rate: number; channels: number } | null {
  const [kind, channels, rate, bits] = [
    view.readUInt16LE(at),
    view.readUInt16LE(at + 2),
    view.readUInt32LE(at + 4),
    view.readUInt16LE(at + 14),
  ]
  const isKnown = (kind === PCM || kind === EXTENSIBLE) && bits === 16
  return isKnown && channels >= 1 && channels <= 8 && rate >= 4_000 && rate <= 192_000 ? { rate, channels } : null
}

function soundAt(
  view: Buffer,
  { rate, channels, start, size }: { readonly rate: number; readonly channels: number; readonly start: number; readonly size: number },
): Wav | null {
  const there = view.length - start
  const sized = size > 0 && size < UNKNOWN
  if (sized && size > there) return null
  const frames = Math.floor((sized ? size : there) / (2 * channels))
  if (frames === 0) return null
  // A copy, since samples must be aligned.
  const samples = new Int16Array(frames * channels)
  view.copy(Buffer.from(samples.buffer), 0, start, start + samples.byteLength)
  return { rate, channels, samples, sized }
}
