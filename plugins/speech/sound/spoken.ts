import { Fault, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { mediaConvert, mediaProbe } from '../../media/contract.js'
import type { SpeechOutput } from '../contract.js'
import { readMp3 } from './mp3.js'
import { isCutWav, readWav, writeWav, type Wav } from './wav.js'

/** Two thousand characters are about two and a half minutes: 27 MB in WAV of 48 kHz and two channels. */
export const MOST_BYTES = 32 * 1024 * 1024
/** Maximum sample value of silence: -60 dB below full scale. */
const SILENCE = 32
/** Minimum length of speech in seconds. */
const LEAST_SECONDS = 0.05
/** Share of frames with audio data below which an MP3 file is silent. */
const LEAST_FILLED = 0.02

type Tools = Pick<ProviderContext, 'call' | 'has' | 'scratch'>

interface Source {
  /** The model or voice, as named in the answer. */
  readonly voice_model: string
  /**
   * Origin of the sound: from a vendor, something other than speech is its failure (`broken`), from a local program
   * it is not (`missing`).
   */
  readonly by: 'vendor' | 'program'
}

/**
 * Verifies a provider's sound: complete, audible and MP3 or WAV, with its own sample rate. Another format is
 * converted to WAV if ffmpeg is available. Throws otherwise, so that the next provider is tried.
 */
export async function spoken(ctx: Tools, file: ScratchFile, { voice_model, by }: Source): Promise<SpeechOutput> {
  const refused = (why: string): Fault => new Fault(by === 'vendor' ? 'broken' : 'missing', `The speech ${why}.`)
  if (file.size > MOST_BYTES) throw refused('is longer than an answer may be')
  const bytes = await ctx.scratch.bytes(file, MOST_BYTES)
  const wav = readWav(bytes)
  if (wav !== null) {
    assertAudible(wav, refused)
    const made = wav.sized ? file : await ctx.scratch.write(writeWav(wav, wav.channels))
    return { file: made, format: 'wav', sample_rate: wav.rate, voice_model }
  }
  if (isCutWav(bytes)) throw refused('is cut short')
  const mp3 = readMp3(bytes)
  if (mp3 !== null) {
    if (mp3.seconds < LEAST_SECONDS) throw refused('is empty')
    if (mp3.filled < LEAST_FILLED) throw refused('is silent')
    if (ctx.has(mediaProbe)) await assertPlayable(ctx, file, refused)
    return { file, format: 'mp3', sample_rate: mp3.rate, voice_model }
  }
  if (!ctx.has(mediaConvert)) throw refused('is in a form that cannot be read without ffmpeg')
  const made = await ofMedia(ctx.call(mediaConvert, { file, to: 'wav' }), refused)
  const decoded = readWav(await ctx.scratch.bytes(made.file, 2 * MOST_BYTES))
  if (decoded === null) throw refused('cannot be played')
  assertAudible(decoded, refused)
  return { file: made.file, format: 'wav', sample_rate: decoded.rate, voice_model }
}

/** Throws for silence, and for a sound too short for a word. */
function assertAudible({ rate, channels, samples }: Wav, refused: (why: string) => Fault): void {
  if (samples.length / (rate * channels) < LEAST_SECONDS) throw refused('is empty')
  if (!samples.some((sample) => sample > SILENCE || sample < -SILENCE)) throw refused('is silent')
}

/** Throws for a file without decodable audio. */
async function assertPlayable(ctx: Tools, file: ScratchFile, refused: (why: string) => Fault): Promise<void> {
  const { streams } = await ofMedia(ctx.call(mediaProbe, { file }), refused)
  if (!streams.some(({ kind }) => kind === 'audio')) throw refused('cannot be played')
}

/** An unreadable file of a vendor is the vendor's fault. */
async function ofMedia<T>(work: Promise<T>, refused: (why: string) => Fault): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!Fault.is(error) || error.kind === 'busy') throw error
    throw new Fault(refused('').kind, 'The speech cannot be played.', { cause: error })
  }
}
