import { endianness } from 'node:os'

const HEADER = 44
const FULL = 32_767

/** Signed 16-bit little-endian samples, mono or interleaved stereo. */
export function pcmOf(channels: readonly Float32Array[]): Uint8Array {
  const frames = channels[0]?.length ?? 0
  const samples = new Int16Array(frames * channels.length)
  for (const [index, channel] of channels.entries())
    for (let at = 0, place = index; at < frames; at++, place += channels.length)
      samples[place] = Math.round(Math.max(-1, Math.min(1, channel[at] ?? 0)) * FULL)
  const bytes = new Uint8Array(samples.buffer)
  if (endianness() === 'BE') Buffer.from(samples.buffer).swap16()
  return bytes
}

/** A WAV file of such samples (RIFF, PCM). */
export function wavOf(channels: readonly Float32Array[], rate: number): Uint8Array {
  const data = pcmOf(channels)
  const bytes = new Uint8Array(HEADER + data.length)
  const view = new DataView(bytes.buffer)
  const text = (at: number, word: string): void => {
    for (let index = 0; index < word.length; index++) view.setUint8(at + index, word.charCodeAt(index))
  }
  const frame = channels.length * 2
  text(0, 'RIFF')
  view.setUint32(4, HEADER - 8 + data.length, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, channels.length, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * frame, true)
  view.setUint16(32, frame, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, data.length, true)
  bytes.set(data, HEADER)
  return bytes
}
