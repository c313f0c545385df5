/** Formats of an answer, by ElevenLabs' names: kind, sample rate, kbit/s. */
export const FORMAT_NAMES = ['mp3_44100_128', 'mp3_22050_32', 'pcm_16000', 'pcm_44100', 'wav_44100', 'ogg_48000'] as const
export type FormatName = (typeof FORMAT_NAMES)[number]

/** Parameters of a format. */
export interface Format {
  readonly kind: 'mp3' | 'pcm' | 'wav' | 'ogg'
  /** Samples per second. */
  readonly rate: number
  /** PCM has no header, so this must match what players assume. */
  readonly channels: 1 | 2
  /** kbit/s of compressed formats. */
  readonly kbits: number | null
}

export const FORMATS: Readonly<Record<FormatName, Format>> = {
  mp3_44100_128: { kind: 'mp3', rate: 44_100, channels: 2, kbits: 128 },
  mp3_22050_32: { kind: 'mp3', rate: 22_050, channels: 1, kbits: 32 },
  pcm_16000: { kind: 'pcm', rate: 16_000, channels: 1, kbits: null },
  pcm_44100: { kind: 'pcm', rate: 44_100, channels: 1, kbits: null },
  wav_44100: { kind: 'wav', rate: 44_100, channels: 2, kbits: null },
  ogg_48000: { kind: 'ogg', rate: 48_000, channels: 2, kbits: 128 },
}
